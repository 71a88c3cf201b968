"""The editors' pages with 100,000 models."""
