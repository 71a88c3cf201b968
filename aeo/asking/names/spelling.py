"""How an address spells a place, and which place a spelling names.

A country is spelled by its code, an airport by its IATA code, and a city by its international name. So one
place has one spelling, whatever language it was named in. If a name would mean another place, the code of its
country follows: `London, CA`. People may type such a spelling too, and also `London (Canada)` and `London
LHR`. Called by `aeo.asking.names.suggestions` and `aeo.asking`.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from aeo.asking.names import places
from aeo.asking.names.folding import MOST_CHARACTERS
from aeo.asking.names.places import Place
from rules.engine.facts import Country

_BEFORE_MORE = re.compile(r"\s*[(,、]\s*|\s+(?=[A-Z]{3}$)")
"""The text between the name of a place and the country or airport that identifies it."""


def read(text: str, countries: Mapping[str, Country]) -> list[Place]:
    """Return the places that a text names: exactly, or by a name with its country or its airport."""
    if found := places.exactly(text, countries):
        return found
    written = unicodedata.normalize("NFKC", text[:MOST_CHARACTERS]).strip().removesuffix(")")
    for between in _BEFORE_MORE.finditer(written):
        name, more = written[: between.start()], written[between.end() :]
        if name and (found := _which(read(name, countries), places.exactly(more, countries))):
            return found
    return []


def settled(found: Sequence[Place]) -> Place | None:
    """Return which of the places with a name is meant; None if that is unclear."""
    country = places.meant(found)
    return next((place for place in found if place.country == country), None)


def spelled(place: Place, countries: Mapping[str, Country]) -> str:
    """Return the spelling of a place in an address.

    If a larger place of the same country has the same name, that place is spelled: New Delhi as Delhi.
    """
    if place.kind == "country":
        return place.country
    name = place.codes[0] if place.kind == "airport" else place.name
    for spelling in (name, f"{name}, {place.country}"):
        meant = settled(read(spelling, countries))
        if meant and meant.country == place.country:
            same = (meant.kind, meant.name) == (place.kind, place.name)
            return spelling if same else spelled(meant, countries)
    return place.country


def airport_of(spelling: str) -> str | None:
    """Return the code of the airport that a spelling names, also with its country: `FRA, DE`."""
    code, _, country = spelling.partition(", ")
    there = places.airport_countries().get(code)
    return code if there is not None and country in ("", there) else None


def _which(named: Sequence[Place], more: Sequence[Place]) -> list[Place]:
    """Return the places that are in a given country, or the airport of one of them."""
    countries = {place.country for place in more if place.kind == "country"}
    cities = {(place.name, place.country) for place in named}
    airports = [one for one in more if one.kind == "airport" and (one.name, one.country) in cities]
    return [place for place in named if place.country in countries] or airports
