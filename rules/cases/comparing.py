"""Compares the answer of a case with what it expects."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from rules.cases.asking import Outcome
from rules.cases.reading import Expect
from rules.engine.matching import Statement
from rules.engine.outcomes import LegVerdict, Packing
from rules.engine.vocabulary import CODES, STRICTNESS, Nature

SHOWN_LIMIT = re.compile(r"(?P<name>\w+?)(_over_\d+(\.\d+)?wh)?_\d+")
"""How an answer shows a limit with a number: `max_units_2`, `max_units_over_100wh_2`."""

WARNINGS = frozenset(code.name for code in CODES.values() if code.nature in {Nature.ADVICE, Nature.NOTICE})
CONSTRAINTS = CODES.keys() - WARNINGS
LIMITS_WITH_A_NUMBER = frozenset(
    code.name for code in CODES.values() if code.nature is Nature.LIMIT and code.parameter is not None
)


def misnamed(expect: Expect, rule_ids: Collection[str]) -> Iterator[tuple[str, str]]:
    """Find names that no answer can ever contain: with one of them a `no_` list would always pass."""
    first = [expect.first_constraint] if expect.first_constraint else []
    for code in (*expect.constraints, *expect.no_constraints, *first):
        shown = SHOWN_LIMIT.fullmatch(code)
        if code not in CONSTRAINTS and (shown is None or shown["name"] not in LIMITS_WITH_A_NUMBER):
            yield f"the constraint `{code}`", "no such constraint in the code registry"
    for code in (*expect.warnings, *expect.no_warnings):
        if code not in WARNINGS:
            yield f"the warning `{code}`", "no such warning in the code registry"
    for rule_id in (*expect.path, *expect.no_path):
        if rule_id not in rule_ids:
            yield f"the rule `{rule_id}`", "no such rule in this content"


def differences(expect: Expect, outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Compare an expectation with the answer: yield what was expected and what came instead."""
    if outcome.error is not None or expect.error is not None:
        if outcome.error != expect.error:
            yield (
                _error_or_verdict(expect.error, expect.verdict),
                _error_or_verdict(outcome.error, outcome.verdict),
            )
        return
    if outcome.verdict != expect.verdict:
        yield f"the verdict {expect.verdict}", f"{outcome.verdict}"
    if expect.segments is not None and expect.segments != outcome.segments:
        yield f"the segments {_listed(expect.segments)}", _listed(outcome.segments)
    answers = outcome.answers
    yield from _compare("gap", expect.gaps, (), [(gap,) for answer in answers for gap in answer.gaps])
    constraints = [_called(statement) for statement in outcome.constraints]
    yield from _compare("constraint", expect.constraints, expect.no_constraints, constraints)
    if expect.first_constraint and not any(expect.first_constraint in names for names in constraints[:1]):
        yield f"the first constraint `{expect.first_constraint}`", _listed(names[0] for names in constraints)
    yield from _compare("warning", expect.warnings, expect.no_warnings, map(_called, outcome.warnings))
    yield from _compare("rule", expect.path, expect.no_path, [(step,) for step in outcome.path])
    if not _in_order(expect.path, outcome.path):
        yield f"the rules in the order {_listed(expect.path)}", "another order"
    values: list[tuple[str, str | None, list[str | None]]] = [
        ("recall status", expect.recall_status, [answer.recall_status for answer in answers]),
        ("recall check", expect.recall_check_method, [answer.recall_check_method for answer in answers]),
        ("lookup", expect.lookup, [address for answer in answers for address in _lookups(answer)]),
        (
            "announced change on",
            None if expect.change_on is None else expect.change_on.isoformat(),
            [value for warning in outcome.warnings for name, value in warning.params if name == "date"],
        ),
    ]
    for what, expected, got in values:
        if expected is not None and expected not in got:
            yield f"the {what} {expected}", _listed(got)
    if outcome.packing is not None:
        yield from _repacked(expect, outcome.packing)


def _repacked(expect: Expect, packing: Packing) -> Iterator[tuple[str, str]]:
    """Compare the units that stay, and those that may travel, with the expected ones in any order."""
    stays = sorted((one.ref, one.quantity, one.because) for one in packing.stays)
    if expect.stays is not None and sorted(expect.stays) != stays:
        yield f"that {_units(sorted(expect.stays))} must stay", _units(stays)
    may_travel = sorted(_travelling(packing).items())
    if expect.may_travel is not None and sorted(expect.may_travel) != may_travel:
        yield f"that {_units(sorted(expect.may_travel))} may travel", _units(may_travel)


def _travelling(packing: Packing) -> Counter[str]:
    """Return how many units of each item may travel of an itinerary that is not cleared; else none."""
    units: Counter[str] = Counter()
    if packing.may_travel is not None:
        for share in packing.may_travel.shares:
            units[share.ref] += share.quantity
    return units


def _units(units: Iterable[tuple[str | int, ...]]) -> str:
    return ", ".join(" ".join(map(str, one)) for one in units) or "none"


def grants(expect: Expect, outcome: Outcome) -> bool:
    """Return whether the whole, a segment or a unit may travel although the case expects otherwise."""
    allowed = any(got == "allowed" != expected for expected, got in _pairs(expect, outcome))
    return allowed or _lets_more_travel(expect, outcome)


def is_milder(expect: Expect, outcome: Outcome) -> bool:
    """Return whether the whole, a segment or the packing is less strict than the case expects."""
    milder = any(_strictness(got) < _strictness(expected) for expected, got in _pairs(expect, outcome))
    return milder or (_lets_more_travel(expect, outcome) and not _makes_room(expect, outcome))


def _makes_room(expect: Expect, outcome: Outcome) -> bool:
    """Return whether more units of some items may travel only because fewer of others may.

    The numbers are as strict as before then. An item that stayed for another reason has not got room.
    """
    if outcome.packing is None or expect.may_travel is None:
        return False
    travelling, expected = _travelling(outcome.packing), Counter(dict(expect.may_travel))
    stays = {ref: because for ref, _, because in expect.stays or ()}
    more = travelling - expected
    return travelling.total() <= expected.total() and all(stays.get(ref) == "numbers" for ref in more)


def _lets_more_travel(expect: Expect, outcome: Outcome) -> bool:
    """Return whether more units of an item may travel than the case expects.

    Where all may travel, the case names none of them, and nothing can be milder.
    """
    if outcome.packing is None or expect.may_travel is None or expect.verdict == "allowed":
        return False
    return bool(_travelling(outcome.packing) - Counter(dict(expect.may_travel)))


def _pairs(expect: Expect, outcome: Outcome) -> list[tuple[str | None, str | None]]:
    """Return what was expected and what came, of the whole and of each segment of a trip."""
    segments = zip(expect.segments or (), outcome.segments, strict=False)
    return [(expect.verdict, outcome.verdict), *segments]


def _strictness(verdict: str | None) -> int:
    """Return how strict a verdict is; an error is not a verdict and counts as insufficient."""
    return next((grade for name, grade in STRICTNESS.items() if name == verdict), STRICTNESS["insufficient"])


def _lookups(answer: LegVerdict) -> Iterator[str | None]:
    for finding in answer.recalls:
        if finding.evaluation.match_method == "external_list_required":
            yield finding.recall.affected_serials.explicit_list_url


def _error_or_verdict(error: str | None, verdict: str | None) -> str:
    return f"the error {error}" if error else f"the verdict {verdict}"


def _called(statement: Statement) -> tuple[str, str]:
    """Return both names of a statement: as the answer shows it, and its registry name without the number."""
    return statement.code, statement.name


def _compare(
    kind: str, expected: Iterable[str], unwanted: Iterable[str], got: Iterable[tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    found = list(got)
    every_name = {name for names in found for name in names}
    for name in expected:
        if name not in every_name:
            yield f"the {kind} `{name}`", _listed(names[0] for names in found)
    for name in unwanted:
        if name in every_name:
            yield f"no {kind} `{name}`", _listed(names[0] for names in found)


def _in_order(expected: Iterable[str], path: Collection[str]) -> bool:
    """Return whether those expected steps that are in the path are there in the expected order."""
    places = {step: place for place, step in reversed(list(enumerate(path)))}
    found = [places[step] for step in expected if step in places]
    return found == sorted(found)


def _listed(names: Iterable[str | None]) -> str:
    return ", ".join(name for name in names if name) or "none"
