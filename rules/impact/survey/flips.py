"""Evaluates two rulesets over everything that can be asked, part by part."""

import datetime
from collections.abc import Iterator
from itertools import product
from typing import Literal, NamedTuple

import msgspec

from rules.engine.corpus import Corpus, InPlay
from rules.engine.errors import AirlineNotCovered, ModelNotFound, UnknownCountry
from rules.engine.evaluate import recall_impact
from rules.engine.facts import Leg, Question, Unit
from rules.engine.matching import fold
from rules.engine.vocabulary import MAX_QUANTITY, STRICTNESS, Compartment, MarkIndication, Verdict
from rules.engine.weighing import Case, judge
from rules.impact.survey.changes import Changes, doubted, quantities
from rules.impact.survey.classes import country_classes, model_classes

COMPARTMENTS: tuple[Compartment, ...] = ("carry_on", "on_person", "checked")

Outcome = Verdict | Literal["not_answered"]
"""A verdict, or no verdict: the model, the airline or the country is not in the ruleset."""

Direction = Literal["departing", "arriving", "domestic"]
"""For flights between a country and the airline's home: from the country, to it, or within the home."""


class Flip(msgspec.Struct, frozen=True, kw_only=True):
    """Questions whose answers differ in one way: each of the models in each of the countries.

    The unit has no description: label and condition unknown, no serial. Its mark is unknown too. If a rule
    demands the mark and a certificate of the model can put it in doubt, a unit with the mark counts as well.
    """

    airline: str
    home: str
    direction: Direction
    countries: tuple[str, ...]
    models: tuple[str, ...]
    compartment: Compartment
    quantity: int
    ccc_mark: MarkIndication = "unknown"
    travel_date: datetime.date
    before: Outcome
    after: Outcome

    @property
    def count(self) -> int:
        """Return how many questions it covers."""
        return len(self.countries) * len(self.models)

    @property
    def lenient(self) -> bool:
        """Whether the answers become less strict. A new answer where there was none counts as lenient."""
        return strictness(self.after) < strictness(self.before)

    @property
    def sample(self) -> Question:
        """Return one of the questions."""
        return Question(
            unit=Unit(model_id=self.models[0], quantity=self.quantity, ccc_mark=self.ccc_mark),
            leg=_leg(self.direction, self.countries[0], self.home, self.airline),
            travel_date=self.travel_date,
            compartment_intent=self.compartment,
        )


def strictness(outcome: Outcome) -> float:
    """Return how strict an answer is, for comparing two of them."""
    # For the caller, no answer is at least as strict as any answer except a ban, which says more.
    return STRICTNESS["insufficient"] if outcome == "not_answered" else STRICTNESS[outcome]


class Part(msgspec.Struct, frozen=True):
    """What one airline contributes: the number of its questions, and those that flip."""

    airline: str
    questions: int
    evaluated: int
    flips: tuple[Flip, ...]


_Asked = tuple[tuple[str, ...], Compartment, int, MarkIndication, datetime.date, Outcome, Outcome]
"""Equivalent models, compartment, number of units, mark and day, and the answers before and after."""


class _Flights(NamedTuple):
    """Flights of one airline that no rule can tell apart, and the models that can flip on them."""

    home: str
    direction: Direction
    countries: tuple[str, ...]
    leg: Leg
    models: list[tuple[str, ...]]
    demand_mark: bool
    """Whether a rule can demand the mark on them."""


class Survey:
    """Two rulesets side by side. Each airline is an independent part of the work."""

    def __init__(self, before: Corpus, after: Corpus, *, today: datetime.date) -> None:
        self.corpora = (before, after)
        self.changes = Changes(before, after)
        self.today = today
        self.days = self.changes.days(today)
        self.airlines = sorted(before.airlines.keys() | after.airlines.keys())
        self._countries = sorted(before.countries.keys() | after.countries.keys())
        content = (before.content, after.content)
        names = {row.model_id for one in content for row in one.devices}
        changed, named = self.changes.models, self.changes.named - self.changes.models
        self._changed_models = model_classes(self.corpora, names & changed)
        self._named_models = model_classes(self.corpora, names & named)
        rest = model_classes(self.corpora, names - changed - named)
        self.models = [*rest, *self._named_models, *self._changed_models]
        """The models, grouped by getting the same verdicts; changed models are separate from the others."""
        self._doubted = {row.model_id for one in content for row in one.devices if doubted(row)}
        rules = [rule for one in content for rule in one.rules]
        self._quantities = quantities(rules, MAX_QUANTITY)

    def part(self, airline: str) -> Part:
        """Compare the two rulesets for one airline."""
        flips: list[Flip] = []
        evaluated = represented = 0
        for flights in self._flights(airline):
            units = sum(len(alike) * len(self._marks(alike, flights)) for alike in self.models)
            represented += units * len(flights.countries)
            for alike, compartment, quantity, mark, day, before, after in self._asked(flights):
                evaluated += 1
                if before != after:
                    flips.append(
                        Flip(
                            airline=airline,
                            home=flights.home,
                            direction=flights.direction,
                            countries=flights.countries,
                            models=alike,
                            compartment=compartment,
                            quantity=quantity,
                            ccc_mark=mark,
                            travel_date=day,
                            before=before,
                            after=after,
                        )
                    )
        return Part(airline, represented * self._asked_of_each, evaluated, tuple(flips))

    def size(self, airline: str) -> int:
        """Return how many questions `part` asks both rulesets for one airline. This is cheap."""
        asked = [(alike, flights) for flights in self._flights(airline) for alike in flights.models]
        return self._asked_of_each * sum(len(self._marks(*one)) for one in asked)

    @property
    def size_of_all(self) -> int:
        """Return how many questions the whole survey asks."""
        return sum(map(self.size, self.airlines))

    @property
    def _asked_of_each(self) -> int:
        """How many questions there are about one model on one flight, for each mark."""
        return len(self.days) * len(COMPARTMENTS) * len(self._quantities)

    def _marks(self, alike: tuple[str, ...], flights: "_Flights") -> tuple[MarkIndication, ...]:
        """Return the marks to ask for: if it is demanded and can be in doubt, also a present mark."""
        in_doubt = flights.demand_mark and alike[0] in self._doubted
        return ("unknown", "present") if in_doubt else ("unknown",)

    def _can_demand_mark(self, leg: Leg) -> bool:
        """Return whether a rule in play for a leg demands the mark, if any mark can be in doubt."""
        found = [_in_play(corpus, leg) for corpus in self.corpora] if self._doubted else []
        return any(in_play is not None and _demands_mark(in_play) for in_play in found)

    def _flights(self, airline: str) -> Iterator["_Flights"]:
        """Return the flights of an airline that differ, each with the models that can flip on it."""
        homes = self._homes(airline)
        classes = country_classes(self.corpora, self._countries, homes)
        for home in homes:
            for direction, countries in _directions(classes, home):
                leg = _leg(direction, countries[0], home, airline)
                yield _Flights(
                    home, direction, countries, leg, self._models_on(leg, home), self._can_demand_mark(leg)
                )

    def _models_on(self, leg: Leg, home: str) -> list[tuple[str, ...]]:
        """Return the models that can have another verdict on a leg."""
        if self.changes.touch(leg, home):
            return self.models
        named = self.changes.named_on(leg, home)
        return [
            *(alike for alike in self._named_models if not named.isdisjoint(alike)),
            *self._changed_models,
        ]

    def _homes(self, airline: str) -> list[str]:
        """Return where an airline is based: one country, or two if that is what changed."""
        records = [corpus.airlines.get(airline) for corpus in self.corpora]
        return sorted({record.country for record in records if record is not None})

    def _asked(self, flights: "_Flights") -> Iterator[_Asked]:
        """Ask both rulesets all questions about some flights."""
        in_play = [_in_play(corpus, flights.leg) for corpus in self.corpora]
        for alike in flights.models:
            units = product(COMPARTMENTS, self._quantities, self._marks(alike, flights))
            for compartment, quantity, mark in units:
                question = Question(
                    unit=Unit(model_id=alike[0], quantity=quantity, ccc_mark=mark),
                    leg=flights.leg,
                    travel_date=self.days[0],
                    compartment_intent=compartment,
                )
                before, after = (
                    _case(corpus, question, found)
                    for corpus, found in zip(self.corpora, in_play, strict=True)
                )
                for day in self.days:
                    yield alike, compartment, quantity, mark, day, _outcome(before, day), _outcome(after, day)


def survey(before: Corpus, after: Corpus, *, today: datetime.date) -> Iterator[Part]:
    """Compare two rulesets, airline by airline."""
    one = Survey(before, after, today=today)
    for airline in one.airlines:
        yield one.part(airline)


def _directions(classes: list[tuple[str, ...]], home: str) -> Iterator[tuple[Direction, tuple[str, ...]]]:
    for countries in classes:
        if countries == (home,):
            yield "domestic", countries
        else:
            yield "departing", countries
            yield "arriving", countries


def _leg(direction: Direction, country: str, home: str, airline: str) -> Leg:
    match direction:
        case "departing":
            return Leg(country, home, airline)
        case "arriving":
            return Leg(home, country, airline)
        case "domestic":
            return Leg(home, home, airline)


def answer(corpus: Corpus, question: Question) -> Outcome:
    """Return the verdict on one question."""
    return _outcome(_case(corpus, question, _in_play(corpus, question.leg)), question.travel_date)


def _in_play(corpus: Corpus, leg: Leg) -> InPlay | None:
    try:
        return corpus.in_play(leg)
    except (AirlineNotCovered, UnknownCountry):
        return None


def _demands_mark(in_play: InPlay) -> bool:
    rules = (rule for group in in_play.groups for period in group.periods for _, rule in period)
    return any(rule.statement is not None and rule.statement.name == "ccc_mark_required" for rule in rules)


def _case(corpus: Corpus, question: Question, in_play: InPlay | None) -> Case | None:
    """Return a question with everything that a ruleset says about it; None if it has no answer."""
    if in_play is None:
        return None
    try:
        entry = corpus.device(question.unit.model_id)
    except ModelNotFound:
        return None
    status = recall_impact(entry, question.unit).status
    return Case(corpus, question, entry, in_play, status, fold(question, status))


def _outcome(case: Case | None, day: datetime.date) -> Outcome:
    if case is None or not case.in_play.own.on(day.toordinal()):
        return "not_answered"
    return judge(case, day.toordinal())[0]
