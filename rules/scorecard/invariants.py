"""The promises of every verdict, tried on questions drawn from a release: figures for readers, not a gate.

The tests of the engine look for a broken promise in many generated worlds. This module tries the promises of
`docs/how-a-verdict-is-made.md` on the release that answers, whose rules people wrote. The digest of the
release determines the questions, so the same release on the same day gives the same figures. The work is
bounded: `QUESTIONS` questions, each of them asked a few times.

Pure, apart from the digest that it is given. Called by `rules.scorecard.figures`.
"""

import datetime
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar, get_args

import msgspec
from msgspec.structs import replace

from rules.engine.corpus import Citation, Corpus
from rules.engine.document import Content
from rules.engine.errors import AirlineNotCovered
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import INTERNATIONAL, Leg, Question, TripQuestion, Unit
from rules.engine.outcomes import LegVerdict
from rules.engine.trip import evaluate_trip
from rules.engine.vocabulary import (
    MAX_QUANTITY,
    STRICTNESS,
    Compartment,
    LabelIndication,
    MarkIndication,
    UnitCondition,
    Verdict,
)

QUESTIONS = 400
"""How many questions are drawn, and how many airlines without a rule are asked about at most."""

Promise = Literal[
    "permission",
    "unverified",
    "uncovered",
    "watt_hours",
    "recalled",
    "exact_model",
    "unknown_facts",
    "list_answer",
    "more_units",
    "more_legs",
    "cited",
    "order",
]
"""The promises, in the order in which readers see them."""

NO_AIRLINE = "00"
"""A code that no airline has."""

Drawn = TypeVar("Drawn")
Tries = Iterator[tuple[Question, bool]]


class Kept(msgspec.Struct, frozen=True):
    """How often a promise was tried, and how often it was broken. `first` names the first broken question."""

    promise: Promise
    tried: int
    broken: int
    first: str | None = None


@dataclass(frozen=True)
class _Sample:
    """The questions drawn from a release, and its answers on a day, each computed once."""

    corpus: Corpus
    today: datetime.date
    questions: Sequence[Question]
    _answers: dict[Question, LegVerdict | None] = field(default_factory=dict)

    def ask(self, question: Question) -> LegVerdict | None:
        """Return the answer; None if the airline is not covered."""
        if question not in self._answers:
            self._answers[question] = _asked(self.corpus, question, self.today)
        return self._answers[question]

    def verdict(self, question: Question) -> Verdict:
        """Return the verdict, as a trip counts it."""
        answer = self.ask(question)
        return "insufficient" if answer is None else answer.verdict

    def with_models(self, models: Sequence[str]) -> Iterator[Question]:
        """Return the questions, asked about some models in turn; none if there is no such model."""
        for place, question in enumerate(self.questions if models else ()):
            yield replace(question, unit=replace(question.unit, model_id=models[place % len(models)]))


def tried(corpus: Corpus, *, seed: str, today: datetime.date) -> tuple[Kept, ...]:
    """Try every promise on a release for travel on a day. `seed` decides which questions are drawn."""
    sample = _Sample(corpus, today, _drawn(corpus, seed, today))
    return tuple(_kept(promise, _TRIES[promise](sample)) for promise in get_args(Promise))


def _kept(promise: Promise, tries: Tries) -> Kept:
    count, broken, first = 0, 0, None
    for question, holds in tries:
        count += 1
        broken += not holds
        if not holds and first is None:
            leg = question.leg
            first = f"{question.unit.model_id}, {leg.airline}, {leg.origin} → {leg.destination}"
    return Kept(promise, count, broken, first)


# --- Drawing ------------------------------------------------------------------------------------------------


def _drawn(corpus: Corpus, seed: str, today: datetime.date) -> tuple[Question, ...]:
    """Draw questions about covered airlines, more often where authorities have rules of their own."""
    draw, covered = random.Random(seed), _covered(corpus, today)
    devices = [device.model_id for device in corpus.content.devices]
    countries = sorted(corpus.countries)
    ruled = [code for code in countries if code in corpus.places(code)] or countries
    if not covered or not devices or not countries:
        return ()

    def place() -> str:
        return draw.choice(ruled if draw.random() < 0.75 else countries)

    def fact(favorable: Drawn, *others: Drawn) -> Drawn:
        return favorable if draw.random() < 0.5 else draw.choice((favorable, *others))

    def question() -> Question:
        airline = draw.choice(covered)
        ends = [corpus.airlines[airline].country, place()]
        draw.shuffle(ends)
        return Question(
            unit=Unit(
                model_id=draw.choice(devices),
                quantity=fact(1, 2, 3, 6),
                ccc_mark=fact("present", *get_args(MarkIndication)),
                capacity_label=fact("legible", *get_args(LabelIndication)),
                condition=fact("intact", *get_args(UnitCondition)),
            ),
            leg=Leg(ends[0], ends[1], airline),
            travel_date=today,
            compartment_intent=fact("carry_on", *get_args(Compartment)),
        )

    return tuple(question() for _ in range(QUESTIONS))


def _covered(corpus: Corpus, today: datetime.date) -> list[str]:
    in_force = {rule.airline for rule in corpus.content.rules if rule.in_force(today)}
    return sorted(code for code in corpus.airlines if code in in_force)


def _asked(corpus: Corpus, question: Question, today: datetime.date) -> LegVerdict | None:
    try:
        return evaluate_leg(corpus, question, today=today)
    except AirlineNotCovered:
        return None


# --- The promises -------------------------------------------------------------------------------------------


def _permission(sample: _Sample) -> Tries:
    """Allowed is only what the airline and an authority permit; at home the baseline alone is not enough."""
    permits = {rule.rule_id: rule for rule in sample.corpus.content.rules if rule.effect == "permit"}
    for question in sample.questions:
        answer = sample.ask(question)
        if answer is not None and answer.verdict == "allowed":
            spoken = [permits[step] for step in answer.path if step in permits]
            authorities = {rule.jurisdiction for rule in spoken if rule.airline is None}
            if question.leg.domestic:
                authorities.discard(INTERNATIONAL)
            yield question, bool(authorities) and any(rule.airline for rule in spoken)


def _unverified(sample: _Sample) -> Tries:
    """Nothing is allowed on an airline whose policy no one read."""
    for question in sample.questions:
        if sample.corpus.airlines[question.leg.airline].confidence == "unverified":
            yield question, sample.verdict(question) != "allowed"


def _uncovered(sample: _Sample) -> Tries:
    """No airline without a rule in force gets an answer."""
    covered = set(_covered(sample.corpus, sample.today))
    silent = [code for code in sorted(sample.corpus.airlines) if code not in covered]
    for airline in [NO_AIRLINE, *silent][:QUESTIONS]:
        for question in sample.questions[:1]:
            asked = replace(question, leg=replace(question.leg, airline=airline))
            yield asked, sample.ask(asked) is None


def _watt_hours(sample: _Sample) -> Tries:
    """No model without a known rating is allowed."""
    unknown = [device.model_id for device in sample.corpus.content.devices if device.watt_hour is None]
    for question in sample.with_models(unknown):
        yield question, sample.verdict(question) != "allowed"


def _recalled(sample: _Sample) -> Tries:
    """If a recall covers all units of a model, none of them travels."""
    recalls = sample.corpus.content.recalls
    all_units = {recall.model_id for recall in recalls if recall.affected_serials.scope == "all_units"}
    for question in sample.with_models(sorted(all_units)):
        yield question, sample.verdict(question) == "banned"


def _exact_model(sample: _Sample) -> Tries:
    """A recall counts for the model that it names and for no other."""
    recalled = {recall.model_id for recall in sample.corpus.content.recalls}
    for question in sample.questions:
        answer = sample.ask(question)
        if answer is not None:
            model_id = question.unit.model_id
            own = all(finding.recall.model_id == model_id for finding in answer.recalls)
            yield question, own and (model_id in recalled or answer.recall_status == "not_affected")


def _unknown_facts(sample: _Sample) -> Tries:
    """The verdict for an unknown fact of a unit is between those for its best and its worst value."""
    facts = {
        "ccc_mark": ("present", "unknown", "absent"),
        "capacity_label": ("legible", "unknown", "missing"),
        "condition": ("intact", "unknown", "damaged"),
    }
    for question in sample.questions:
        for name, values in facts.items():
            units = [msgspec.convert({**_given_fields(question.unit), name: value}, Unit) for value in values]
            grades = [STRICTNESS[sample.verdict(replace(question, unit=unit))] for unit in units]
            yield question, grades == sorted(grades)


def _list_answer(sample: _Sample) -> Tries:
    """A unit that the maker's list names is banned, and one that it clears is not judged more mildly."""
    for question in sample.questions:
        if sample.ask(question) is not None:
            named, cleared = (
                sample.verdict(replace(question, unit=replace(question.unit, recall_check=said)))
                for said in ("affected", "not_affected")
            )
            yield question, named == "banned" and _no_milder(cleared, sample.verdict(question))


def _given_fields(unit: Unit) -> dict[str, object]:
    return msgspec.structs.asdict(unit)


def _more_units(sample: _Sample) -> Tries:
    """One more unit, or the largest possible number, is never milder."""
    for question in sample.questions:
        for quantity in (question.unit.quantity + 1, MAX_QUANTITY):
            more = replace(question, unit=replace(question.unit, quantity=quantity))
            yield question, _no_milder(sample.verdict(more), sample.verdict(question))


def _more_legs(sample: _Sample) -> Tries:
    """A trip is as strict as its strictest leg."""
    for question, other in zip(sample.questions, sample.questions[1:], strict=False):
        legs = (question.leg, other.leg)
        trip = TripQuestion(
            unit=question.unit,
            legs=legs,
            travel_date=question.travel_date,
            compartment_intent=question.compartment_intent,
        )
        whole = evaluate_trip(sample.corpus, trip, today=sample.today).verdict
        parts = [sample.verdict(replace(question, leg=leg)) for leg in legs]
        yield question, all(_no_milder(whole, part) for part in parts) and whole in parts


def _cited(sample: _Sample) -> Tries:
    """Every source of an applied rule that was read is among the citations."""
    content = sample.corpus.content
    rules = {rule.rule_id: rule for rule in content.rules}
    citations = {
        one.id: Citation(one.kind, one.authority, one.jurisdiction, one.url, one.read_on)
        for one in content.sources
        if one.citable
    }
    for question in sample.questions:
        answer = sample.ask(question)
        if answer is not None:
            behind = [name for step in answer.path if step in rules for name in rules[step].sources]
            shown = set(answer.citations)
            yield question, all(citations[name] in shown for name in behind if name in citations)


def _order(sample: _Sample) -> Tries:
    """The order of the records in a release changes no verdict."""
    content = sample.corpus.content
    reversed_lists = {name: tuple(reversed(rows)) for name, rows in _lists(content)}
    turned = Corpus(replace(content, **reversed_lists))
    for question in sample.questions:
        there = _asked(turned, question, sample.today)
        here = sample.ask(question)
        yield question, (there and there.verdict) == (here and here.verdict)


def _lists(content: Content) -> Iterable[tuple[str, tuple[object, ...]]]:
    return msgspec.structs.asdict(content).items()


def _no_milder(verdict: Verdict, than: Verdict) -> bool:
    return STRICTNESS[verdict] >= STRICTNESS[than]


_TRIES: dict[Promise, Callable[[_Sample], Tries]] = {
    "permission": _permission,
    "unverified": _unverified,
    "uncovered": _uncovered,
    "watt_hours": _watt_hours,
    "recalled": _recalled,
    "exact_model": _exact_model,
    "unknown_facts": _unknown_facts,
    "list_answer": _list_answer,
    "more_units": _more_units,
    "more_legs": _more_legs,
    "cited": _cited,
    "order": _order,
}
