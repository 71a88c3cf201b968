"""Failing cases that reviewers accept as they fail: the world has changed, but the file has not yet.

A case is a file of the program, so editors cannot change it. An acceptance is valid for one case as its file
has it, and for one outcome: what was expected and what came instead, word for word. Anything else fails as
before. Pure.
"""

import datetime
import hashlib
from typing import Any

import msgspec

from rules.cases.given import Given
from rules.cases.reading import Case, Expect
from rules.cases.running import Judged

Outcome = tuple[tuple[str, str], ...]
"""What a case expected and what came instead, for each expectation that was not met."""


def case_digest(case: Case) -> str:
    """Return the SHA-256 of what a case asks and expects, whatever its file and its name."""
    digested = {
        "given": _non_defaults(case.given, Given(on=datetime.date.min)),
        "expect": _non_defaults(case.expect, Expect()),
    }
    return hashlib.sha256(msgspec.json.encode(digested, order="deterministic")).hexdigest()


def outcome(judged: Judged) -> Outcome:
    """Return how a case fails; empty if it passes."""
    return tuple((failure.expected, failure.got) for failure in judged.failures)


def outcome_digest(judged: Judged) -> str:
    """Return the SHA-256 of a case and of how it fails."""
    return hashlib.sha256(msgspec.json.encode([case_digest(judged.case), outcome(judged)])).hexdigest()


def _non_defaults(part: Given | Expect, silent: Given | Expect) -> dict[str, Any]:
    """Return the fields that are set, so that a field added later changes no digest."""
    fields, defaults = msgspec.to_builtins(part), msgspec.to_builtins(silent)
    return {name: value for name, value in fields.items() if value != defaults[name]}
