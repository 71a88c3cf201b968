"""The screens of recalls."""
