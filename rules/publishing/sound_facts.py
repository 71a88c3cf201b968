"""Refuses facts of the catalog that no release could contain, when they are approved and not only later.

It asks the same check that a release asks. What was wrong before is not held against the change set. Reads
only. `compliance.apps` connects it to `catalog.editorial.pending.signals.approving`.
"""

from collections.abc import Callable
from typing import Any

from catalog.errors import Unfit
from rules.engine.document import Problem, problems
from rules.next_release import compile_content

MOST_NAMED = 3
"""How many problems a refusal names; the rest is counted."""


def refuse_unsound_facts(sender: Any, **_: Any) -> Callable[[], None]:
    """Return the check to do after the writing. It raises `Unfit` for what the writing made unsound."""
    before = _problems()

    def check() -> None:
        found = [one for one in _problems() if one not in before]
        if not found:
            return
        named = "; ".join(f"{one.where} {one.reason}" for one in found[:MOST_NAMED])
        more = f"; and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        raise Unfit(
            "no release could contain this",
            f"{named}{more}. Nothing was written. Return the change set to its author with this reason",
        )

    return check


def _problems() -> list[Problem]:
    return problems(compile_content())
