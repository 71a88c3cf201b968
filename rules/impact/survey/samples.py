"""Example questions for the answers that flip: each can be asked, and both rulesets answer as claimed."""

import datetime
from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple, TypeVar

import msgspec

from catalog.energy import WattHourBasis
from rules.engine.corpus import Corpus
from rules.engine.errors import AirlineNotCovered, ModelNotFound, UnknownCountry
from rules.engine.evaluate import evaluate_leg, evaluate_leg_of
from rules.engine.facts import Leg, Question, Unit
from rules.impact.survey.changes import Changed
from rules.impact.survey.comparison import Flip
from rules.impact.survey.flights import FlightClass
from rules.impact.survey.models import unlisted_unit
from rules.impact.survey.outcomes import Outcome, milder
from rules.impact.survey.survey import Found, Survey

MOST_MODELS_NAMED = 30


class SurveyDisagrees(RuntimeError):
    """The engine does not give the answers to an example that the survey claims. One of them is wrong."""


class Label(msgspec.Struct, frozen=True):
    """What the label of a unit says that no catalog lists."""

    watt_hour: Decimal | None
    basis: WattHourBasis


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A question whose answer flips, with both paths to its answers; a path is empty if there is no answer.

    It is an example of `questions` that flip in the same way: about other descriptions, about each of
    `model_count` models, of which some are in `models`, its own first, and about other flights. The same
    answers are given for a flight from each of `origins` to each of `destinations`. `causes` are named if
    it is lenient. If there is a `label`, the unit is one that no catalog lists, and the model of the
    question is void. If `serial_unknown`, a unit with some serial could flip, and no such serial is known.
    """

    question: Question
    label: Label | None = None
    serial_unknown: bool = False
    before: Outcome
    after: Outcome
    before_path: tuple[str, ...]
    after_path: tuple[str, ...]
    questions: int
    models: tuple[str, ...]
    model_count: int
    origins: tuple[str, ...]
    destinations: tuple[str, ...]
    causes: tuple[Changed, ...]

    @property
    def airline(self) -> str:
        """Return the airline of the flight."""
        return self.question.leg.airline

    @property
    def lenient(self) -> bool:
        """Whether the answers become less strict."""
        return milder(self.before, self.after)


class Candidate(NamedTuple):
    """A flip of an airline that could be shown with one of its models, and how many questions flip so."""

    airline: str
    found: Found
    flip: Flip
    name: str
    questions: int

    @property
    def lenient(self) -> bool:
        """Whether the answers become less strict."""
        return milder(self.flip.before, self.flip.after)


def sample_of(candidate: Candidate, survey: Survey) -> Sample:
    """Return an example for a flip, asked of both rulesets. Raises `SurveyDisagrees`."""
    airline, found, flip, name, questions = candidate
    model = found.model
    flights = _near_home(found, survey.home(airline))
    unit, shown = flip.example, model.pairs_of(name)[flip.example.pair]
    first_period = min(one.periods & -one.periods for one in found.where if flights in one.flights)
    question = Question(
        unit=Unit(
            model_id=name,
            quantity=unit.description.quantity,
            ccc_mark=unit.description.ccc_mark,
            capacity_label=unit.description.capacity_label,
            condition=unit.description.condition,
            recall_check=unit.recall_check,
            serial=shown.serial,
            serial_hash=shown.serial_hash,
        ),
        leg=Leg(*flights.ends(), airline),
        travel_date=survey.days[first_period.bit_length() - 1],
        compartment_intent=unit.description.compartment,
    )
    label = (
        None if model.unlisted is None else Label(model.unlisted.watt_hour, model.unlisted.watt_hour_basis)
    )
    claimed = flip.before, flip.after
    answers = [ask(corpus, question, label, today=survey.today) for corpus in survey.corpora]
    if not shown.assumed and tuple(outcome for outcome, _ in answers) != claimed:
        raise SurveyDisagrees(f"{question}: {claimed} is claimed, and {answers} are the answers")
    causes = survey.records_of_flights(airline, found, flip.causes)
    causes |= survey.records_of_model(flip.causes, name)
    return Sample(
        question=question,
        label=label,
        serial_unknown=shown.assumed,
        before=flip.before,
        after=flip.after,
        before_path=() if shown.assumed else answers[0][1],
        after_path=() if shown.assumed else answers[1][1],
        questions=questions,
        models=tuple(sorted(model.names, key=lambda one: one != name)[:MOST_MODELS_NAMED]),
        model_count=len(model.names),
        origins=flights.origins,
        destinations=flights.destinations,
        causes=tuple(sorted(causes)),
    )


def ask(
    corpus: Corpus, question: Question, label: Label | None = None, *, today: datetime.date
) -> tuple[Outcome, tuple[str, ...]]:
    """Return the answer of a ruleset and the path to it; the path is empty if there is no answer."""
    try:
        if label is None:
            answer = evaluate_leg(corpus, question, today=today)
        else:
            entry = corpus.unlisted(unlisted_unit(label.watt_hour, label.basis))
            answer = evaluate_leg_of(corpus, entry, question, today=today)
    except (AirlineNotCovered, ModelNotFound, UnknownCountry):
        return "not_answered", ()
    return answer.verdict, answer.path


def _near_home(found: Found, home: Iterable[str | None]) -> FlightClass:
    """Return flights on which an answer flips: from or to the home of the airline, if it flips there."""
    homes = set(home)
    classes = [flights for one in found.where for flights in one.flights]
    return min(classes, key=lambda one: (homes.isdisjoint(one.origins), homes.isdisjoint(one.destinations)))


One = TypeVar("One", Candidate, Sample)


def picked(ones: Iterable[One], most: int, facets: Sequence[Callable[[One], Hashable]]) -> list[One]:
    """Pick the greatest flips of each kind by the first facet, then by the next; lenient ones come first."""
    ordered = sorted(ones, key=lambda one: (not one.lenient, -one.questions, one.airline))
    chosen: dict[int, One] = {}
    seen: set[Hashable] = set()
    for number, facet in enumerate(facets):
        for at, one in enumerate(ordered):
            if len(chosen) == most:
                break
            if (number, facet(one)) not in seen and at not in chosen:
                chosen[at] = one
                seen.update((later, name(one)) for later, name in enumerate(facets))
    return list(chosen.values())
