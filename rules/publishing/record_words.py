"""How any record of a release reads: one English sentence for editors.

Names come from the releases themselves, so a page needs no further table. Pure. Called by the screens of
releases.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from catalog.dates import day_words
from catalog.records import Airline, Country, Device, Jurisdiction, Source
from recalls.editing import recall_sentence
from rules.disagreements import sentence as disagreement_sentence
from rules.editing.rule_sentence import names_in
from rules.engine.document import ID_FIELD, Content


class RecordWords:
    """The sentences of the records of two releases."""

    def __init__(self, before: Content, after: Content) -> None:
        self._contents = (before, after)
        self._read: Mapping[str, Callable[[Any], str]] = {
            "rules": names_in(before, after).read,
            "recalls": recall_sentence.reads_as,
            "disagreements": disagreement_sentence.reads_as,
            "devices": _device,
            "airlines": _airline,
            "sources": _source,
            "countries": _country,
            "jurisdictions": _jurisdiction,
        }

    def of(self, kind: str, ids: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Return how records of a kind read before and after, by id; "" where a record is absent."""
        wanted = set(ids)
        sides = [
            {
                name: self._read[kind](one)
                for one in getattr(content, kind)
                if (name := getattr(one, ID_FIELD[kind])) in wanted
            }
            for content in self._contents
        ]
        return {name: (sides[0].get(name, ""), sides[1].get(name, "")) for name in wanted}


def _device(one: Device) -> str:
    number = f" ({one.model_number})" if one.model_number else ""
    energy = "energy not known" if one.watt_hour is None else f"{one.watt_hour:f} Wh {one.watt_hour_basis}"
    capacity = "capacity not known" if one.capacity_mah is None else f"{one.capacity_mah:,} mAh"
    return f"{one.brand} {one.model_name}{number}: {energy}, {capacity}."


def _airline(one: Airline) -> str:
    return f"{one.name} ({one.airline}), based in {one.country}, {one.confidence}: {one.summary}"


def _source(one: Source) -> str:
    read = f"read on {day_words(one.read_on)}" if one.citable else "never read"
    return f"{one.authority}: {one.title}, {read}."


def _country(one: Country) -> str:
    return f"{one.name}."


def _jurisdiction(one: Jurisdiction) -> str:
    inside = f", inside {', '.join(one.member_of)}" if one.member_of else ""
    return f"{one.name}{inside}: {one.regulator}."
