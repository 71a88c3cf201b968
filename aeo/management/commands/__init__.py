"""Commands of the public site."""
