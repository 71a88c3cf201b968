"""Runs every case on some content with the engine, and says in sentences what is not as expected."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

import msgspec

from rules.cases.reading import Case, Expect, Given
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.errors import Unanswerable
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Device, Question, TripQuestion, Unit
from rules.engine.matching import Statement
from rules.engine.outcomes import LegVerdict
from rules.engine.trip import evaluate_trip
from rules.engine.vocabulary import CODES, STRICTNESS, Nature

SHOWN_LIMIT = re.compile(r"(?P<name>\w+?)(_over_\d+(\.\d+)?wh)?_\d+")
"""How an answer shows a limit with a number: `max_units_2`, `max_units_over_100wh_2`."""

WARNINGS = frozenset(code.name for code in CODES.values() if code.nature in {Nature.ADVICE, Nature.NOTICE})
CONSTRAINTS = CODES.keys() - WARNINGS
LIMITS_WITH_A_NUMBER = frozenset(
    code.name for code in CODES.values() if code.nature is Nature.LIMIT and code.parameter is not None
)


class Failure(msgspec.Struct, frozen=True):
    """An expectation that was not met. `path` is the verdict path, empty if there was no answer."""

    file: str
    name: str
    expected: str
    got: str
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the failure as a sentence for editors."""
        path = f" Path: {' → '.join(self.path)}." if self.path else ""
        return f"{self.file}, “{self.name}”: expected {self.expected}, got {self.got}.{path}"


class Judged(msgspec.Struct, frozen=True):
    """A case with what was not as expected.

    `grants`: it is allowed although the case expects that it is not. `milder`: it, or a segment, is answered
    less strictly than expected; no answer counts as insufficient.
    """

    case: Case
    failures: tuple[Failure, ...]
    grants: bool
    milder: bool


def judge(content: Content, cases: Iterable[Case]) -> list[Judged]:
    """Run every case on the content, in the order of the cases."""
    rule_ids = {rule.rule_id for rule in content.rules}
    return [
        Judged(
            case,
            tuple(
                Failure(case.file, case.name, expected, got, outcome.path)
                for expected, got in (
                    *_misnamed(case.expect, rule_ids),
                    *_differences(case.expect, outcome),
                )
            ),
            _grants(case.expect, outcome),
            _is_milder(case.expect, outcome),
        )
        for case, outcome in _outcomes(content, cases)
    ]


def failures(content: Content, cases: Iterable[Case]) -> list[Failure]:
    """Run every case on the content and return what is not as expected, in the order of the cases."""
    return [failure for judged in judge(content, cases) for failure in judged.failures]


def silent_rules(content: Content, cases: Iterable[Case]) -> dict[str, tuple[str, ...]]:
    """Return the rules that no case applies, by issuer (`airline VN`, `jurisdiction VN`).

    There a case may still be missing; a rule that no question can reach is listed too.
    """
    spoken = {step for _, outcome in _outcomes(content, cases) for step in outcome.path}
    silent: dict[str, list[str]] = defaultdict(list)
    for rule in content.rules:
        if rule.rule_id not in spoken:
            issuer = f"airline {rule.airline}" if rule.airline else f"jurisdiction {rule.jurisdiction}"
            silent[issuer].append(rule.rule_id)
    return {issuer: tuple(sorted(silent[issuer])) for issuer in sorted(silent)}


# --- Asking -------------------------------------------------------------------------------------------------


class _Outcome(msgspec.Struct, frozen=True):
    """What the engine answered: a verdict with the answers of its legs, or why there is none."""

    verdict: str | None = None
    error: str | None = None
    answers: tuple[LegVerdict, ...] = ()
    segments: tuple[str, ...] = ()

    @property
    def path(self) -> tuple[str, ...]:
        """The paths of the answered legs, one after the other."""
        return tuple(step for answer in self.answers for step in answer.path)


def _outcomes(content: Content, cases: Iterable[Case]) -> Iterator[tuple[Case, _Outcome]]:
    asked = tuple(cases)
    corpus = Corpus(_with_units(content, asked))
    for case in asked:
        try:
            yield case, _ask(corpus, case.given)
        except Unanswerable as error:
            yield case, _Outcome(error=error.code)


def _ask(corpus: Corpus, given: Given) -> _Outcome:
    unit = Unit(
        model_id=given.model_id or _model_id(given),
        quantity=given.quantity,
        ccc_mark=given.ccc_mark,
        capacity_label=given.capacity_label,
        condition=given.condition,
        recall_check=given.recall_check,
        serial=given.serial,
        serial_hash=given.serial_hash,
    )
    legs, today = given.flights(), given.today or given.on
    if len(legs) == 1:
        leg_question = Question(
            unit=unit, leg=legs[0], travel_date=given.on, compartment_intent=given.compartment
        )
        answer = evaluate_leg(corpus, leg_question, today=today)
        return _Outcome(answer.verdict, answers=(answer,))
    trip_question = TripQuestion(
        unit=unit, legs=legs, travel_date=given.on, compartment_intent=given.compartment
    )
    trip = evaluate_trip(corpus, trip_question, today=today)
    return _Outcome(
        trip.verdict,
        answers=tuple(segment.answer for segment in trip.segments if segment.answer is not None),
        segments=tuple(segment.error.code if segment.error else segment.verdict for segment in trip.segments),
    )


def _with_units(content: Content, cases: Iterable[Case]) -> Content:
    """Add a device for each rating that the cases ask about, with evidence that counts as read."""
    read = tuple(source.id for source in content.sources if source.citable)
    units = {
        _model_id(given): Device(
            model_id=_model_id(given),
            brand="Verdict case",
            model_name="Unit without a rating" if given.watt_hour is None else f"{given.watt_hour} Wh unit",
            watt_hour=given.watt_hour,
            watt_hour_basis=given.basis,
            sources=read[:1],
        )
        for given in (case.given for case in cases)
        if given.basis is not None
    }
    return msgspec.structs.replace(content, devices=(*content.devices, *units.values()))


def _model_id(given: Given) -> str:
    return f"verdict-case-{given.basis}-{given.watt_hour}".lower().replace(".", "-")


# --- Comparing ----------------------------------------------------------------------------------------------


def _misnamed(expect: Expect, rule_ids: Collection[str]) -> Iterator[tuple[str, str]]:
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


def _differences(expect: Expect, outcome: _Outcome) -> Iterator[tuple[str, str]]:
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
    constraints = [_called(statement) for answer in answers for statement in answer.constraints]
    yield from _compare("constraint", expect.constraints, expect.no_constraints, constraints)
    if expect.first_constraint and not any(expect.first_constraint in names for names in constraints[:1]):
        yield f"the first constraint `{expect.first_constraint}`", _listed(names[0] for names in constraints)
    warnings = [statement for answer in answers for statement in answer.warnings]
    yield from _compare("warning", expect.warnings, expect.no_warnings, map(_called, warnings))
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
            [value for warning in warnings for name, value in warning.params if name == "date"],
        ),
    ]
    for what, expected, got in values:
        if expected is not None and expected not in got:
            yield f"the {what} {expected}", _listed(got)


def _grants(expect: Expect, outcome: _Outcome) -> bool:
    """Return whether the whole, or a segment of a trip, is allowed although the case expects otherwise."""
    return any(got == "allowed" != expected for expected, got in _pairs(expect, outcome))


def _is_milder(expect: Expect, outcome: _Outcome) -> bool:
    """Return whether the whole, or a segment of a trip, is less strict than the case expects."""
    return any(_strictness(got) < _strictness(expected) for expected, got in _pairs(expect, outcome))


def _pairs(expect: Expect, outcome: _Outcome) -> list[tuple[str | None, str | None]]:
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
