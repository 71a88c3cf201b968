"""Digests of cases, and failing cases that reviewers accept as they fail.

An acceptance is valid for one case as it is, and for one outcome: what was expected and what came instead,
word for word. Anything else fails as before. Pure.
"""

import datetime
import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec

from rules.cases.given import Given
from rules.cases.reading import Case, Expect
from rules.cases.running import Judged

Outcome = tuple[tuple[str, str], ...]
"""What a case expected and what came instead, for each expectation that was not met."""


def case_digest(case: Case) -> str:
    """Return the SHA-256 of what a case asks and expects, whatever its file and its name."""
    digested = {"given": said(case.given), "expect": said(case.expect)}
    return hashlib.sha256(msgspec.json.encode(digested, order="deterministic")).hexdigest()


def digest_of_cases(cases: Iterable[Case]) -> str:
    """Return the SHA-256 of cases with their names, in whatever order and files they are.

    It is the digest of a line for each, in the order of the names: the digest of the case, two spaces, the
    name, a line end. So `sha256sum` gives it too.
    """
    lines = "".join(f"{case_digest(one)}  {one.name}\n" for one in sorted(cases, key=lambda one: one.name))
    return hashlib.sha256(lines.encode()).hexdigest()


def outcome(judged: Judged) -> Outcome:
    """Return how a case fails; empty if it passes."""
    return tuple((failure.expected, failure.got) for failure in judged.failures)


def outcome_digest(judged: Judged) -> str:
    """Return the SHA-256 of a case and of how it fails."""
    return hashlib.sha256(msgspec.json.encode([case_digest(judged.case), outcome(judged)])).hexdigest()


def said(part: Given | Expect) -> dict[str, Any]:
    """Return the fields that are set, as plain values, so that a field added later changes no digest."""
    silent = Given(on=datetime.date.min) if isinstance(part, Given) else Expect()
    fields, defaults = msgspec.to_builtins(part), msgspec.to_builtins(silent)
    # A question always has its day, also the first of all.
    return {name: value for name, value in fields.items() if value != defaults[name] or name == "on"}
