"""Evaluating two rulesets over everything that can be asked, part by part."""

import datetime
from collections.abc import Iterator
from typing import Literal

import msgspec

from rules.engine.corpus import Corpus
from rules.engine.errors import AirlineNotCovered, ModelNotFound, UnknownCountry
from rules.engine.evaluate import recall_impact
from rules.engine.facts import Leg, Question, Unit
from rules.engine.matching import fold
from rules.engine.vocabulary import MAX_QUANTITY, STRICTNESS, Compartment, Verdict
from rules.engine.weighing import Case, weigh
from rules.impact.changes import Changes, quantities
from rules.impact.classes import country_classes, model_classes

COMPARTMENTS: tuple[Compartment, ...] = ("carry_on", "on_person", "checked")

Outcome = Verdict | Literal["not_answered"]
"""A verdict, or that none is given: the model, the airline or the country is not in the ruleset."""

Direction = Literal["departing", "arriving", "domestic"]
"""Of flights between a country and the airline's home: from the country, to it, or within the home."""


class Flip(msgspec.Struct, frozen=True, kw_only=True):
    """Questions whose answers differ in one way: each of the models in each of the countries.

    The unit is as nobody has described it: mark, label and condition unknown, no serial.
    """

    airline: str
    home: str
    direction: Direction
    countries: tuple[str, ...]
    models: tuple[str, ...]
    compartment: Compartment
    quantity: int
    travel_date: datetime.date
    before: Outcome
    after: Outcome

    @property
    def count(self) -> int:
        """Return how many questions it stands for."""
        return len(self.countries) * len(self.models)

    @property
    def sample(self) -> Question:
        """Return one of the questions."""
        return Question(
            unit=Unit(model_id=self.models[0], quantity=self.quantity),
            leg=_leg(self.direction, self.countries[0], self.home, self.airline),
            travel_date=self.travel_date,
            compartment_intent=self.compartment,
        )


def is_lenient(flip: Flip) -> bool:
    """Tell whether an answer becomes less strict. To give one where none was given counts as lenient."""
    return _strictness(flip.after) < _strictness(flip.before)


def _strictness(outcome: Outcome) -> float:
    # No answer is at least as strict as any for the one who asks, save that a ban tells more.
    return STRICTNESS["insufficient"] if outcome == "not_answered" else STRICTNESS[outcome]


class Part(msgspec.Struct, frozen=True):
    """What one airline contributes: the questions that it stands for, and those that flip."""

    airline: str
    questions: int
    evaluated: int
    flips: tuple[Flip, ...]


class Survey:
    """Two rulesets side by side. Each airline is a part of the work that stands for itself."""

    def __init__(self, before: Corpus, after: Corpus, *, today: datetime.date) -> None:
        self.corpora = (before, after)
        self.changes = Changes(before, after)
        self.days = self.changes.days(today)
        self.airlines = sorted(before.airlines.keys() | after.airlines.keys())
        self._countries = sorted(before.countries.keys() | after.countries.keys())
        content = (before.content, after.content)
        models = sorted({row.model_id for one in content for row in one.devices})
        self._models = model_classes(self.corpora, models)
        self._changed_models = [
            changed
            for group in self._models
            if (changed := tuple(model for model in group if model in self.changes.models))
        ]
        rules = [rule for one in content for rule in one.rules]
        self._quantities = quantities(rules, MAX_QUANTITY)

    def part(self, airline: str) -> Part:
        """Compare the two rulesets for one airline."""
        homes = self._homes(airline)
        classes = country_classes(self.corpora, self._countries, homes)
        flips: list[Flip] = []
        questions = evaluated = 0
        for home in homes:
            for direction, countries in _flights(classes, home):
                leg = _leg(direction, countries[0], home, airline)
                models = self._models if self.changes.touch(leg, home) else self._changed_models
                cases = self._cases(leg, models)
                sizes = sum(map(len, self._models)) * len(countries)
                questions += sizes * len(self.days) * len(COMPARTMENTS) * len(self._quantities)
                for models_alike, compartment, quantity, before, after in cases:
                    for day in self.days:
                        evaluated += 1
                        was, will_be = _outcome(before, day), _outcome(after, day)
                        if was != will_be:
                            flips.append(
                                Flip(
                                    airline=airline,
                                    home=home,
                                    direction=direction,
                                    countries=countries,
                                    models=models_alike,
                                    compartment=compartment,
                                    quantity=quantity,
                                    travel_date=day,
                                    before=was,
                                    after=will_be,
                                )
                            )
        return Part(airline, questions, evaluated, tuple(flips))

    def _homes(self, airline: str) -> list[str]:
        """Return where an airline is based: one country, or two if that is what changed."""
        records = [corpus.airlines.get(airline) for corpus in self.corpora]
        return sorted({record.country for record in records if record is not None})

    def _cases(
        self, leg: Leg, models: list[tuple[str, ...]]
    ) -> Iterator[tuple[tuple[str, ...], Compartment, int, Case | None, Case | None]]:
        for alike in models:
            for compartment in COMPARTMENTS:
                for quantity in self._quantities:
                    question = Question(
                        unit=Unit(model_id=alike[0], quantity=quantity),
                        leg=leg,
                        travel_date=self.days[0],
                        compartment_intent=compartment,
                    )
                    before, after = (_asked(corpus, question) for corpus in self.corpora)
                    yield alike, compartment, quantity, before, after


def survey(before: Corpus, after: Corpus, *, today: datetime.date) -> Iterator[Part]:
    """Compare two rulesets, airline by airline."""
    one = Survey(before, after, today=today)
    for airline in one.airlines:
        yield one.part(airline)


def _flights(classes: list[tuple[str, ...]], home: str) -> Iterator[tuple[Direction, tuple[str, ...]]]:
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


def _asked(corpus: Corpus, question: Question) -> Case | None:
    """Return a question with all that a ruleset holds for it; none where it holds no answer."""
    try:
        entry, in_play = corpus.device(question.unit.model_id), corpus.in_play(question.leg)
    except (ModelNotFound, AirlineNotCovered, UnknownCountry):
        return None
    status = recall_impact(entry, question.unit).status
    return Case(corpus, question, entry, in_play, status, fold(question, status))


def _outcome(case: Case | None, day: datetime.date) -> Outcome:
    if case is None or not case.in_play.own.on(day.toordinal()):
        return "not_answered"
    return weigh(case, day.toordinal()).verdict
