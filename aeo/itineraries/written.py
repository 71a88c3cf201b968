"""The parameters of an itinerary, sorted by power bank and flight, and the buttons that let its form grow.

The first power bank and the first flight have the parameters of `/check`, so the form of one power bank can
grow into this one; stops in between become flights. The names of the others end in their number:
`model_2`, `from_2`.
"""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec
from django.http import QueryDict

from aeo.asking.reading import may_be_a_fact
from aeo.itineraries.asked import FLIGHT_FIELDS, ITEM_FIELDS
from rules.engine.vocabulary import MAX_FLIGHTS, MAX_ITEMS, MAX_PASSENGERS

BUTTONS = ("add", "remove")
"""The parameters of the buttons: `add` a unit, person, flight or return; `remove` unit_2 or flight_2."""

_NUMBERED = re.compile(r"([a-z]+)_([2-9]|[1-9][0-9])")
_KNOWN = frozenset((*ITEM_FIELDS, *FLIGHT_FIELDS, *BUTTONS, "q", "confirmed", "people", "via"))

Full = Literal["person", "unit", "flight"]

Values = dict[str, tuple[str, ...]]
"""The values of each parameter of one power bank or one flight, by the name without its number."""


class Written(msgspec.Struct):
    """An itinerary as it is written. `unread` are the names that no field has, though they may be facts.

    `full` names what a button could not add, because one answer is about no more.
    """

    people: str
    items: list[Values]
    flights: list[Values]
    unread: tuple[str, ...]
    too_many: bool
    full: Full | None = None


def suffixed(name: str, number: int) -> str:
    """Return the parameter of a power bank or a flight, counted from 1."""
    return name if number == 1 else f"{name}_{number}"


def written(parameters: QueryDict) -> Written:
    """Return the parameters sorted, after the buttons that were pressed."""
    items, flights = _sorted(parameters, ITEM_FIELDS), _sorted(parameters, FLIGHT_FIELDS)
    flights[:1] = _without_stops(flights[0], parameters.getlist("via"))
    found = Written(
        people=parameters.get("people", "").strip(),
        items=items,
        flights=flights,
        unread=tuple(_unread(parameters)),
        too_many=len(items) > MAX_ITEMS or len(flights) > MAX_FLIGHTS,
    )
    del items[MAX_ITEMS:], flights[MAX_FLIGHTS:]
    for name in parameters.getlist("add"):
        _add(found, name)
    for name in parameters.getlist("remove"):
        _remove(found, name)
    return found


def _sorted(parameters: QueryDict, fields: Sequence[str]) -> list[Values]:
    """Return the values of each numbered group, in order; the first one is always there."""
    groups: dict[int, Values] = {1: {}}
    for name, values in parameters.lists():
        numbered = _NUMBERED.fullmatch(name)
        stem, number = (numbered[1], int(numbered[2])) if numbered else (name, 1)
        if stem in fields:
            groups.setdefault(number, {})[stem] = tuple(map(str, values))
    return [groups[number] for number in sorted(groups)]


def _without_stops(flight: Values, stops: Iterable[str]) -> list[Values]:
    """Return a journey with stops as flights, each from where the one before ends."""
    places = [flight.get("from", ()), *((stop,) for stop in stops if stop.strip()), flight.get("to", ())]
    flights = [{**flight, "from": start, "to": end} for start, end in itertools.pairwise(places)]
    for later in flights[1:]:
        # It is on the day of the one before.
        later.pop("date", None)
    return flights


def without_unknown(parameters: QueryDict) -> QueryDict:
    """Return the parameters without serials, which no address keeps, and without those of campaigns.

    Other names stay, so that the page can say that it does not read them.
    """
    kept = parameters.copy()
    for name in parameters:
        if not _is_known(name) and not may_be_a_fact(name):
            del kept[name]
    return kept


def _unread(parameters: QueryDict) -> Iterable[str]:
    """Yield names that may be facts, but are no field or are there twice."""
    for name in parameters:
        if name == "people" and len(parameters.getlist(name)) > 1:
            yield name
        if not _is_known(name) and may_be_a_fact(name):
            yield name[:40]


def _is_known(name: str) -> bool:
    numbered = _NUMBERED.fullmatch(name)
    return name in _KNOWN or (numbered is not None and numbered[1] in {*ITEM_FIELDS, *FLIGHT_FIELDS})


def _add(found: Written, what: str) -> None:
    match what:
        case "person":
            people = int(found.people) if re.fullmatch(r"[1-9]", found.people) else 1
            found.people = str(min(MAX_PASSENGERS, people + 1))
            found.full = "person" if people == MAX_PASSENGERS else None
        case "unit" if len(found.items) < MAX_ITEMS:
            found.items.append({"model": ()})
        case "flight" if len(found.flights) < MAX_FLIGHTS:
            found.flights.append({"from": found.flights[-1].get("to", ())})
        case "return" if 2 * len(found.flights) <= MAX_FLIGHTS:
            found.flights += [_back(flight) for flight in reversed(found.flights)]
        case "unit":
            found.full = "unit"
        case "flight" | "return":
            found.full = "flight"


def _back(flight: Mapping[str, tuple[str, ...]]) -> Values:
    """Return a flight in the other direction, on a day to be entered."""
    return {**flight, "from": flight.get("to", ()), "to": flight.get("from", ()), "date": ()}


def _remove(found: Written, name: str) -> None:
    """Remove a power bank or a flight by its number; the last one stays."""
    what, _, number = name.partition("_")
    group = {"unit": found.items, "flight": found.flights}.get(what)
    if group and len(group) > 1 and re.fullmatch(r"[1-9][0-9]?", number) and int(number) <= len(group):
        del group[int(number) - 1]
