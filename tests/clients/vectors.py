"""`clients/vectors.json`: what a client is told, and when that is a green light. Every client passes it.

`python -m tests.clients.vectors` writes it anew: what the sandbox answers, and what is made up.
"""

import json
from typing import Any

from compliance.services.embedded import REPOSITORY
from tests.clients import itineraries, made_up, several

CLIENTS = REPOSITORY / "clients"
FILE = CLIENTS / "vectors.json"


def invented() -> list[dict[str, Any]]:
    """Return the vectors that are made up here."""
    return [*made_up.vectors(), *itineraries.vectors(), *several.vectors()]


def read() -> list[dict[str, Any]]:
    """Return the vectors of the file."""
    vectors: list[dict[str, Any]] = json.loads(FILE.read_text())
    return vectors


def text(vectors: list[dict[str, Any]]) -> str:
    """Return the file: one vector on each line, so that a change shows what it changes."""
    lines = ",\n".join(json.dumps(vector, ensure_ascii=False) for vector in vectors)
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    from tests.clients import recorded

    FILE.write_text(text([*recorded.vectors(), *invented()]))
