"""What a watch is about: a trip of one power bank, or an itinerary. The same words for both kinds.

The stored question is the canonical one of `rules.engine.verdict_ids`, which shows its kind by its fields.
"""

import datetime
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import msgspec

from aeo.asking import unit_parameters
from aeo.itineraries.writing import question_query
from rules.engine.facts import ItineraryQuestion, TripQuestion
from rules.engine.verdict_ids import canonical

Watched = TripQuestion | ItineraryQuestion
"""A question that can be watched."""


def stored(question: Watched) -> dict[str, Any]:
    """Return a question as it is stored: without a serial, and without the names of items."""
    content: dict[str, Any] = msgspec.json.decode(canonical(question))
    return content


def asked(content: Mapping[str, Any]) -> Watched:
    """Return a stored question."""
    if "flights" in content:
        return msgspec.convert(content, ItineraryQuestion)
    return msgspec.convert(content, TripQuestion)


def model_ids(content: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the models of a stored question, also of one that cannot be read any more."""
    items = content.get("items", [content])
    return tuple(item["unit"]["model_id"] for item in items)


def first_day(content: Mapping[str, Any]) -> datetime.date:
    """Return the first day of travel of a stored question, also of one that cannot be read any more."""
    first = content["flights"][0]["date"] if "flights" in content else content["travel_date"]
    return datetime.date.fromisoformat(first)


def days(question: Watched) -> tuple[datetime.date, ...]:
    """Return the days of travel, in order."""
    if isinstance(question, TripQuestion):
        return (question.travel_date,)
    return tuple(dict.fromkeys(flight.date for flight in question.flights))


def page(question: Watched) -> str:
    """Return the path of the page that answers a question, in English, with its parameters."""
    if isinstance(question, ItineraryQuestion):
        return f"/itinerary?{question_query(question)}"
    values = unit_parameters(question.unit, question.compartment_intent)
    said = {"model": values.pop("model"), "date": question.travel_date.isoformat(), **values}
    legs = [("leg", f"{leg.origin}-{leg.destination}-{leg.airline}") for leg in question.legs]
    return f"/trip?{urlencode([*said.items(), *legs])}"
