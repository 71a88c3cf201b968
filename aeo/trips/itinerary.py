"""An itinerary as it stands in an address: its flights in order, and what is wrong or missing in it.

Either all flights are of one airline (`airline=EK&from=AE&via=GB&to=US`), or each is named
(`leg=AE-GB-EK&leg=GB-US-BA`). The form of the page repeats `airline` instead: the first stands for the first
flight, each further one for the flight from the stop beside it, and an empty one says that the airline stays
the same. Names of countries, airlines and models are understood where they name one thing alone.
"""

import datetime
import itertools
import re
from urllib.parse import parse_qsl, urlencode

import msgspec
from django.http import QueryDict

from aeo import asking
from aeo.asking import MAX_STOPS, Asked, Problem
from aeo.trips import naming
from rules.corpus import Published
from rules.engine.document import AIRLINE_CODE
from rules.engine.facts import Leg, TripQuestion
from rules.guidance import Rating

LEG = re.compile(r"([A-Z]{2})-([A-Z]{2})-([A-Z0-9]{2})")
MAX_LEGS = MAX_STOPS + 1


class Stop(msgspec.Struct, frozen=True):
    """Where a flight ends, and the airline that flies there, as they were typed."""

    airline: str
    place: str


class Itinerary(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a trip. It can be answered where there are no problems.

    A `rating` stands for no model: then there is general guidance and no verdict. `origin` and `stops` are
    the form as it was filled in, with names made into codes where that is sure.
    """

    asked: Asked
    origin: str
    stops: tuple[Stop, ...]
    rating: Rating | None
    legs: tuple[Leg, ...]
    problems: tuple[Problem, ...]

    @property
    def begun(self) -> bool:
        """Whether anything was asked at all."""
        return self.asked.typed.anything

    @property
    def complete(self) -> bool:
        """Whether it can be answered."""
        return not self.problems

    @property
    def question(self) -> TripQuestion:
        """Return the question for the door. The itinerary must be complete."""
        return TripQuestion(
            unit=self.asked.unit,
            legs=self.legs,
            travel_date=self.asked.travel_date,
            compartment_intent=self.asked.compartment,
        )

    def problem(self, field: str) -> str:
        """Say what is wrong with a field, in the active language; nothing where nothing is."""
        return next((one.sentence for one in self.problems if one.field == field), "")


def read(parameters: QueryDict, release: Published, today: datetime.date) -> Itinerary:
    """Return the itinerary of some parameters. `today` is the day of asking (UTC)."""
    problems: list[Problem] = []
    if "leg" in parameters:
        origin, stops = _of_legs(parameters.getlist("leg"), problems)
    else:
        origin, stops = _of_form(parameters)
    origin = naming.country(release, origin)
    stops = tuple(
        Stop(naming.airline(release, one.airline), naming.country(release, one.place)) for one in stops
    )
    asked = asking.read(_plain(parameters, release, origin, stops), release, today)
    problems += asked.problems
    problems += [
        Problem("airline", "unknown", "asked.airline.unknown", (("typed", one.airline),))
        for one in stops[1:]
        if not AIRLINE_CODE.fullmatch(one.airline.upper())
    ]
    points = [origin, *(one.place for one in stops)]
    legs = tuple(
        Leg(start.upper(), end.upper(), one.airline.upper())
        for (start, end), one in zip(itertools.pairwise(points), stops, strict=True)
    )
    return Itinerary(
        asked=asked, origin=origin, stops=stops, rating=asked.rating, legs=legs, problems=tuple(problems)
    )


def query(itinerary: Itinerary) -> str:
    """Return the parameters of an itinerary, without a question mark: one spelling for one trip."""
    written = parse_qsl(asking.query(itinerary.asked), keep_blank_values=True)
    if not itinerary.complete or len({leg.airline for leg in itinerary.legs}) == 1:
        return urlencode(written)
    rest = [(name, value) for name, value in written if name not in {"airline", "from", "via", "to"}]
    legs = [("leg", f"{one.origin}-{one.destination}-{one.airline}") for one in itinerary.legs]
    return urlencode([*rest, *legs])


def _of_legs(written: list[str], problems: list[Problem]) -> tuple[str, tuple[Stop, ...]]:
    """Read flights that are named one by one; each starts where the one before ended."""
    found = [LEG.fullmatch(one.strip().upper()) for one in written]
    legs = [one.groups() for one in found if one is not None]
    chained = all(before[1] == after[0] for before, after in itertools.pairwise(legs))
    if len(legs) != len(written) or not chained or len(legs) > MAX_LEGS:
        problems.append(Problem("leg", "wrong", "trip.leg.wrong", (("most", MAX_LEGS),)))
    if not legs:
        return "", (Stop("", ""),)
    return legs[0][0], tuple(Stop(airline, end) for _, end, airline in legs[: MAX_LEGS + 1])


def _of_form(parameters: QueryDict) -> tuple[str, tuple[Stop, ...]]:
    """Read the stops of the form. An airline that is left out is that of the flight before."""
    airlines = [one.strip() for one in parameters.getlist("airline")] or [""]
    named = itertools.zip_longest(parameters.getlist("via"), airlines[1:], fillvalue="")
    onward = [(place.strip(), airline) for place, airline in named if place.strip()][: MAX_STOPS + 1]
    places = [*(place for place, _ in onward), parameters.get("to", "").strip()]
    stops: list[Stop] = []
    for place, airline in zip(places, [airlines[0], *(airline for _, airline in onward)], strict=True):
        stops.append(Stop(airline or (stops[-1].airline if stops else ""), place))
    return parameters.get("from", "").strip(), tuple(stops)


def _plain(parameters: QueryDict, release: Published, origin: str, stops: tuple[Stop, ...]) -> QueryDict:
    """Return the parameters as `aeo.asking` reads them: one airline, and names made into codes."""
    plain = parameters.copy()
    for name in ("leg", "more"):
        plain.pop(name, None)
    plain["from"], plain["to"], plain["airline"] = origin, stops[-1].place, stops[0].airline
    plain.setlist("via", [one.place for one in stops[:-1]])
    plain["model"] = naming.model(release, parameters.get("model", "").strip())
    return plain
