"""Placeholder."""


def begin() -> None:
    """Nothing yet."""
