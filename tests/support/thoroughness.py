"""How many examples a test draws. `make thorough` draws many more than `make test`, from the same seeds."""

import os


def examples(usual: int, *, thorough: int) -> int:
    """Return the number of examples for this run."""
    return thorough if os.environ.get("THOROUGH") else usual
