"""Rules that JSON Schema cannot express: values that fit the schemas are moved to meaningful ones.

By the contract's descriptions, a date lies within a year, legs form a chain, a country or place exists, and a
query has a serial or a hash of one. A value that breaks a schema stays as it is. Most identifiers become ones
of the corpus, because nearly all generated ones end in the same 404.
"""

import datetime
import itertools
import json
import re
import zlib
from collections.abc import Callable
from typing import Any

from compliance.services.embedded import REPOSITORY

CORPUS = REPOSITORY / "compliance" / "starter_corpus"

MODEL_ID = re.compile(r"[a-z0-9][a-z0-9-]{1,79}")
AIRLINE = re.compile(r"[A-Z0-9]{2}")
COUNTRY = re.compile(r"[A-Z]{2}")
PLACE = re.compile(r"[A-Z]{2,4}")
RULE_ID = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)+")


def _ids(file: str, name: str) -> list[str]:
    return sorted(row[name] for row in json.loads((CORPUS / file).read_text()))


MODELS = _ids("devices.json", "model_id")
AIRLINES = _ids("airline_policies.json", "airline")
PLACES = _ids("jurisdictions.json", "code")
COUNTRIES = [place for place in PLACES if len(place) == 2 and place != "EU"]
RULES = _ids("rules.json", "rule_id")


def _dice(value: str) -> int:
    return zlib.crc32(value.encode(errors="replace"))


def _known(pattern: re.Pattern[str], known: list[str], *, always: bool = False) -> Callable[[Any], Any]:
    """Return a function that turns most (or all) values that match a pattern into known ones."""

    def move(value: Any) -> Any:
        # Every eighth stays unknown.
        fits = isinstance(value, str) and pattern.fullmatch(value) and value not in known
        return known[_dice(value) % len(known)] if fits and (always or _dice(value) % 8) else value

    return move


_model_id = _known(MODEL_ID, MODELS)
_airline = _known(AIRLINE, AIRLINES)
_rule_id = _known(RULE_ID, RULES)
_PLACE = re.compile(r"[A-Z]{2}|([A-Z]{2}-)?[A-Z]{3}")
_place = _known(_PLACE, [*COUNTRIES, "DXB", "DE-FRA", "LHR", "SIN"], always=True)

PARAMETERS: dict[str, Callable[[Any], Any]] = {
    "model_id": _model_id,
    "airline": _airline,
    "rule_id": _rule_id,
    "country": _known(COUNTRY, COUNTRIES, always=True),
    "jurisdiction": _known(PLACE, PLACES, always=True),
    # The address of one airline.
    "code": _airline,
}


def parameter(name: str, value: Any) -> Any:
    """Return a query or path parameter, moved."""
    move = PARAMETERS.get(name)
    return value if move is None else move(value)


def body(sent: Any, today: datetime.date) -> Any:
    """Return the body of a question, moved. It is changed in place."""
    if isinstance(sent, dict):
        unit = sent.get("device", sent)
        if isinstance(unit, dict) and "model_id" in unit:
            unit["model_id"] = _model_id(unit["model_id"])
        if isinstance(trip := sent.get("trip"), dict):
            _move_trip(trip, today)
        if "segments" in sent:
            _move_itinerary(sent, today)
        if "jurisdiction" in sent:
            sent["jurisdiction"] = parameter("jurisdiction", sent["jurisdiction"])
        drop_cursor(sent)
    return sent


def drop_cursor(sent: dict[str, Any]) -> None:
    """Remove a cursor: no generated one is valid. One that is too long stays, to be refused."""
    if isinstance(cursor := sent.get("cursor"), str) and 0 < len(cursor) <= 64:
        del sent["cursor"]


def _move_itinerary(sent: dict[str, Any], today: datetime.date) -> None:
    """Give items known models and passengers that travel, and flights known airlines and dates in order."""
    passengers = sent.get("passengers", 1)
    for item in _objects(sent.get("items")):
        if "model_id" in item:
            item["model_id"] = _model_id(item["model_id"])
        if isinstance(item.get("carried_by"), int) and isinstance(passengers, int):
            item["carried_by"] = min(item["carried_by"], max(passengers, 1))
    day = ""
    for flight in _objects(sent.get("segments")):
        for name in flight.keys() & {"operating_airline", "marketing_airline"}:
            flight[name] = _airline(flight[name])
        for name in flight.keys() & {"origin", "destination"}:
            flight[name] = _place(flight[name])
        if isinstance(flight.get("date"), str):
            flight["date"] = day = max(day, _within_a_year(flight["date"], today))


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _move_trip(trip: dict[str, Any], today: datetime.date) -> None:
    if "airline" in trip:
        trip["airline"] = _airline(trip["airline"])
    if isinstance(trip.get("date"), str):
        trip["date"] = _within_a_year(trip["date"], today)
    legs = trip.get("legs")
    if isinstance(legs, list) and all(isinstance(leg, dict) for leg in legs):
        for leg in legs:
            if "airline" in leg:
                leg["airline"] = _airline(leg["airline"])
        for before, leg in itertools.pairwise(legs):
            if _is_country(before.get("destination")) and _is_country(leg.get("origin")):
                leg["origin"] = before["destination"]


def _is_country(value: Any) -> bool:
    return isinstance(value, str) and COUNTRY.fullmatch(value) is not None


def _within_a_year(text: str, today: datetime.date) -> str:
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return text
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        return text
    return (today + datetime.timedelta(days=1 + day.toordinal() % 365)).isoformat()
