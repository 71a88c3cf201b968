"""What the words of a sentence fill in, and what they leave to the traveler: the one place that decides.

A word that was not used can change any number and turn any mild fact into its opposite. So while there is
one, numbers and mild facts stay open, the traveler answers the fields that the word may be about, and
confirms the form. Strict facts are filled in. Called by the readers of `/check` and of an itinerary.
"""

import re
from collections.abc import Iterable, Mapping

from aeo.asking.free_text.sentence import Choice
from aeo.asking.free_text.understood import Label, Understood, Unused
from aeo.asking.free_text.vocabulary import MILD
from rules.engine.matching import plain

ALWAYS_NEEDED = frozenset(("bag", "condition", "count"))
"""The fields that are required for a confirmation."""

NEEDED_FOR = {
    "": "date",
    "when": "date",
    "day": "date",
    "order": "date",
    "bag": "bag",
    "label": "label",
    "mark": "mark",
    "recalled": "recall",
}
"""The additional required fields, by the subject of the unused words. An unknown word may be a day."""

NUMBERS = frozenset(("count", "people"))
"""The fields of numbers, which a word such as “each” multiplies."""


_SENTENCE_END = re.compile(r"[.!?]\s|[\u3002\uff01\uff1f]")


def needed(unused: Iterable[Unused]) -> frozenset[str]:
    """Return the fields that the traveler answers before a confirmation counts."""
    return ALWAYS_NEEDED | {NEEDED_FOR[one.about] for one in unused if one.about in NEEDED_FOR}


def fillable(values: Mapping[str, str], unused: Iterable[Unused]) -> dict[str, str]:
    """Return the values that a sentence may fill in. Names may end in the number of a power bank."""
    held_back = any(unused)
    return {
        name: value
        for name, value in values.items()
        if value and not (held_back and _stays_open(name.partition("_")[0], value))
    }


def strict_facts(said: Understood) -> dict[str, str]:
    """Return the facts that make an answer stricter. They count for every power bank of a sentence."""
    return {name: value for name, value in said.facts().items() if (name, value) not in MILD}


def is_denied(text: str, name: str, unused: Iterable[Unused]) -> bool:
    """Tell whether the sentence that has a name may deny it: "anyone except Qantas"."""
    denials = [one.words for one in unused if one.about == "negation"]
    parts = _SENTENCE_END.split(text)
    if not any(name in part for part in parts):
        return bool(denials)
    return any(name in part and words in part for part in parts for words in denials)


def named(choice: Choice | None) -> str:
    """Return what a field gets for a name: its meaning, or the words if it may have several."""
    return "" if choice is None else choice.value or choice.words


def place(choice: Choice | None) -> str:
    """Return a place as the traveler named it: a city stays a city."""
    return choice.chosen.sent if choice and choice.chosen else named(choice)


def day(said: Understood) -> str:
    """Return the day of a sentence."""
    return said.travel_date.isoformat() if said.travel_date else ""


def figures(label: Label | None) -> dict[str, str]:
    """Return the figures of a label."""
    if label is None:
        return {}
    return {
        "wh": plain(label.watt_hour) if label.watt_hour else "",
        "mah": str(label.capacity_mah or ""),
        "v": plain(label.nominal_voltage) if label.nominal_voltage else "",
    }


def _stays_open(name: str, value: str) -> bool:
    return name in NUMBERS or (name, value) in MILD
