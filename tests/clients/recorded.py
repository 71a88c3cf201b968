"""Vectors that the sandbox plays: every outcome of its list, as it answers it."""

from collections.abc import Iterator
from typing import Any


def vectors() -> Iterator[dict[str, Any]]:
    """Return one vector for each outcome."""
    return iter(())
