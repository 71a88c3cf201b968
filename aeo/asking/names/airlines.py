"""Airlines by name: the name of the record, and the names that people use in other languages.

`airline_names.yaml` holds the other names. They only find an airline; pages show the record's name. Called by
`aeo.asking.names.suggestions` and the readers of sentences in `aeo.asking.free_text`.
"""

import functools
import re
import unicodedata
from collections.abc import Mapping

import yaml

from aeo.asking.names.folding import fold
from aeo.asking.names.places import FOLDER, gazetteer
from rules.corpus import Published
from rules.engine.facts import Airline
from rules.selectors import airlines

_BRACKETS = re.compile(r"\s*\([^)]*\)")
_GENERIC = re.compile(r"(?<=.) (?:air ?lines?|airways|air|aviation)$|(?<=..)(?:航空公司|航空|항공)$")
_FLIGHT = re.compile(r"([A-Z0-9]{2}|[A-Z]{3})[ -]?[0-9]{1,4}[A-Z]?")


@functools.cache
def other_names() -> Mapping[str, tuple[str, ...]]:
    """Return the names of airlines that their records lack, by IATA code; read at the first call."""
    rows = yaml.load((FOLDER / "airline_names.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return {code: tuple(names) for code, names in rows.items()}


@functools.cache
def ordinary_words() -> frozenset[str]:
    """Return the names and codes of airlines that are also ordinary words or abbreviations, folded."""
    lines = (FOLDER / "airline_words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@functools.lru_cache(maxsize=4096)
def spellings(code: str, name: str) -> tuple[str, ...]:
    """Return the folded names of an airline: its own with and without brackets, and all others."""
    return tuple(
        {fold(spelled): None for spelled in (name, _BRACKETS.sub("", name), *other_names().get(code, ()))}
    )


def find(release: Published, text: str, most: int) -> list[Airline]:
    """Return the airlines that a text finds: by code or name as in the lists, and by their other names."""
    asked = fold(text)
    if not asked:
        return []
    ranked: dict[str, int] = {}
    for airline in release.shelf.airlines.values():
        spelled = spellings(airline.airline, airline.name)
        if asked in spelled:
            ranked[airline.airline] = 0
        elif any(name.startswith(asked) for name in spelled):
            ranked[airline.airline] = 1
        elif not asked.isascii() and any(asked in name for name in spelled):
            ranked[airline.airline] = 2
    by_other_names = sorted(ranked, key=lambda code: (ranked[code], code))
    listed = [airline.airline for airline in airlines.find(release, q=asked)]
    exact = [code for code in listed if asked in (code.lower(), release.shelf.airlines[code].icao.lower())]
    found = dict.fromkeys([*exact, *by_other_names, *listed])
    return [release.shelf.airlines[code] for code in found][:most]


def short(name: str) -> str:
    """Return a folded name without its last word if that only says that it is an airline."""
    return _GENERIC.sub("", name)


def certain(release: Published, text: str) -> Airline | None:
    """Return the one airline that a text names in full, or without its last word (China Southern).

    A short name may mean something else if another airline's name begins with it, or if a place has it too:
    `Thai` is also Thai AirAsia, and `Qatar` a country.
    """
    asked = fold(text)
    named = {code: spellings(code, one.name) for code, one in release.shelf.airlines.items()}
    full = [code for code, names in named.items() if asked in names]
    if full or not asked:
        return release.shelf.airlines[full[0]] if len(full) == 1 else None
    begun = [code for code, names in named.items() if any(_begins(name, asked) for name in names)]
    exact = [code for code in begun if any(short(name) == asked for name in named[code])]
    alone = len(begun) == 1 and exact == begun and not gazetteer().named(asked)
    return release.shelf.airlines[exact[0]] if alone else None


def of_flight(release: Published, text: str) -> Airline | None:
    """Return the airline whose code a flight number begins with: `EK001`, `KE 085`, `UAE1`.

    Another airline may operate the flight.
    """
    if not (number := _FLIGHT.fullmatch(unicodedata.normalize("NFKC", text).strip().upper())):
        return None
    records, code = release.shelf.airlines, number[1]
    return records.get(code) or next((one for one in records.values() if one.icao == code), None)


def _begins(name: str, asked: str) -> bool:
    return name.startswith(f"{asked} " if asked.isascii() else asked)
