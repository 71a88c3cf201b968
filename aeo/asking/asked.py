"""A question as it was asked: what was typed, what it means, and what is wrong or missing."""

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
"""The values of a fact's field that say nothing."""

CONFIRMED = "yes"
"""The value of `confirmed` after the traveler has confirmed that the fields contain all facts."""

ProblemKind = Literal["missing", "wrong", "unknown", "unconfirmed"]


class Problem(msgspec.Struct, frozen=True):
    """What is wrong with a field. `key` is the key of its message; `choices` are the possible meanings."""

    field: str
    kind: ProblemKind
    key: str
    values: tuple[tuple[str, str | int], ...] = ()
    choices: tuple[Suggestion, ...] = ()

    @property
    def sentence(self) -> str:
        """Return the message in the active language."""
        return say(self.key, **dict(self.values))


class Typed(msgspec.Struct, frozen=True):
    """The fields as they were typed, without spaces around them; empty if nothing was typed."""

    values: dict[str, str]
    via: tuple[str, ...] = ()

    def __getitem__(self, field: str) -> str:
        """Return what was typed into a field that occurs once."""
        return self.values.get(field, "")

    def without(self, field: str) -> "Typed":
        """Return the fields without one that occurs once."""
        return Typed({name: value for name, value in self.values.items() if name != field}, self.via)

    @property
    def anything(self) -> bool:
        """Whether anything was typed at all."""
        return bool(self.values or self.via)


class Point(msgspec.Struct, frozen=True):
    """A place of the journey: its country, which counts, and the place as the traveler named it.

    `spelled` is its spelling in addresses, `shown` its name in the active language. A missing place is empty.
    An unknown place has no country and keeps the typed text.
    """

    country: str = ""
    spelled: str = ""
    shown: str = ""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question as it was asked. A missing or wrong part is empty, and listed in `problems`.

    Either `model_id` or `rating` says what is carried; a rating belongs to no model. `places` are the start
    of the journey, each stop, and its end. `travel_date` is the day of asking if none was given. `unused` are
    the words of a sentence that fit no field. If there are any, the traveler has to confirm the fields and to
    fill in each of `needed`. `other_device` says that the sentence is not about a power bank.
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
        """Whether the question can be answered."""
        return not self.problems

    @property
    def is_trip(self) -> bool:
        """Whether there are stops, so that the question is about a whole trip."""
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
        """Whether a day was given."""
        return bool(self.typed["date"])

    def problem(self, field: str) -> Problem | None:
        """Return what is wrong with a field, if anything is."""
        return next((one for one in self.problems if one.field == field), None)

    @property
    def unit(self) -> Unit:
        """Return the unit; a unit with only a rating has no model id."""
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
        """Return the flights, all on the one airline."""
        points = itertools.pairwise(place.country for place in self.places)
        return tuple(Leg(start, end, self.airline) for start, end in points)

    @property
    def question(self) -> Question:
        """Return the question about a direct flight, for `rules.verdicts`. It must be complete."""
        (leg,) = self.legs
        return Question(
            unit=self.unit,
            leg=leg,
            travel_date=self.travel_date,
            compartment_intent=self.compartment,
        )

    @property
    def trip_question(self) -> TripQuestion:
        """Return the question about the whole trip, of one flight or more, for `rules.verdicts`."""
        return TripQuestion(
            unit=self.unit,
            legs=self.legs,
            travel_date=self.travel_date,
            compartment_intent=self.compartment,
        )
