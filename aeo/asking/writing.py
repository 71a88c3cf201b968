"""Writes a question as the parameters of its address: one spelling for one question.

Default values are left out. A wrong or incomplete value is written as it was typed, so nothing is lost. A
place keeps the name that the traveler gave (`aeo.asking.names.spelling`).
"""

from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

from msgspec import structs

from aeo.asking.asked import FIELDS, Asked, Point
from rules.engine.facts import Unit
from rules.engine.vocabulary import Compartment

USUAL = {
    "bag": "carry_on",
    "count": "1",
    "mark": "unknown",
    "label": "unknown",
    "condition": "unknown",
    "recall": "not_checked",
}
"""The default values."""


def query(asked: Asked) -> str:
    """Return the parameters of a question, to be put after a question mark."""
    return urlencode(list(_parameters(asked)))


def query_with(asked: Asked, changes: Mapping[str, str]) -> str:
    """Return the parameters of a question with some fields changed; an empty change removes the field."""
    kept = [(name, value) for name, value in _parameters(asked) if name not in changes]
    changed = [(name, value) for name, value in changes.items() if value and value != USUAL.get(name)]
    return urlencode(sorted([*kept, *changed], key=lambda pair: FIELDS.index(pair[0])))


def query_with_stop(asked: Asked, number: int, spelled: str) -> str:
    """Return the parameters of a question with another place for one stop, counted from 1."""
    places = list(asked.places)
    places[number] = Point(spelled=spelled)
    return query(structs.replace(asked, places=tuple(places)))


def unit_parameters(unit: Unit, compartment: Compartment) -> dict[str, str]:
    """Return the parameters of a unit in a question for `rules.verdicts`, without default values."""
    values = {
        "model": unit.model_id,
        "bag": compartment,
        "count": str(unit.quantity),
        "mark": unit.ccc_mark,
        "label": unit.capacity_label,
        "condition": unit.condition,
        "recall": unit.recall_check,
    }
    return {name: value for name, value in values.items() if value and value != USUAL.get(name)}


def _parameters(asked: Asked) -> Iterator[tuple[str, str]]:
    wrong = {problem.field for problem in asked.problems} - {"from", "to"}
    read = _read(asked)
    for name in FIELDS:
        if name == "via":
            for stop in asked.stops:
                yield "via", stop.spelled
        else:
            value = asked.typed[name] if name in wrong else read.get(name, "")
            if value and value != USUAL.get(name):
                yield name, value


def _read(asked: Asked) -> dict[str, str]:
    """Return the fields that were understood and differ from their defaults."""
    found = {
        # With a label, a name of no model is not looked up, but it is not lost.
        "model": asked.model_id or asked.typed["model"],
        "airline": asked.airline,
        "from": asked.departure.spelled,
        "to": asked.arrival.spelled,
        "date": asked.travel_date.isoformat() if asked.typed["date"] else "",
        "bag": asked.compartment,
        "count": str(asked.quantity),
        "mark": asked.ccc_mark,
        "label": asked.capacity_label,
        "condition": asked.condition,
        "recall": asked.recall_check,
    }
    if asked.problems or not asked.model_id:
        # A label that agrees with the model adds nothing; one that is not read yet may.
        found |= {name: asked.typed[name].replace(",", ".") for name in ("wh", "mah", "v")}
    if asked.problems:
        found |= {name: asked.typed[name] for name in ("q", "confirmed")}
    return found
