"""Questions: one flight, in the format of POST /api/verify, or a trip, in that of POST /api/trips/verify.

Reading is strict: a misspelt `quantity` must not be ignored.
"""

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from battery_travel_reference import vocabulary

MOST_DAYS_AHEAD = timedelta(days=366)
MOST_SERIAL_CHARACTERS = 64
MOST_STOPS = 8

_MODEL = re.compile(r"[a-z0-9][a-z0-9-]{1,79}")
_COUNTRY = re.compile(r"[A-Z]{2}")
_AIRLINE = re.compile(r"[A-Z0-9]{2}")
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Unit:
    """The power bank as the traveler describes it."""

    model_id: str
    serial: str | None = None
    serial_hash: str | None = None
    recall_check: str = "not_checked"
    quantity: int = 1
    condition: str = "unknown"
    capacity_label: str = "unknown"
    ccc_mark: str = "unknown"


@dataclass(frozen=True, slots=True)
class Leg:
    """One flight: two countries, and the airline that operates it."""

    origin: str
    destination: str
    airline: str

    @property
    def is_domestic(self) -> bool:
        """Whether the flight stays in one country."""
        return self.origin == self.destination


@dataclass(frozen=True, slots=True)
class Question:
    """May this unit travel on these flights? One flight is a `leg`, several are a trip."""

    unit: Unit
    legs: tuple[Leg, ...]
    day: date
    compartment: str
    is_trip: bool = False
    ruleset_version: str | None = None


class UnreadableQuestion(ValueError):
    """A body that is no question."""


def question_of(body: Any, today: date) -> Question:
    """Read the body of a request. A body with `device` is a trip. Raises `UnreadableQuestion`.

    The day of travel is the day of asking, if the body names none.
    """
    fields = _Fields(body, "")
    is_trip = "device" in fields.left
    about = fields.inner("device") if is_trip else fields
    unit = Unit(
        model_id=about.text("model_id", _MODEL),
        serial=about.optional_text("serial"),
        serial_hash=about.optional_text("serial_hash", _HASH),
        recall_check=about.word("recall_check", vocabulary.LIST_ANSWERS, "not_checked"),
        quantity=about.quantity(),
        condition=about.word("condition", vocabulary.CONDITIONS, "unknown"),
        capacity_label=about.word("capacity_label", vocabulary.LABELS, "unknown"),
        ccc_mark=about.word("ccc_mark", vocabulary.MARKS, "unknown"),
    )
    if unit.serial is not None and unit.serial_hash is not None:
        raise UnreadableQuestion("send either `serial` or `serial_hash`, never both")
    if unit.serial is not None and len(unit.serial) > MOST_SERIAL_CHARACTERS:
        raise UnreadableQuestion(f"`serial` has more than {MOST_SERIAL_CHARACTERS} characters")
    trip = fields.inner("trip")
    question = Question(
        unit=unit,
        legs=_legs(trip) if is_trip else (_leg(trip),),
        day=trip.day(today),
        compartment=trip.word("compartment_intent", vocabulary.COMPARTMENTS, "carry_on"),
        is_trip=is_trip,
        ruleset_version=fields.optional_text("ruleset_version"),
    )
    if not is_trip and trip.left.pop("transit", []) != []:
        raise UnreadableQuestion("a route with stops is a trip: send the body of POST /api/trips/verify")
    if "options" in fields.left:
        options = fields.inner("options")
        options.optional_text("language")  # The language of the texts, of which this program has none.
        options.optional_text("citations")  # `comparing` takes it from the request.
        options.end()
    for one in {id(part): part for part in (about, trip, fields)}.values():
        one.end()
    return question


def _leg(fields: "_Fields") -> Leg:
    return Leg(
        fields.text("origin", _COUNTRY),
        fields.text("destination", _COUNTRY),
        fields.text("airline", _AIRLINE),
    )


def _legs(trip: "_Fields") -> tuple[Leg, ...]:
    """Return the flights of a trip: those that it lists, or those between its stops."""
    if "legs" not in trip.left:
        whole = _leg(trip)
        points = [whole.origin, *trip.countries("transit"), whole.destination]
        return tuple(Leg(start, end, whole.airline) for start, end in itertools.pairwise(points))
    listed = trip.left.pop("legs")
    if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_STOPS + 1:
        raise UnreadableQuestion(f"`trip.legs` is not a list of 1 to {MOST_STOPS + 1} flights")
    legs = []
    for number, one in enumerate(listed):
        fields = _Fields(one, f"trip.legs[{number}].")
        legs.append(_leg(fields))
        fields.end()
    for before, after in itertools.pairwise(legs):
        if before.destination != after.origin:
            raise UnreadableQuestion("each flight starts in the country in which the one before ends")
    return tuple(legs)


class _Fields:
    """The fields of one object of a body. Each is taken once; `end` refuses what is left."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise UnreadableQuestion(f"`{where.rstrip('.') or 'the body'}` is not an object")
        self.left = dict(value)
        self._where = where

    def inner(self, name: str) -> "_Fields":
        return _Fields(self.left.pop(name, None), f"{self._where}{name}.")

    def end(self) -> None:
        if self.left:
            raise UnreadableQuestion(f"`{self._where}{sorted(self.left)[0]}` is not known here")

    def text(self, name: str, spelling: re.Pattern[str]) -> str:
        value = self.left.pop(name, None)
        if not isinstance(value, str) or not spelling.fullmatch(value):
            raise UnreadableQuestion(f"`{self._where}{name}` is missing or misspelt")
        return value

    def optional_text(self, name: str, spelling: re.Pattern[str] | None = None) -> str | None:
        return self.text(name, spelling or re.compile(r"(?s:.+)")) if name in self.left else None

    def word(self, name: str, known: Iterable[str], default: str) -> str:
        value = self.left.pop(name, default)
        if not isinstance(value, str) or value not in known:
            raise UnreadableQuestion(f"`{self._where}{name}` is none of {', '.join(known)}")
        return value

    def quantity(self) -> int:
        value = self.left.pop("quantity", 1)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= vocabulary.MOST_UNITS:
            raise UnreadableQuestion(f"`quantity` is not a whole number from 1 to {vocabulary.MOST_UNITS}")
        return value

    def day(self, today: date) -> date:
        if "date" not in self.left:
            return today
        value = self.text("date", re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"))
        try:
            day = date.fromisoformat(value)
        except ValueError as error:
            raise UnreadableQuestion(f"`trip.date`: {error}") from error
        if not today <= day <= today + MOST_DAYS_AHEAD:
            raise UnreadableQuestion("`trip.date` is not between the day of asking and 366 days later")
        return day

    def countries(self, name: str) -> list[str]:
        stops = self.left.pop(name, [])
        if not isinstance(stops, list) or len(stops) > MOST_STOPS:
            raise UnreadableQuestion(f"`{self._where}{name}` is not a list of up to {MOST_STOPS} countries")
        return [_Fields({name: stop}, self._where).text(name, _COUNTRY) for stop in stops]
