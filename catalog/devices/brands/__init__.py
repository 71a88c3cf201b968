"""Brands: actions and screen. The slug is always made from the name."""
