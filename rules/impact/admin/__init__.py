"""The pages of a measurement."""
