"""The form of a trip: the fields of the checker, and a row for each stop with the airline from there.

It works without a script: each stop is a field that may stay empty, and there is always one more to fill.
Called by the view of the trip.
"""

import datetime

import msgspec

from aeo.asking import MAX_STOPS, Problem
from aeo.checker.form import Field, Form, form
from aeo.texts import country_name, say
from aeo.trips.itinerary import Itinerary, Stop
from rules.corpus import Published

FEWEST_ROWS = 2
"""So many stops are offered where fewer are filled in."""


class TripForm(msgspec.Struct, frozen=True):
    """What the checker asks as well (`unit`), and the flights. A row is a stop and the airline from there."""

    unit: Form
    airline: Field
    origin: Field
    rows: tuple[tuple[Field, Field], ...]
    destination: Field
    full: bool


def trip_form(itinerary: Itinerary, release: Published, today: datetime.date, *, more: bool) -> TripForm:
    """Return the form filled with an itinerary; with `more`, one more stop than there are."""
    begun = itinerary.asked.typed.anything
    stops, filled = itinerary.stops, len(itinerary.stops) - 1
    rows = min(MAX_STOPS, max(FEWEST_ROWS, filled + more))
    onward = [(stop, stops[at + 1]) for at, stop in enumerate(stops[:-1])]
    onward += [(Stop("", ""), Stop("", ""))] * (rows - filled)
    return TripForm(
        unit=form(itinerary.asked if begun else None, release, today),
        airline=_airline(itinerary, release, 0, stops[0].airline),
        origin=_place(itinerary, release, "from", itinerary.origin),
        rows=tuple(
            (
                _place(itinerary, release, "via", stop.place, number),
                _airline(itinerary, release, number, "" if one.airline == stop.airline else one.airline),
            )
            for number, (stop, one) in enumerate(onward[:rows], start=1)
        ),
        destination=_place(itinerary, release, "to", stops[-1].place),
        full=rows == MAX_STOPS,
    )


def _airline(itinerary: Itinerary, release: Published, number: int, typed: str) -> Field:
    """Return the field of an airline: of the first flight, or of the one from a stop, counted from 1."""
    known = release.shelf.airlines.get(typed)
    problem = next((one for one in itinerary.problems if one.field == "airline"), None)
    return Field(
        name="airline",
        id="airline" if number == 0 else f"airline-{number}",
        label=say("trip.field.onward", number=number) if number else say("trip.field.airline"),
        value=typed,
        shown=known.name if known else typed,
        problem=_sentence(itinerary, problem) if _is_meant(problem, typed) or not (number or typed) else "",
        what="airlines",
    )


def _place(itinerary: Itinerary, release: Published, name: str, typed: str, number: int = 0) -> Field:
    known = release.corpus.countries.get(typed)
    problem = next((one for one in itinerary.problems if one.field == name), None)
    return Field(
        name=name,
        id=f"{name}-{number}" if number else name,
        label=say("trip.field.stop", number=number) if number else say(f"field.{name}"),
        value=typed,
        shown=country_name(known.code, known.name) if known else typed,
        problem=_sentence(itinerary, problem) if not number or _is_meant(problem, typed) else "",
        what="places",
    )


def _is_meant(problem: Problem | None, typed: str) -> bool:
    return problem is not None and ("typed", typed) in problem.values


def _sentence(itinerary: Itinerary, problem: Problem | None) -> str:
    return problem.sentence if problem is not None and itinerary.begun else ""
