"""The names of airlines in the reader's language. Called by whatever names an airline to readers."""

import functools
from collections.abc import Mapping
from pathlib import Path

import yaml

from rules.engine.facts import Airline
from rules.wording.translating import UNSPACED

NAMES = Path(__file__).with_name("airline_names.yaml")

NARROW, WIDE = "({})", "\uff08{}\uff09"
"""Brackets, as languages with and without spaces write them."""


def airline_name(airline: Airline, language: str, *, coded: bool = True) -> str:
    """Return the name of an airline in a language.

    Where the language has an established name of its own, it comes with the code by which tickets and
    staff know the airline; `coded` is false where the code is shown next to it. Else it is the record's name.
    """
    local = local_names().get(airline.airline, {}).get(language)
    if local is None:
        return airline.name
    if not coded:
        return local
    return f"{local}{(WIDE if language in UNSPACED else NARROW).format(airline.airline)}"


@functools.cache
def local_names() -> Mapping[str, Mapping[str, str]]:
    """Return the names by code and language; read at the first call."""
    rows: dict[str, dict[str, str]] = yaml.safe_load(NAMES.read_text(encoding="utf-8"))
    return rows
