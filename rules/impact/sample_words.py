"""The whole question of a sample in plain English, for the desk and for `manage.py corpus impact`.

It says every fact of the unit that is known, and leaves out what is not. Pure.
"""

from collections.abc import Iterator

from catalog.dates import day_words
from rules.engine.facts import Unit
from rules.engine.vocabulary import (
    COMPARTMENT_WORDS,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    UnitCondition,
)
from rules.impact.survey import Sample

CONDITIONS: dict[UnitCondition, str] = {"intact": "intact", "damaged": "damaged", "unknown": ""}
MARKS: dict[MarkIndication, str] = {
    "present": "with a CCC mark",
    "absent": "without a CCC mark",
    "unknown": "",
}
LABELS: dict[LabelIndication, str] = {
    "legible": "with a legible label",
    "missing": "without a legible label",
    "unknown": "",
}
LIST_ANSWERS: dict[ListAnswer, str] = {
    "not_affected": "not affected by the maker's list",
    "affected": "affected by the maker's list",
    "not_checked": "",
}


def asked_in_words(sample: Sample, *, model: str, origin: str, destination: str, airline: str) -> str:
    """Return the question of a sample, given the names of what it is about."""
    question = sample.question
    unit = question.unit
    number = "1 unit" if unit.quantity == 1 else f"{unit.quantity} units"
    facts = ", ".join(_facts(unit))
    described = f" ({facts})" if facts else ""
    about = model if sample.label is None else _label(sample)
    return (
        f"{number} of {about}{described} {COMPARTMENT_WORDS[question.compartment_intent]}, "
        f"{origin} to {destination} with {airline}, on {day_words(question.travel_date)}"
    )


def _facts(unit: Unit) -> Iterator[str]:
    """Return what is known about a unit."""
    yield from filter(
        None,
        (
            CONDITIONS[unit.condition],
            MARKS[unit.ccc_mark],
            LABELS[unit.capacity_label],
            LIST_ANSWERS[unit.recall_check],
        ),
    )
    if unit.serial is not None:
        yield f"with the serial {unit.serial}"
    elif unit.serial_hash is not None:
        yield "with only the hash of a serial"


def _label(sample: Sample) -> str:
    if sample.label is None or sample.label.watt_hour is None:
        return "a model that is not in the catalog, of unknown energy"
    return f"a model that is not in the catalog, of {sample.label.watt_hour} Wh ({sample.label.basis})"
