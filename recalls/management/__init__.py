"""Commands of the recalls."""
