"""The small words of eight languages that say what a model, a number or a place is in a sentence.

They stand in `speech.yaml`. Called by the readers of sentences in `aeo.finding`.
"""

import functools
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeVar

import yaml

from aeo.finding.folding import fold
from aeo.finding.places import FOLDER
from catalog.search.words import GENERIC
from rules.engine.vocabulary import Compartment

Role = Literal["from", "to", "via"]
Meaning = TypeVar("Meaning")


class Speech(NamedTuple):
    """Folded phrases and what they mean."""

    before: Mapping[str, Role]
    after: Mapping[str, Role]
    numbers: Mapping[str, int]
    counted: frozenset[str]
    bags: Mapping[str, Compartment]
    days: Mapping[str, int]
    particles: frozenset[str]
    airports: frozenset[str]
    articles: frozenset[str]
    fillers: frozenset[str]


@functools.cache
def speech() -> Speech:
    """Return the small words of all languages; read at the first call."""
    rows = yaml.safe_load((FOLDER / "speech.yaml").read_text(encoding="utf-8"))
    return Speech(
        before=_meaning(rows["before"]),
        after=_meaning(rows["after"]),
        numbers=_meaning(rows["numbers"]),
        counted=frozenset(_phrases(rows["counted"])),
        bags=_meaning(rows["bags"]),
        days=_meaning(rows["days"]),
        particles=frozenset(_phrases(rows["particles"])),
        airports=frozenset(_phrases(rows["airports"])),
        articles=frozenset(_phrases(rows["articles"])),
        fillers=frozenset(phrase for text in rows["fillers"].values() for phrase in _phrases(text)) | GENERIC,
    )


def _meaning(rows: Mapping[Meaning, str]) -> dict[str, Meaning]:
    return {phrase: meaning for meaning, text in rows.items() for phrase in _phrases(text)}


def _phrases(text: str) -> list[str]:
    return [phrase for part in text.split(",") if (phrase := fold(part))]


@functools.cache
def small_words() -> frozenset[str]:
    """Return every small word that stands between the parts of a sentence."""
    known = speech()
    return frozenset((*known.before, *known.after, *known.numbers, *known.fillers, *known.bags, *known.days))
