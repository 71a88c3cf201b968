"""Airlines by their names: that of the record, and those that people use in other languages.

`airline_names.yaml` holds the other names. They only find an airline; what is shown is the record's name.
Called by `aeo.finding.suggestions` and the readers of sentences in `aeo.finding`.
"""

import functools
import re
from collections.abc import Mapping

import yaml

from aeo.finding.folding import fold
from aeo.finding.places import FOLDER
from rules.corpus import Published
from rules.engine.facts import Airline
from rules.selectors import airlines

_BRACKETS = re.compile(r"\s*\([^)]*\)")


@functools.cache
def other_names() -> Mapping[str, tuple[str, ...]]:
    """Return the names of airlines beside those of their records, by IATA code; read at the first call."""
    rows = yaml.safe_load((FOLDER / "airline_names.yaml").read_text(encoding="utf-8"))
    return {code: tuple(names) for code, names in rows.items()}


@functools.lru_cache(maxsize=4096)
def spellings(code: str, name: str) -> tuple[str, ...]:
    """Return the folded names of an airline: its own with and without brackets, and all others."""
    return tuple(
        {fold(spelled): None for spelled in (name, _BRACKETS.sub("", name), *other_names().get(code, ()))}
    )


def find(release: Published, text: str, most: int) -> list[Airline]:
    """Return the airlines that a text finds: by code or name as the lists do, and by their other names."""
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
