"""Writes an itinerary as the parameters of its address: one spelling for one question."""

from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl, urlencode

from aeo import asking
from aeo.asking import FIELDS
from aeo.itineraries.asked import FLIGHT_FIELDS, ITEM_FIELDS, ItineraryAsked
from aeo.itineraries.written import suffixed


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
