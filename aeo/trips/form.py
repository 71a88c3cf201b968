"""The form of a trip: the fields of the checker, and a row for each stop with the airline after it.

It works without a script: each stop is a field that may stay empty, and there is always one more to fill.
Called by the view of the trip.
"""

import datetime
from collections.abc import Sequence

import msgspec

from aeo.asking import MAX_STOPS, Problem
from aeo.checker.form import Field, Form, choice_links, form, problem_of
from aeo.texts import say
from aeo.trips.itinerary import Itinerary, query_with_airline, query_with_place
from aeo.web.languages import localized
from rules.corpus import Published

FEWEST_ROWS = 2
"""The minimum number of stops on offer."""


class TripForm(msgspec.Struct, frozen=True):
    """The fields of the checker (`unit`), and the flights. A row is a stop and the airline after it."""

    unit: Form
    airline: Field
    origin: Field
    rows: tuple[tuple[Field, Field], ...]
    destination: Field
    full: bool


def trip_form(itinerary: Itinerary, release: Published, today: datetime.date, *, more: bool) -> TripForm:
    """Return the form filled with an itinerary; with `more`, it has one more stop."""
    begun, places, airlines = itinerary.begun, itinerary.asked.places, itinerary.airlines
    filled = len(places) - 2
    rows = min(MAX_STOPS, max(FEWEST_ROWS, filled + more))
    return TripForm(
        unit=form(itinerary.asked if begun else None, release, today),
        airline=_airline(itinerary, release, 0, airlines[0]),
        origin=_place(itinerary, 0, "from"),
        rows=tuple(
            (
                _place(itinerary, number, "via") if number <= filled else _empty_stop(number),
                _airline(itinerary, release, number, _onward(airlines, number)),
            )
            for number in range(1, rows + 1)
        ),
        destination=_place(itinerary, filled + 1, "to"),
        full=rows == MAX_STOPS,
    )


def _onward(airlines: Sequence[str], number: int) -> str:
    """Return the airline after a stop; empty if it stays the same, or there is no such stop."""
    return airlines[number] if number < len(airlines) and airlines[number] != airlines[number - 1] else ""


def _airline(itinerary: Itinerary, release: Published, number: int, typed: str) -> Field:
    """Return the field of an airline: of the first flight, or of the one after a stop, counted from 1."""
    known = release.shelf.airlines.get(typed)
    problem = _problem(itinerary, "airline", typed) if typed or not number else None
    return Field(
        name="airline",
        id="airline" if number == 0 else f"airline-{number}",
        label=say("trip.field.onward", number=number) if number else say("trip.field.airline"),
        value=typed,
        shown=known.name if known else typed,
        problem=problem.sentence if problem else "",
        choices=choice_links(problem, lambda sent: _trip_path(query_with_airline(itinerary, number, sent))),
        what="airlines",
    )


def _place(itinerary: Itinerary, at: int, name: str) -> Field:
    """Return the field of a place, counted from 0."""
    point = itinerary.asked.places[at]
    stop = name == "via"
    problem = problem_of(point, itinerary.problems) if stop else _problem(itinerary, name, point.spelled)
    return Field(
        name=name,
        id=f"{name}-{at}" if stop else name,
        label=say("trip.field.stop", number=at) if stop else say(f"field.{name}"),
        value=point.spelled,
        shown=point.shown,
        problem=problem.sentence if problem else "",
        choices=choice_links(problem, lambda sent: _trip_path(query_with_place(itinerary, at, sent))),
        what="places",
    )


def _empty_stop(number: int) -> Field:
    return Field(name="via", id=f"via-{number}", label=say("trip.field.stop", number=number), what="places")


def _problem(itinerary: Itinerary, field: str, typed: str) -> Problem | None:
    """Return the problem of a field, if it is about the typed text. An empty form has no problems."""
    if not itinerary.begun:
        return None
    return next(
        (
            one
            for one in itinerary.problems
            if one.field == field and (("typed", typed) in one.values or one.kind == "missing")
        ),
        None,
    )


def _trip_path(query: str) -> str:
    return f"{localized('/trip')}?{query}"
