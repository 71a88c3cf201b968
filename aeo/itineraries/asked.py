"""An itinerary as it was asked: what each power bank and each flight is, and what is wrong or missing."""

import datetime
from collections.abc import Iterable
from decimal import ROUND_CEILING, Decimal

import msgspec

from aeo.asking import NO_VOLTAGE, Asked, Point, Problem
from aeo.asking.free_text.figures import number
from aeo.asking.names.spelling import airport_of
from aeo.texts import model_name
from aeo.web.formatting import number as in_figures
from catalog.energy import HUNDREDTH
from rules.corpus import Published
from rules.engine.facts import Flight, Item, ItineraryQuestion, Label
from rules.engine.matching import plain

ITEM_FIELDS = ("model", "wh", "mah", "v", "count", "bag", "mark", "label", "condition", "recall", "by")
"""The parameters of a power bank. Those of the second one end in `_2`, and so on."""

FLIGHT_FIELDS = ("airline", "sold", "from", "to", "date")
"""The parameters of a flight, numbered in the same way."""


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """Some equal power banks: of an exact model, or with a label. `by` says who carries them, as typed."""

    asked: Asked
    label: Label | None
    by: str
    carried_by: int | None


class Flown(msgspec.Struct, frozen=True, kw_only=True):
    """A flight. `sold` is the airline of the ticket: by code, or as typed if unknown.

    Without a date it is on the day of the flight before.
    """

    asked: Asked
    sold: str
    date: datetime.date

    @property
    def flight(self) -> Flight:
        """Return the flight for `rules.verdicts`. It must have no problems."""
        origin, destination = self.asked.departure, self.asked.arrival
        return Flight(
            origin=origin.country,
            destination=destination.country,
            origin_airport=airport_of(origin.spelled),
            destination_airport=airport_of(destination.spelled),
            operating_airline=self.asked.airline or None,
            marketing_airline=self.sold or None,
            date=self.date,
            date_assumed=not self.asked.has_date,
        )


class ItineraryAsked(msgspec.Struct, frozen=True, kw_only=True):
    """The question. It can be answered if there are no problems; each names its field with its number."""

    people: str
    passengers: int
    items: tuple[Carried, ...]
    flights: tuple[Flown, ...]
    problems: tuple[Problem, ...]

    @property
    def complete(self) -> bool:
        """Whether the question can be answered."""
        return not self.problems

    @property
    def ends(self) -> tuple[tuple[Point, Point], ...]:
        """Where each flight departs and arrives."""
        return tuple((flown.asked.departure, flown.asked.arrival) for flown in self.flights)

    @property
    def is_simple(self) -> bool:
        """Whether it is about one exact model of one person on one flight of a known operator."""
        item, flight = self.items[0], self.flights[0]
        several = len(self.items) > 1 or len(self.flights) > 1 or self.passengers > 1
        return not (several or item.label or flight.sold)

    def question(self, release: Published) -> ItineraryQuestion:
        """Return the question for `rules.verdicts`. It must be complete. Items are named as people say."""
        names = item_names(self, release)
        return ItineraryQuestion(
            passengers=self.passengers,
            items=tuple(
                Item(
                    ref=name,
                    unit=item.asked.unit,
                    label=item.label,
                    carried_by=item.carried_by,
                    compartment_intent=item.asked.compartment,
                )
                for name, item in zip(names, self.items, strict=True)
            ),
            flights=tuple(flown.flight for flown in self.flights),
        )


def item_names(itinerary: ItineraryAsked, release: Published) -> tuple[str, ...]:
    """Return a name for each power bank of a complete question."""
    return names([(item.asked.model_id, item.label) for item in itinerary.items], release)


def item_name(asked: Asked, release: Published) -> str:
    """Return the name of the power bank of a complete question."""
    return _name(asked.model_id, label(asked), release)


def names(items: Iterable[tuple[str, Label | None]], release: Published) -> tuple[str, ...]:
    """Return names for power banks of models or with labels. Equal names get a number.

    A model that the release does not have is named by its id.
    """
    found: list[str] = []
    for model_id, figures in items:
        name = _name(model_id, figures, release)
        same = sum(one == name or one.startswith(f"{name} #") for one in found)
        found.append(f"{name} #{same + 1}" if same else name)
    return tuple(found)


def _name(model_id: str, figures: Label | None, release: Published) -> str:
    if figures is None:
        device = release.shelf.devices.get(model_id)
        return model_id if device is None else model_name(device)
    capacity, volts, printed = figures.capacity_mah, figures.voltage, figures.watt_hour
    shown = (
        None if printed is None else f"{plain(printed)} Wh",
        None if capacity is None else f"{in_figures(capacity)} mAh",
        None if volts is None else f"{plain(volts)} V",
    )
    return " · ".join(filter(None, shown))


def label(asked: Asked) -> Label | None:
    """Return the figures of a label that `asking` has read; None if a model is known, or nothing."""
    if asked.model_id or asked.rating is None:
        return None
    watt_hour, capacity, volts = (_figure(asked.typed[name]) for name in ("wh", "mah", "v"))
    return Label(watt_hour=watt_hour, capacity_mah=None if capacity is None else int(capacity), voltage=volts)


def _figure(text: str) -> Decimal | None:
    """Return a figure, rounded up to a hundredth."""
    return None if text in {"", NO_VOLTAGE} else number(text).quantize(HUNDREDTH, rounding=ROUND_CEILING)
