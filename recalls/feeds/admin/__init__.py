"""The screens of the official feeds and of their notices."""
