"""A record in the words of the caller: names for codes, sentences for flags.

Names are the present ones of the tables; a deleted record is shown by its code. It takes three queries.
"""

import datetime
from collections.abc import Mapping
from typing import Any

from catalog.dates import day_words
from catalog.models import Airline, Country, Device
from compliance.partners.admin.keys import shown
from compliance.records.verdict_log.models import VerdictRecord

COMPARTMENTS = {"carry_on": "in a cabin bag", "checked": "in checked baggage", "on_person": "on the person"}
CONDITIONS = {"intact": "intact", "damaged": "damaged", "unknown": "not given"}
MARKS = {"present": "there", "absent": "not there", "unknown": "not given"}
LABELS = {"legible": "legible", "missing": "missing", "unknown": "not given"}
LIST_ANSWERS = {"not_checked": "not given", "not_affected": "not affected", "affected": "affected"}
RECALLS = {
    "not_affected": "no known recall covers the unit",
    "affected": "the unit is recalled",
    "serial_unknown": "the model is recalled; whether the unit is covered depends on its serial",
    "external_check_required": "the model is recalled; only the maker has the list of units",
    "": "not checked: no flight was covered",
}
SERIALS = {
    "none": "No serial was given.",
    "serial": "A serial was given. It is not stored.",
    "hash": "The hash of a serial was given. It is not stored.",
}
CHANNELS = {"api": "the API", "page": "a page of the checker", "mcp": "a tool of an agent"}


def described(record: VerdictRecord) -> list[tuple[str, str]]:
    """Return the question and the answer, as a title and a text for each line."""
    units, legs = units_asked(record), legs_asked(record)
    names = {unit["model_id"] for unit in units}
    models = dict(Device.objects.filter(pk__in=names).values_list("model_id", "model_name"))
    countries = {code for leg in legs for code in (leg["origin"], leg["destination"])}
    places = dict(Country.objects.filter(pk__in=countries).values_list("code", "name"))
    airlines = {leg["airline"] for leg in legs}
    carriers = dict(Airline.objects.filter(pk__in=airlines).values_list("code", "name"))
    return [
        *[line for unit in units for line in _unit(unit, models)],
        *[(f"Flight {number}", _flight(leg, places, carriers)) for number, leg in enumerate(legs, start=1)],
        *[
            ("Day of travel", day_words(datetime.date.fromisoformat(day)))
            for day in sorted({leg["date"] for leg in legs})
        ],
        ("Recalls", f"{RECALLS[record.recall_status]}. {SERIALS[record.serial_given]}"),
        ("Given", f"{shown(record.generated)}, by {CHANNELS[record.channel]}, in {record.language}"),
        ("Valid until", shown(record.expires)),
        ("Asked by", f"the holder of key {record.partner}" if record.partner else "a caller without a key"),
        ("Release", f"{record.ruleset_version} ({record.release_sha256})"),
        *[(f"Id of flight {number}", name) for number, name in enumerate(record.segment_ids, start=1)],
    ]


def units_asked(record: VerdictRecord) -> list[dict[str, Any]]:
    """Return the units of a question, each with its compartment, and with its label if it has no model."""
    asked = record.question
    if record.kind != "itinerary":
        return [{**asked["unit"], "compartment_intent": asked["compartment_intent"]}]
    return [{**item, **item["unit"]} for item in asked["items"]]


def legs_asked(record: VerdictRecord) -> list[dict[str, str]]:
    """Return the flights of a question, each with the airline that decided and its date."""
    asked = record.question
    if record.kind != "itinerary":
        legs = asked.get("legs") or [asked["leg"]]
        return [{**leg, "date": asked["travel_date"]} for leg in legs]
    return [
        {**flight, "airline": flight["operating_airline"] or flight["marketing_airline"]}
        for flight in asked["flights"]
    ]


def model_asked(unit: Mapping[str, Any]) -> str:
    """Return the model of a unit, or what its label says."""
    label = unit.get("label")
    if label is None:
        return str(unit["model_id"])
    return "a label: " + ", ".join(f"{name} {figure}" for name, figure in label.items())


def _unit(unit: Mapping[str, Any], models: Mapping[str, str]) -> list[tuple[str, str]]:
    model = _named(model_asked(unit), models.get(unit["model_id"]))
    return [
        ("Power bank", f"{unit['quantity']} of {model}"),
        ("Carried", COMPARTMENTS[unit["compartment_intent"]]),
        ("Condition", CONDITIONS[unit["condition"]]),
        ("CCC mark", MARKS[unit["ccc_mark"]]),
        ("Capacity label", LABELS[unit["capacity_label"]]),
        ("The maker's recall list", LIST_ANSWERS[unit.get("recall_check", "not_checked")]),
    ]


def _flight(leg: Mapping[str, str], places: Mapping[str, str], carriers: Mapping[str, str]) -> str:
    start, end = (places.get(leg[stop], leg[stop]) for stop in ("origin", "destination"))
    return f"{start} to {end} with {_named(leg['airline'], carriers.get(leg['airline']))}"


def _named(code: str, name: str | None) -> str:
    return f"{name} ({code})" if name else code
