"""A question as it was asked: what was typed, what it means, and what is wrong or missing in it."""

import datetime
import itertools
from typing import Literal

import msgspec

from aeo.asking.free_text.understood import Unused
from aeo.asking.names.suggestions import Suggestion
from aeo.texts import say
from rules.answers.guidance import Rating
from rules.engine.facts import Leg, Question, TripQuestion, Unit
from rules.engine.vocabulary import Compartment, LabelIndication, ListAnswer, MarkIndication, UnitCondition

FIELDS = (
    "q", "confirmed", "model", "wh", "mah", "v", "airline", "from", "via", "to", "date", "bag", "count",
    "mark", "label", "condition", "recall",
)  # fmt: skip
"""The parameters of an address, in the order in which they are written. `via` may be repeated."""

UNKNOWN = frozenset(("", "unknown", "not_checked"))
"""What says nothing in the field of a fact."""

CONFIRMED = "yes"
"""What `confirmed` says where the traveler has confirmed that the fields are all the facts."""

ProblemKind = Literal["missing", "wrong", "unknown", "unconfirmed"]


class Problem(msgspec.Struct, frozen=True):
    """What is wrong with a field. `key` is that of the text that says so; `choices` may have been meant."""

    field: str
    kind: ProblemKind
    key: str
    values: tuple[tuple[str, str | int], ...] = ()
    choices: tuple[Suggestion, ...] = ()

    @property
    def sentence(self) -> str:
        """Say it in the active language."""
        return say(self.key, **dict(self.values))


class Typed(msgspec.Struct, frozen=True):
    """The fields as they were typed, without spaces around them; empty where nothing was typed."""

    values: dict[str, str]
    via: tuple[str, ...] = ()

    def __getitem__(self, field: str) -> str:
        """Return what was typed into a field that stands once."""
        return self.values.get(field, "")

    @property
    def anything(self) -> bool:
        """Whether anything was typed at all."""
        return bool(self.values or self.via)


class Point(msgspec.Struct, frozen=True):
    """A place of the journey: its country, which counts, and the place as it was named.

    `spelled` is how the address keeps it, `shown` its name in the active language. One that is missing is
    empty, and one that is not known has no country and is as it was typed.
    """

    country: str = ""
    spelled: str = ""
    shown: str = ""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question as it was asked. What is missing or wrong is empty, and stands in `problems`.

    Either `model_id` or `rating` says what is carried; a rating is that of no model. `places` are where the
    journey begins, each stop, and where it ends. `travel_date` is the day of asking where none was named.
    `unused` are the words of a sentence that no field holds: while there are any, the traveler has to confirm
    the fields, and to fill in each of `needed`. `other_device` says that the sentence is about something else
    than a power bank.
    """

    typed: Typed
    model_id: str = ""
    rating: Rating | None = None
    airline: str = ""
    places: tuple[Point, ...] = (Point(), Point())
    travel_date: datetime.date
    compartment: Compartment = "carry_on"
    quantity: int = 1
    ccc_mark: MarkIndication = "unknown"
    capacity_label: LabelIndication = "unknown"
    condition: UnitCondition = "unknown"
    recall_check: ListAnswer = "not_checked"
    problems: tuple[Problem, ...] = ()
    unused: tuple[Unused, ...] = ()
    needed: frozenset[str] = frozenset()
    other_device: bool = False

    @property
    def complete(self) -> bool:
        """Whether it can be answered."""
        return not self.problems

    @property
    def is_trip(self) -> bool:
        """Whether there are stops, so that the whole trip is asked about."""
        return bool(self.stops)

    @property
    def departure(self) -> Point:
        """Where the journey begins."""
        return self.places[0]

    @property
    def stops(self) -> tuple[Point, ...]:
        """Where it stops on the way."""
        return self.places[1:-1]

    @property
    def arrival(self) -> Point:
        """Where it ends."""
        return self.places[-1]

    @property
    def has_date(self) -> bool:
        """Whether a day was named."""
        return bool(self.typed["date"])

    def problem(self, field: str) -> Problem | None:
        """Return what is wrong with a field, if anything is."""
        return next((one for one in self.problems if one.field == field), None)

    @property
    def unit(self) -> Unit:
        """Return the unit; that of a rating has no model id."""
        return Unit(
            model_id=self.model_id,
            quantity=self.quantity,
            ccc_mark=self.ccc_mark,
            capacity_label=self.capacity_label,
            condition=self.condition,
            recall_check=self.recall_check,
        )

    @property
    def legs(self) -> tuple[Leg, ...]:
        """Return the flights, all of them by the one airline."""
        points = itertools.pairwise(place.country for place in self.places)
        return tuple(Leg(start, end, self.airline) for start, end in points)

    @property
    def question(self) -> Question:
        """Return the question about a direct flight, for the door. It must be complete."""
        (leg,) = self.legs
        return Question(
            unit=self.unit,
            leg=leg,
            travel_date=self.travel_date,
            compartment_intent=self.compartment,
        )

    @property
    def trip_question(self) -> TripQuestion:
        """Return the question about the whole trip, of one flight or more, for the door."""
        return TripQuestion(
            unit=self.unit,
            legs=self.legs,
            travel_date=self.travel_date,
            compartment_intent=self.compartment,
        )
