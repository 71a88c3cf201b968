"""Airlines and places with names close to a misspelled text: to be offered, never chosen.

A slip is a missing letter, an extra one, a wrong one, or two neighbors in the wrong order
(`catalog.search.slips`). Names of four to six letters may have one slip, longer ones two. Names in other
scripts than Latin may have one from three characters on. Spaces make no difference. Only the names with the
fewest slips are returned. Called by `aeo.asking.names.suggestions` and the readers of sentences in
`aeo.asking.free_text`.
"""

import functools
from collections import defaultdict
from collections.abc import Iterable

from aeo.asking.names.airlines import short, spellings
from aeo.asking.names.folding import fold
from aeo.asking.names.places import Place, gazetteer
from aeo.asking.names.scripts import script_of
from catalog.search.slips import SimilarWords
from rules.corpus import Published
from rules.engine.facts import Airline

MOST = 8
"""The maximum number of results."""

_FROM_LETTERS = ((7, 2), (4, 1))
_FROM_CHARACTERS = 3
"""In these scripts a character is a syllable or a word, so few are enough."""


def near_airlines(release: Published, text: str, most: int = MOST) -> tuple[Airline, ...]:
    """Return the airlines with names close to a text, best first: `emirats` and `Korean Airlines`."""
    asked = fold(text)
    named = _airlines(release)
    names = named.same(short(asked)) or named.to(asked) or named.to(short(asked))
    found = {
        code: airline
        for name in names
        for code, airline in release.shelf.airlines.items()
        if name in _names(airline)
    }
    return tuple(sorted(found.values(), key=lambda airline: airline.name.casefold()))[:most]


def near_places(release: Published, text: str, most: int = MOST) -> tuple[Place, ...]:
    """Return the places with names close to a text, the most populous first: `londn`, `Bangkock`."""
    found = gazetteer().of_any(_places().to(fold(text)))
    return tuple(place for place in found if place.country in release.corpus.countries)[:most]


class _Names:
    """Folded names without their spaces. Names are compared within one script."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names: defaultdict[str, list[str]] = defaultdict(list)
        for name in names:
            if _forgiven(joined := name.replace(" ", "")):
                self._names[joined].append(name)
        self._similar = {
            script: SimilarWords((name for name in self._names if name.isascii() == script), _forgiven)
            for script in (True, False)
        }

    def same(self, asked: str) -> list[str]:
        """Return the names equal to a text, regardless of spaces."""
        return self._names.get(asked.replace(" ", ""), [])

    def to(self, asked: str) -> list[str]:
        """Return the names with the fewest slips from a text."""
        joined = asked.replace(" ", "")
        return [name for near in self._similar[joined.isascii()].to(joined) for name in self._names[near]]


def _forgiven(word: str) -> int:
    """Return how many slips a name may have."""
    if not word.isalpha():
        return 0
    if any(script_of(letter) != "l" for letter in word):
        return int(len(word) >= _FROM_CHARACTERS)
    return next((slips for letters, slips in _FROM_LETTERS if len(word) >= letters), 0)


def _names(airline: Airline) -> frozenset[str]:
    full = spellings(airline.airline, airline.name)
    return frozenset((*full, *map(short, full)))


@functools.lru_cache(maxsize=1)
def _airlines(release: Published) -> _Names:
    return _Names({name for airline in release.shelf.airlines.values() for name in _names(airline)})


@functools.cache
def _places() -> _Names:
    return _Names(gazetteer().names())
