"""Writes an itinerary as the parameters of its address: one spelling for one question."""

from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl, urlencode

from aeo import asking
from aeo.asking import FIELDS
from aeo.itineraries.asked import FLIGHT_FIELDS, ITEM_FIELDS, ItineraryAsked
from aeo.itineraries.written import suffixed
from rules.engine.facts import Flight, Item, ItineraryQuestion, Label


def query(itinerary: ItineraryAsked) -> str:
    """Return the parameters of an itinerary, to be put after a question mark."""
    return urlencode(list(_parameters(itinerary)))


def query_with(itinerary: ItineraryAsked, changes: Mapping[str, str]) -> str:
    """Return the parameters with some values changed, by their numbered names; an empty one is removed."""
    kept = {name: value for name, value in _parameters(itinerary) if name not in changes}
    return urlencode({**kept, **{name: value for name, value in changes.items() if value}})


def simple_query(itinerary: ItineraryAsked) -> str:
    """Return the parameters of `/check` for a simple itinerary."""
    pairs = [(name, value) for name, value in _parameters(itinerary) if name in FIELDS]
    return urlencode(sorted(pairs, key=lambda pair: FIELDS.index(pair[0])))


def question_query(question: ItineraryQuestion) -> str:
    """Return the parameters of a question for `rules.verdicts`. The page may use shorter ones."""
    said = [] if question.passengers == 1 else [("people", str(question.passengers))]
    for at, item in enumerate(question.items, start=1):
        said += [(suffixed(name, at), value) for name, value in _of_item(item).items()]
    for at, flight in enumerate(question.flights, start=1):
        said += [(suffixed(name, at), value) for name, value in _of_flight(flight).items()]
    return urlencode(said)


def _of_item(item: Item) -> dict[str, str]:
    said = asking.unit_parameters(item.unit, item.compartment_intent)
    label = item.label or Label()
    figures = {"wh": label.watt_hour, "mah": label.capacity_mah, "v": label.voltage, "by": item.carried_by}
    return said | {name: str(value) for name, value in figures.items() if value is not None}


def _of_flight(flight: Flight) -> dict[str, str]:
    said = {
        "airline": flight.operating_airline or "",
        "sold": flight.marketing_airline or "",
        "from": flight.origin_airport or flight.origin,
        "to": flight.destination_airport or flight.destination,
        "date": flight.date.isoformat(),
    }
    return {name: value for name, value in said.items() if value}


def _parameters(itinerary: ItineraryAsked) -> Iterator[tuple[str, str]]:
    if itinerary.people not in {"", "1"}:
        yield "people", itinerary.people
    for at, item in enumerate(itinerary.items, start=1):
        said = dict(parse_qsl(asking.query(item.asked)))
        if item.by:
            said["by"] = item.by
        yield from _numbered(said, ITEM_FIELDS, at, "model")
    for at, flight in enumerate(itinerary.flights, start=1):
        said = dict(parse_qsl(asking.query(flight.asked)))
        if flight.sold:
            said["sold"] = flight.sold
        yield from _numbered(said, FLIGHT_FIELDS, at, "from")


def _numbered(
    said: Mapping[str, str], fields: tuple[str, ...], at: int, always: str
) -> Iterator[tuple[str, str]]:
    """Yield the parameters of a group. One that says nothing yet stays: its main field is empty."""
    for name in fields:
        if name in said or (name == always and at > 1 and not any(field in said for field in fields)):
            yield suffixed(name, at), said.get(name, "")
