"""Flights on a day of their own for which no date was given: most often the flight back.

They are judged on the day of the flight before, and rules can change until they depart. So the page says it,
and asks for the date before a verdict that a known change of rules could alter. Called by the views.
"""

import datetime
from collections.abc import Iterator

from msgspec import structs

from aeo.asking import MAX_DAYS_AHEAD, Asked, Point, Problem
from aeo.itineraries.asked import ItineraryAsked
from aeo.itineraries.written import suffixed
from aeo.texts import say
from aeo.web.formatting import day
from rules.corpus import Published
from rules.verdicts import ItineraryAnswer, itinerary_answer_from

ONE_DAY = datetime.timedelta(days=1)
NOT_OF_THE_DAY = frozenset(("rule_change_upcoming", "certificate_change_upcoming", "transit_rescreening"))
"""The warnings about later days, and the one about flights that connect on one day."""


MOST_JUDGED = 100
"""So many units times flights times days are judged again. Beyond that the date is asked for anyway."""


def undated(itinerary: ItineraryAsked) -> tuple[str, ...]:
    """Return what to say about each such flight: on which day it is judged."""
    return tuple(_sentence(itinerary, at) for at in _on_other_days(itinerary))


def with_needed_dates(itinerary: ItineraryAsked, answer: ItineraryAnswer) -> ItineraryAsked:
    """Return an itinerary that asks for the dates on which its answer depends."""
    flights, problems = list(itinerary.flights), list(itinerary.problems)
    for at in _on_other_days(itinerary):
        if (change := _change(answer, at)) is not None:
            problem = Problem("date", "missing", "itinerary.date.needed", (("date", day(change)),))
            problems.append(structs.replace(problem, field=suffixed("date", at + 1)))
            part = flights[at].asked
            flights[at] = structs.replace(
                flights[at], asked=structs.replace(part, problems=(*part.problems, problem))
            )
    return structs.replace(itinerary, flights=tuple(flights), problems=tuple(problems))


def _change(answer: ItineraryAnswer, at: int) -> datetime.date | None:
    """Return the first day of a change of rules from which the answer about a flight is another one."""
    flights, said = answer.question.flights, _said(answer, at)
    last = next((one.date for one in flights[at + 1 :] if not one.date_assumed), datetime.date.max)
    days = [one for one in _days_of_change(answer.release, flights[at].date) if one <= last]
    units = sum(item.unit.quantity for item in answer.question.items)
    if units * len(flights) * len(days) > MOST_JUDGED:
        return days[0]
    for changes in days:
        later = tuple(
            structs.replace(one, date=max(one.date, changes)) if place >= at else one
            for place, one in enumerate(flights)
        )
        question = structs.replace(answer.question, flights=later)
        if _said(itinerary_answer_from(answer.release, question, now=answer.generated_at), at) != said:
            return changes
    return None


def _days_of_change(release: Published, after: datetime.date) -> list[datetime.date]:
    """Return the days after a day, as far as questions reach, on which a rule takes effect or has ended."""
    rules = release.shelf.rules.values()
    ends = (rule.effective_until + ONE_DAY for rule in rules if rule.effective_until is not None)
    days = {*(rule.effective_from for rule in rules if rule.effective_from is not None), *ends}
    last = after + datetime.timedelta(days=MAX_DAYS_AHEAD)
    return sorted(one for one in days if after < one <= last)


def _said(answer: ItineraryAnswer, at: int) -> tuple[object, ...]:
    """Return what an answer says about a flight and all after it, as far as the rules of its day say it."""
    flights = answer.outcome.flights[at:]
    lines = [[*flight.constraints, *flight.warnings] for flight in flights]
    return tuple(
        (flight.verdict, [one.statement for one in said if one.statement.name not in NOT_OF_THE_DAY])
        for flight, said in zip(flights, lines, strict=True)
    )


def _on_other_days(itinerary: ItineraryAsked) -> Iterator[int]:
    """Yield the undated flights that are no connection: the first one back, or one from elsewhere."""
    was_back = False
    for at, flight in enumerate(itinerary.flights[1:], start=1):
        is_back = _is_back(itinerary, at)
        before, (start, end) = itinerary.flights[at - 1].asked, flight.asked.places
        is_known = before.arrival.country and start.country and end.country
        turns = is_back and (not was_back or _is_left(end, before))
        if is_known and not flight.asked.has_date and (turns or start.country != before.arrival.country):
            yield at
        was_back = is_back


def _is_back(itinerary: ItineraryAsked, at: int) -> bool:
    """Tell whether a flight goes to a place, or to a country, that an earlier flight left."""
    end = itinerary.flights[at].asked.arrival
    return any(_is_left(end, before.asked) for before in itinerary.flights[:at])


def _is_left(place: Point, flight: Asked) -> bool:
    """Tell whether a flight leaves a place; a flight abroad leaves its whole country."""
    start, abroad = flight.departure, flight.departure.country != flight.arrival.country
    return bool(place.spelled) and (
        start.spelled == place.spelled or (abroad and start.country == place.country)
    )


def _sentence(itinerary: ItineraryAsked, at: int) -> str:
    flight = itinerary.flights[at]
    places = {"origin": flight.asked.departure.shown, "destination": flight.asked.arrival.shown}
    return say("itinerary.undated", date=day(flight.date), **places)
