"""The form of an itinerary: the fields of `/check` for each power bank, and the fields of each flight.

It grows by buttons that send it to its own address, so it needs no script. Called by the view.
"""

import datetime
from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl

import msgspec
from msgspec import structs

from aeo.asking import Asked, Problem
from aeo.checker.form import Field, Form, choice_links, form
from aeo.checker.progress import Part, Progress, progress
from aeo.itineraries.asked import FLIGHT_FIELDS, ITEM_FIELDS, Carried, Flown, ItineraryAsked
from aeo.itineraries.writing import query_with
from aeo.itineraries.written import suffixed
from aeo.texts import airline_name, say
from aeo.web.languages import localized
from rules.corpus import Published
from rules.engine.vocabulary import MAX_PASSENGERS


class ItemForm(NamedTuple):
    """The fields of a power bank. `form` has those of `/check` under names with its number."""

    number: int
    form: Form
    by: Field
    is_new: bool


class FlightForm(NamedTuple):
    """The fields of a flight, in the same way."""

    number: int
    form: Form
    sold: Field
    is_new: bool


class ItineraryForm(msgspec.Struct, frozen=True, kw_only=True):
    """The whole form."""

    people: Field
    items: tuple[ItemForm, ...]
    flights: tuple[FlightForm, ...]


def itinerary_form(
    itinerary: ItineraryAsked, release: Published, today: datetime.date, added: str = ""
) -> ItineraryForm:
    """Return the form filled with an itinerary. `added` is what a button has just added."""
    filler = _Filler(itinerary, release, today)
    items, flights = itinerary.items, itinerary.flights
    return ItineraryForm(
        people=filler.people(),
        items=tuple(
            filler.item(item, at, is_new=added == "unit" and at == len(items))
            for at, item in enumerate(items, start=1)
        ),
        flights=tuple(
            filler.flight(flight, at, is_new=added in {"flight", "return"} and at == len(flights))
            for at, flight in enumerate(flights, start=1)
        ),
    )


def progress_of(form: ItineraryForm) -> Progress:
    """Return what is understood and what is left to fill in."""
    people = [] if form.people.value == "1" else [form.people]
    items = [
        Part(say("itinerary.item", number=one.number), (*_own(one.form, ITEM_FIELDS), one.by))
        for one in form.items
    ]
    flights = [
        Part(say("itinerary.flight", number=one.number), (*_own(one.form, FLIGHT_FIELDS), one.sold))
        for one in form.flights
    ]
    return progress([Part("", people), *items, *flights])


def _own(form: Form, names: Sequence[str]) -> list[Field]:
    """Return the fields of a part that are its own."""
    return [form.fields[name] for name in names if name in form.fields]


class _Filler:
    """Fills one form."""

    def __init__(self, itinerary: ItineraryAsked, release: Published, today: datetime.date) -> None:
        self._itinerary, self._release, self._today = itinerary, release, today

    def people(self) -> Field:
        """Return the field that says how many people travel."""
        numbers = [str(number) for number in range(1, MAX_PASSENGERS + 1)]
        return self._choice("people", str(self._itinerary.passengers), numbers, numbers)

    def item(self, item: Carried, at: int, *, is_new: bool) -> ItemForm:
        people = [str(number) for number in range(1, self._itinerary.passengers + 1)]
        names = [say("itinerary.passenger", number=int(number)) for number in people]
        if self._problem(name := suffixed("by", at)) is None:
            people, names = ["", *people], [say("itinerary.field.by.any"), *names]
        by = self._choice(name, item.by, people, names)
        return ItemForm(at, self._numbered(item.asked, at, ITEM_FIELDS[:-1]), by, is_new)

    def flight(self, flight: Flown, at: int, *, is_new: bool) -> FlightForm:
        name = suffixed("sold", at)
        known = self._release.shelf.airlines.get(flight.sold)
        problem = self._problem(name)
        sold = Field(
            name=name,
            id=name,
            label=say("itinerary.field.sold"),
            value=flight.sold,
            shown=airline_name(known, coded=False) if known else flight.sold,
            problem=problem.sentence if problem else "",
            choices=choice_links(problem, lambda sent: self._path({name: sent})),
            what="airlines",
        )
        return FlightForm(at, self._numbered(flight.asked, at, FLIGHT_FIELDS), sold, is_new)

    def _choice(self, name: str, value: str, values: Sequence[str], names: Sequence[str]) -> Field:
        """Return a list. If its value could not be read, none is chosen, and the traveler chooses one."""
        problem = self._problem(name)
        if problem:
            value, values, names = "", ["", *values], ["", *names]
        return Field(
            name=name,
            id=name,
            label=say(f"itinerary.field.{name.partition('_')[0]}"),
            value=value,
            options=tuple(zip(values, names, strict=True)),
            required=problem is not None,
            problem=problem.sentence if problem else "",
        )

    def _problem(self, name: str) -> Problem | None:
        return next((one for one in self._itinerary.problems if one.field == name), None)

    def _numbered(self, asked: Asked, at: int, fields: Sequence[str]) -> Form:
        """Return the form of `/check` for one part, with names and ids that have its number."""
        filled = form(asked, self._release, self._today, self._path_of(at, fields))
        own = {
            name: structs.replace(field, name=suffixed(name, at), id=suffixed(name, at))
            for name, field in filled.fields.items()
        }
        # Each kind of power bank is counted by itself.
        own["count"] = structs.replace(own["count"], label=say("field.count"))
        return structs.replace(filled, fields=own)

    def _path_of(self, at: int, fields: Sequence[str]) -> Callable[[str], str]:
        """Return how a choice in one part continues the whole question."""

        def path(query: str) -> str:
            said = dict(parse_qsl(query))
            return self._path({suffixed(name, at): said.get(name, "") for name in fields if name in said})

        return path

    def _path(self, changes: dict[str, str]) -> str:
        return f"{localized('/itinerary')}?{query_with(self._itinerary, changes)}"
