"""Itineraries for the laws: through the starter corpus, and through worlds in which numbers decide.

In the starter corpus the two-in-all of the baseline applies everywhere, so it cannot show that caps over a
bound, caps up to a bound and `quantity_over` are counted each by its own energy conditions. In a *world of
numbers* nearly every rule limits a number, for some band of watt-hours, by a cap, a prohibition or a required
approval. Seeded: the n-th itinerary of a seed is always the same.
"""

import datetime
import random
from decimal import Decimal
from typing import Any, TypeVar

from msgspec.structs import replace

from rules.engine.document import Content
from rules.engine.facts import Flight, Item, ItineraryQuestion, Label, Leg, Params, Unit, When
from tests.rules.engine.starter_questions import Drawer
from tests.rules.engine.units import CONDITIONS, LABELS, MARKS
from tests.rules.engine.worlds import (
    BOUNDS,
    COUNTRY_CODES,
    FIGURES,
    MODEL_IDS,
    PLAIN_PERMITS,
    TODAY,
    world,
)

MOST_UNITS, MOST_PASSENGERS = 6, 3
"""So few that every distribution can be tried."""

ISSUERS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("INTL", ("global",)),
    ("FR", ("departure", "domestic")),
    ("FR", ("arrival",)),
    ("RB", ("operator", "arrival")),
    ("A1", ("airline",)),
    ("A1", ("airline",)),
    ("B2", ("airline",)),
)


def world_of_numbers(chance: random.Random) -> Content:
    """Return a small release in which numbers of units decide."""
    rules = [
        (chance.choice(ISSUERS), *_numbered(chance), (None, chance.choice((None, None, 1, 9))), ("law",))
        for _ in range(chance.randint(2, 7))
    ]
    return world(
        rules,
        missing=chance.choice((*(None,) * 8, *PLAIN_PERMITS)),
        airlines=[
            (chance.choice(("FR", "DE", "JP")), chance.choice(("confirmed",) * 6 + ("unverified",)))
            for _ in range(3)
        ],
        figures=[chance.choice(FIGURES) for _ in MODEL_IDS],
        device_sources=[("law",)] * 3,
        certificates=[()] * 3,
        recalls=[],
        usa_in=(),
    )


def _numbered(chance: random.Random) -> tuple[tuple[str, str, Params], When]:
    """Return what a rule says and when: a cap, a prohibition or an approval by number, for a band."""
    conditions: dict[str, Any] = {}
    low, high = sorted(chance.sample(BOUNDS, 2))
    conditions |= chance.choice(
        (
            {},
            {"watt_hour_over": low},
            {"watt_hour_at_least": low},
            {"watt_hour_up_to": high},
            {"watt_hour_up_to": low},
            {"watt_hour_over": low, "watt_hour_up_to": high},
        )
    )
    if chance.random() < 0.3:
        conditions["compartment"] = chance.choice((("carry_on", "on_person"), ("checked",)))
    kind = chance.random()
    if kind < 0.5:
        said = ("require", "max_units", Params(max_units=chance.choice((1, 1, 2, 3))))
        if kind < 0.05:
            conditions["quantity_over"] = chance.choice((1, 2, 3))
    elif kind < 0.7:
        said = ("prohibit", "over_watt_hour_limit", Params(limit_watt_hour=Decimal(100)))
        conditions["quantity_over"] = chance.choice((1, 2, 3))
    elif kind < 0.9:
        said = ("require", "airline_approval_required", Params())
        conditions["quantity_over"] = chance.choice((1, 2, 3))
    else:
        said = ("require", "label_required", Params())
        conditions["quantity_over"] = chance.choice((1, 2))
    return said, When(**conditions)


def itinerary_in_numbers(chance: random.Random) -> ItineraryQuestion:
    """Return an itinerary in a world of numbers."""
    flights = []
    for _ in range(chance.choice((1, 1, 2))):
        leg = Leg(
            chance.choice(("FR", *COUNTRY_CODES)), chance.choice(COUNTRY_CODES), chance.choice("AAABBC")
        )
        airline = {"A": "A1", "B": "B2", "C": "C3"}[leg.airline]
        day = TODAY + datetime.timedelta(days=chance.choice((0, 0, 5, 12)))
        flights.append(_flight(chance, replace(leg, airline=airline), day))
    return _itinerary(
        chance, sorted(flights, key=lambda flight: flight.date), lambda: chance.choice(MODEL_IDS)
    )


def starter_itinerary(drawer: Drawer) -> ItineraryQuestion:
    """Return an itinerary through the starter corpus, on the day of asking or later."""
    chance = drawer.random
    day = datetime.date(2026, 11, 26) + datetime.timedelta(days=chance.randint(0, 300))
    legs = [drawer.leg() for _ in range(chance.choice((1, 1, 1, 2)))]
    flights = [_flight(chance, leg, day) for leg in legs]
    ordinary = drawer.models[5]
    drawn = _itinerary(
        chance,
        flights,
        lambda: chance.choice(ordinary if chance.random() < 0.7 else chance.choice(drawer.models)),
    )
    serial = drawer.serial
    items = [
        replace(item, unit=replace(item.unit, serial=serial(item.unit.model_id)))
        if item.label is None and chance.random() < 0.1
        else item
        for item in drawn.items
    ]
    return replace(drawn, items=tuple(items))


def _flight(chance: random.Random, leg: Leg, day: datetime.date) -> Flight:
    """Return a flight, sometimes known only by the airline that sold it."""
    operator, seller = (leg.airline, None) if chance.random() < 0.9 else (None, leg.airline)
    return Flight(
        origin=leg.origin,
        destination=leg.destination,
        operating_airline=operator,
        marketing_airline=seller,
        date=day,
    )


def _itinerary(chance: random.Random, flights: list[Flight], model: Any) -> ItineraryQuestion:
    passengers = chance.randint(1, MOST_PASSENGERS)
    items: list[Item] = []
    units = chance.randint(1, MOST_UNITS)
    while units:
        quantity = chance.randint(1, min(units, 3))
        units -= quantity
        items.append(_item(chance, f"item_{len(items) + 1}", quantity, passengers, model))
    return ItineraryQuestion(passengers=passengers, items=tuple(items), flights=tuple(flights))


def _item(chance: random.Random, ref: str, quantity: int, passengers: int, model: Any) -> Item:
    label = None
    if chance.random() < 0.1:
        label = chance.choice(
            (
                Label(watt_hour=Decimal("74")),
                Label(watt_hour=Decimal("120")),
                Label(capacity_mah=20_000),
                Label(capacity_mah=26_000, voltage=Decimal("3.7")),
                Label(watt_hour=Decimal("90"), capacity_mah=26_800, voltage=Decimal("3.7")),
            )
        )
    return Item(
        ref=ref,
        unit=Unit(
            model_id=model() if label is None else "",
            quantity=quantity,
            ccc_mark=_mostly(chance, MARKS, 20),
            capacity_label=_mostly(chance, LABELS, 20),
            condition=_mostly(chance, CONDITIONS, 30),
            recall_check="affected" if chance.random() < 0.01 else "not_checked",
        ),
        label=label,
        carried_by=chance.randint(1, passengers) if chance.random() < 0.25 else None,
        compartment_intent=chance.choice(("carry_on",) * 20 + ("on_person",) * 3 + ("checked",)),
    )


Value = TypeVar("Value")


def _mostly(chance: random.Random, values: tuple[Value, ...], times: int) -> Value:
    """Return one of some values, the first so many times as often."""
    return chance.choice((values[0],) * times + values)
