"""The English forms, where the framework looks for them."""
