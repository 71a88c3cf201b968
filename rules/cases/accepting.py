"""Cases that fail, and that reviewers accept as they fail: the world has changed, and the file not yet.

A case is a file of the program, so editors cannot change it. An acceptance holds for one case as it stands in
its file, and for one outcome: what was expected and what came instead, word for word. Anything else fails as
before. Pure.
"""

import datetime
import hashlib
from typing import Any

import msgspec

from rules.cases.reading import Case, Expect, Given
from rules.cases.running import Judged

Outcome = tuple[tuple[str, str], ...]
"""What a case expected and what came instead, for each expectation that was not met."""


def case_digest(case: Case) -> str:
    """Return the SHA-256 of what a case asks and expects, wherever it stands and however it is called."""
    told = {
        "given": _told(case.given, Given(on=datetime.date.min)),
        "expect": _told(case.expect, Expect()),
    }
    return hashlib.sha256(msgspec.json.encode(told, order="deterministic")).hexdigest()


def outcome(judged: Judged) -> Outcome:
    """Return how a case fails; empty where it passes."""
    return tuple((failure.expected, failure.got) for failure in judged.failures)


def outcome_digest(judged: Judged) -> str:
    """Return the SHA-256 of a case and of how it fails."""
    return hashlib.sha256(msgspec.json.encode([case_digest(judged.case), outcome(judged)])).hexdigest()


def _told(part: Given | Expect, silent: Given | Expect) -> dict[str, Any]:
    """Return the fields that say something, so that a field which comes later changes no digest."""
    fields, defaults = msgspec.to_builtins(part), msgspec.to_builtins(silent)
    return {name: value for name, value in fields.items() if value != defaults[name]}
