"""What a proof finds: where the two programs disagree, or a verdict breaks a promise."""

from typing import Any, Literal

import msgspec

MOST_SHOWN = 20
"""How many findings of each sort are described. All of them are counted."""

Json = dict[str, Any]

Sort = Literal["selection", "catalog", "cell", "kind", "flight", "promise"]
"""What was compared: rules of a flight, records of the catalog, a unit on a flight, two units of one kind,
a whole question, or two answers of a promise."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One difference. `engine` and `reference` are what each of them says, in a few words.

    `question` is a question for `POST /api/verify` that shows it, or None if no model of the catalog does.
    For a broken promise `engine` is the answer to `question`, `worse` the question that must not be milder,
    and `reference` the answer to that; `about` says which promise, or what was compared.
    """

    sort: Sort
    about: str
    engine: str
    reference: str
    question: Json | None = None
    worse: Json | None = None


class Tally(msgspec.Struct, kw_only=True):
    """What a part of a proof counts. `differing` and `broken` are how many findings there are."""

    classes: int = 0
    sets: int = 0
    cells: int = 0
    questions: int = 0
    differing: int = 0
    broken: int = 0
    found: list[Found] = []

    def differs(self, found: Found) -> None:
        """Count a disagreement, and keep the first of them."""
        self.differing += 1
        self._keep(found)

    def breaks(self, found: Found) -> None:
        """Count a broken promise, and keep the first of them."""
        self.broken += 1
        self._keep(found)

    def add(self, other: "Tally") -> None:
        """Add another part."""
        for name in ("classes", "sets", "cells", "questions", "differing", "broken"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for found in other.found:
            self._keep(found)

    def _keep(self, found: Found) -> None:
        broken = found.sort == "promise"
        if sum((one.sort == "promise") is broken for one in self.found) < MOST_SHOWN:
            self.found.append(found)
