"""Reads the parameters of an itinerary: each power bank and each flight as `/check` reads them.

Nothing is guessed. A value that names nothing is a problem of its field, and a question with a problem is not
answered. The bounds are those of the API. A flight number names who sold the flight, never who flies.
"""

import datetime
import re
from collections.abc import Container, Sequence

from django.http import QueryDict
from msgspec import structs

from aeo import asking
from aeo.asking import NO_VOLTAGE, Asked, Problem, meaning
from aeo.asking.asked import UNKNOWN
from aeo.asking.names import airlines
from aeo.itineraries.asked import FLIGHT_FIELDS, ITEM_FIELDS, Carried, Flown, ItineraryAsked, label
from aeo.itineraries.written import Full, Values, Written, suffixed
from aeo.web.formatting import day
from rules.corpus import Published
from rules.engine.vocabulary import MAX_FLIGHTS, MAX_ITEMS, MAX_PASSENGERS, MAX_UNIT_FLIGHTS

_MOST: dict[Full, int] = {"person": MAX_PASSENGERS, "unit": MAX_ITEMS, "flight": MAX_FLIGHTS}

_MISSING = {"count": "itinerary.count.missing"}
"""The texts about missing fields that ask for something else than those of one person."""


def read(
    found: Written, release: Published, today: datetime.date, needed: frozenset[str] = frozenset()
) -> ItineraryAsked:
    """Return what the parameters ask. `today` is the day of asking (UTC).

    Each field of `needed` has to be answered, because a sentence may say something else.
    """
    return _Reader(release, today, needed).asked(found)


class _Reader:
    """Reads one itinerary and collects what is wrong with it."""

    def __init__(self, release: Published, today: datetime.date, needed: frozenset[str]) -> None:
        self._release, self._today, self._needed = release, today, needed
        self._problems: list[Problem] = []

    def asked(self, found: Written) -> ItineraryAsked:
        """Return what was asked."""
        if found.unread:
            self._wrong("unread", "itinerary.unread", names=", ".join(found.unread))
        if found.full:
            self._wrong("size", f"itinerary.full.{found.full}", most=_MOST[found.full])
        passengers = self._passengers(found.people)
        items = [self._item(values, at, passengers) for at, values in enumerate(found.items, start=1)]
        flights: list[Flown] = []
        for at, values in enumerate(found.flights, start=1):
            flights.append(self._flight(values, at, flights[-1].date if flights else self._today))
        units = sum(item.asked.quantity for item in items)
        if found.too_many or units * len(flights) > MAX_UNIT_FLIGHTS:
            self._wrong(
                "size", "itinerary.too_large", items=MAX_ITEMS, flights=MAX_FLIGHTS, most=MAX_UNIT_FLIGHTS
            )
        return ItineraryAsked(
            people=found.people,
            passengers=passengers,
            items=tuple(items),
            flights=tuple(flights),
            problems=tuple(self._problems),
        )

    def _wrong(self, field: str, key: str, **values: str | int) -> None:
        self._problems.append(Problem(field, "wrong", key, tuple(values.items())))

    def _passengers(self, text: str) -> int:
        if not text:
            return 1
        if re.fullmatch(r"[1-9]", text):
            return int(text)
        self._wrong("people", "itinerary.people.wrong", most=MAX_PASSENGERS)
        return MAX_PASSENGERS

    def _part(self, values: Values, fields: Sequence[str], at: int, unneeded: Container[str] = ()) -> Asked:
        """Read some fields as `/check` does, with the problems of these fields alone."""
        parameters = QueryDict(mutable=True)
        for name in fields:
            if name in asking.FIELDS:
                parameters.setlist(name, list(values.get(name, ())))
        asked = asking.read(parameters, self._release, self._today)
        needed = self._needed & set(fields)
        own = [one for one in asked.problems if one.field in fields and one.field not in unneeded]
        own += [
            Problem(name, "missing", _MISSING.get(name, f"asked.{name}.missing"))
            for name in sorted(needed)
            if asked.typed[name] in UNKNOWN
        ]
        self._problems += [structs.replace(one, field=suffixed(one.field, at)) for one in own]
        return structs.replace(asked, problems=tuple(own), needed=needed)

    def _item(self, values: Values, at: int, passengers: int) -> Carried:
        said = {name: " ".join(values.get(name, ())).strip() for name in ITEM_FIELDS}
        is_capacity_alone = said["mah"] and not said["wh"] and not said["v"]
        if is_capacity_alone:
            # Without volts the energy is unknown: an answer says so, and what to do next.
            values = {**values, "v": (NO_VOLTAGE,)}
        asked = self._part(values, ITEM_FIELDS[:-1], at)
        if is_capacity_alone:
            # The traveler has not said that the label shows no volts, so no form and no address says it.
            asked = structs.replace(asked, typed=asked.typed.without("v"))
        carried_by = int(said["by"]) if re.fullmatch(r"[1-9]", said["by"]) else None
        if said["by"] and (carried_by is None or carried_by > passengers):
            self._wrong(suffixed("by", at), "itinerary.by.wrong")
        return Carried(
            asked=asked,
            label=label(asked),
            by=said["by"],
            carried_by=carried_by,
        )

    def _flight(self, values: Values, at: int, earliest: datetime.date) -> Flown:
        airline, sold = (" ".join(values.get(name, ())).strip() for name in ("airline", "sold"))
        if not sold and airlines.of_flight(self._release, airline):
            airline, sold = "", airline
        own = {**values, "airline": (airline,)}
        asked = self._part(own, FLIGHT_FIELDS, at, ("airline",) if sold and not airline else ())
        date = asked.travel_date if asked.has_date else earliest
        if date < earliest and not asked.problem("date"):
            self._wrong(suffixed("date", at), "itinerary.date.before", date=day(earliest))
        return Flown(asked=asked, sold=self._sold(sold, at), date=max(date, earliest))

    def _sold(self, text: str, at: int) -> str:
        """Read the airline of a ticket, by its code, its name or a flight number."""
        if not text:
            return ""
        found = meaning.airline(self._release, text)
        if found.flight:
            return found.choices[0].value
        if not found.value:
            self._problems.append(asking.unsettled(suffixed("sold", at), found, "airline", text))
        return found.value or text
