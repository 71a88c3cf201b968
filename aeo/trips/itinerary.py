"""An itinerary as its address spells it: its flights in order, and what is wrong or missing.

Either all flights are on one airline (`airline=EK&from=Dubai&via=LHR&to=US`), or `airline` is repeated. Then
the first one is for the first flight, and each further one for the flight after the stop next to it. An empty
one says that the airline stays the same. If every place is a country, such flights are written one by one
(`leg=AE-GB-EK&leg=GB-US-BA`). Names of places, airlines and models are accepted if each names exactly one
thing.
"""

import datetime
import itertools
import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, urlencode

import msgspec
from django.http import QueryDict
from msgspec import structs

from aeo import asking
from aeo.asking import FIELDS, MAX_STOPS, Asked, Point, Problem, meaning
from aeo.asking.names.folding import fold
from aeo.asking.names.suggestions import suggest_models
from aeo.itineraries.asked import item_name, label
from aeo.texts import model_name
from rules.answers.guidance import Rating
from rules.corpus import Published
from rules.engine.facts import Device, Flight, Item, ItineraryQuestion, Leg, TripQuestion

LEG = re.compile(r"([A-Z]{2})-([A-Z]{2})-([A-Z0-9]{2})")
MAX_LEGS = MAX_STOPS + 1


class Stop(msgspec.Struct, frozen=True):
    """The end of a flight, and the airline of that flight, as they were typed."""

    airline: str
    place: str


class Itinerary(msgspec.Struct, frozen=True, kw_only=True):
    """The question about a trip. It can be answered if there are no problems.

    `asked` has the unit and the places. `airlines` are those of the flights, in order: by code, or as typed
    if unknown.
    """

    asked: Asked
    airlines: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def begun(self) -> bool:
        """Whether anything was asked."""
        return self.asked.typed.anything

    @property
    def complete(self) -> bool:
        """Whether the question can be answered."""
        return not self.problems

    @property
    def rating(self) -> Rating | None:
        """The figures of the label, if they replace a model: then there is guidance and no verdict."""
        return self.asked.rating

    @property
    def legs(self) -> tuple[Leg, ...]:
        """Return the flights. The itinerary must be complete."""
        return tuple(
            Leg(start.country, end.country, airline)
            for (start, end), airline in zip(
                itertools.pairwise(self.asked.places), self.airlines, strict=True
            )
        )

    @property
    def question(self) -> TripQuestion:
        """Return the question for `rules.verdicts`. The itinerary must be complete."""
        return TripQuestion(
            unit=self.asked.unit,
            legs=self.legs,
            travel_date=self.asked.travel_date,
            compartment_intent=self.asked.compartment,
        )

    @property
    def ends(self) -> tuple[tuple[Point, Point], ...]:
        """Where each flight departs and arrives."""
        return tuple(itertools.pairwise(self.asked.places))

    def of_one_item(self, release: Published) -> ItineraryQuestion:
        """Return the same question as one item on connected flights. The itinerary must be complete."""
        asked = self.asked
        item = Item(
            ref=item_name(asked, release),
            unit=asked.unit,
            label=label(asked),
            compartment_intent=asked.compartment,
        )
        flights = [
            Flight(
                origin=leg.origin,
                destination=leg.destination,
                operating_airline=leg.airline,
                date=asked.travel_date,
            )
            for leg in self.legs
        ]
        return ItineraryQuestion(passengers=1, items=(item,), flights=tuple(flights))

    def problem(self, field: str) -> str:
        """Return what is wrong with a field, in the active language; empty if nothing is."""
        return next((one.sentence for one in self.problems if one.field == field), "")


def read(parameters: QueryDict, release: Published, today: datetime.date) -> Itinerary:
    """Return the itinerary of some parameters. `today` is the day of asking (UTC)."""
    problems: list[Problem] = []
    if "leg" in parameters:
        origin, stops = _of_legs(parameters.getlist("leg"), problems)
        if any(asking.value_of(parameters, name) for name in ("airline", "from", "via", "to")):
            problems.append(Problem("leg", "wrong", "trip.leg.twice"))
    else:
        origin, stops = _of_form(parameters)
        if _stop_is_missing(parameters):
            problems.append(Problem("via", "missing", "asked.via.missing"))
    asked = asking.read(_plain(parameters, release, origin, stops), release, today)
    onward = [meaning.airline(release, one.airline) for one in stops[1:]]
    problems += asked.problems
    problems += [
        asking.unsettled("airline", found, "airline", one.airline)
        for one, found in zip(stops[1:], onward, strict=True)
        if not found.value
    ]
    airlines = [asked.airline or asked.typed["airline"]]
    airlines += [found.value or one.airline for one, found in zip(stops[1:], onward, strict=True)]
    # A sentence may name stops that the form does not have.
    airlines += airlines[-1:] * (len(asked.places) - 1 - len(airlines))
    # An airline that stays the same has one problem.
    return Itinerary(asked=asked, airlines=tuple(airlines), problems=tuple(dict.fromkeys(problems)))


def query(itinerary: Itinerary) -> str:
    """Return the parameters of an itinerary, without a question mark: one spelling for one trip."""
    written = parse_qsl(asking.query(itinerary.asked), keep_blank_values=True)
    if len(set(itinerary.airlines)) == 1:
        return urlencode(written)
    rest = [(name, value) for name, value in written if name != "airline"]
    if not itinerary.complete or any(one.spelled != one.country for one in itinerary.asked.places):
        repeated = [("airline", airline) for airline in itinerary.airlines]
        return urlencode(sorted([*rest, *repeated], key=lambda pair: FIELDS.index(pair[0])))
    rest = [(name, value) for name, value in rest if name not in {"from", "via", "to"}]
    legs = [("leg", f"{one.origin}-{one.destination}-{one.airline}") for one in itinerary.legs]
    return urlencode([*rest, *legs])


def query_with_place(itinerary: Itinerary, number: int, spelled: str) -> str:
    """Return the parameters of an itinerary with another place at one position, counted from 0."""
    places = list(itinerary.asked.places)
    places[number] = Point(spelled=spelled)
    changed = structs.replace(itinerary.asked, places=tuple(places))
    return query(structs.replace(itinerary, asked=changed))


def query_with_airline(itinerary: Itinerary, number: int, code: str) -> str:
    """Return the parameters of an itinerary with another airline for one flight, counted from 0.

    Later flights on the same airline change too.
    """
    before = itinerary.airlines[number]
    same = itertools.takewhile(lambda airline: airline == before, itinerary.airlines[number:])
    changed = [*itinerary.airlines[:number], *(code for _ in same)]
    airlines = (*changed, *itinerary.airlines[len(changed) :])
    problems = tuple(one for one in itinerary.asked.problems if one.field != "airline")
    asked = structs.replace(itinerary.asked, airline=airlines[0], problems=problems)
    return query(structs.replace(itinerary, asked=asked, airlines=airlines))


def _of_legs(written: list[str], problems: list[Problem]) -> tuple[str, tuple[Stop, ...]]:
    """Read flights that are written one by one; each starts where the one before ended."""
    found = [LEG.fullmatch(one.strip().upper()) for one in written]
    legs = [one.groups() for one in found if one is not None]
    chained = all(before[1] == after[0] for before, after in itertools.pairwise(legs))
    if len(legs) != len(written) or not chained or len(legs) > MAX_LEGS:
        problems.append(Problem("leg", "wrong", "trip.leg.wrong", (("most", MAX_LEGS),)))
    if not legs:
        return "", (Stop("", ""),)
    return legs[0][0], tuple(Stop(airline, end) for _, end, airline in legs[: MAX_LEGS + 1])


def _stop_is_missing(parameters: QueryDict) -> bool:
    """Tell whether the form names an airline for a flight after a missing stop."""
    onward = parameters.getlist("airline")[1:]
    stops = parameters.getlist("via")
    return any(
        airline.strip() and not (stops[at].strip() if at < len(stops) else "")
        for at, airline in enumerate(onward)
    )


def _of_form(parameters: QueryDict) -> tuple[str, tuple[Stop, ...]]:
    """Read the stops of the form. A missing airline is that of the flight before."""
    airlines = [one.strip() for one in parameters.getlist("airline")] or [""]
    named = itertools.zip_longest(parameters.getlist("via"), airlines[1:], fillvalue="")
    onward = [(place.strip(), airline) for place, airline in named if place.strip()][: MAX_STOPS + 1]
    places = [*(place for place, _ in onward), asking.value_of(parameters, "to")]
    stops: list[Stop] = []
    for place, airline in zip(places, [airlines[0], *(airline for _, airline in onward)], strict=True):
        stops.append(Stop(airline or (stops[-1].airline if stops else ""), place))
    return asking.value_of(parameters, "from"), tuple(stops)


def _plain(parameters: QueryDict, release: Published, origin: str, stops: tuple[Stop, ...]) -> QueryDict:
    """Return the parameters in the form that `aeo.asking` reads: one airline, and the model by its id."""
    plain = parameters.copy()
    for name in ("leg", "more"):
        plain.pop(name, None)
    plain["from"], plain["to"], plain["airline"] = origin, stops[-1].place, stops[0].airline
    plain.setlist("via", [one.place for one in stops[:-1]])
    plain["model"] = _model_id(release, asking.value_of(parameters, "model"))
    return plain


def _model_id(release: Published, typed: str) -> str:
    """Return the id of the model with a typed name, model number or alias; else the typed text.

    A part of a name is not enough: no answer may be about a model that was not meant.
    """
    if not typed or typed.lower() in release.shelf.devices:
        return typed.lower()
    found = [one.value for one in suggest_models(release, typed)]
    return _only((one for one in found if fold(typed) in _names_of(release.shelf.devices[one])), typed)


def _names_of(device: Device) -> set[str]:
    own = [device.model_name, *filter(None, (device.model_number, *device.aliases))]
    return {fold(name) for one in own for name in (one, f"{device.brand} {one}", model_name(device))}


def _only(found: Iterable[str], typed: str) -> str:
    each = set(found)
    return each.pop() if len(each) == 1 else typed
