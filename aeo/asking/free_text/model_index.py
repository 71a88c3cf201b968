"""Which models a stretch of text names: exactly, nearly or not at all.

A model is named exactly by its brand with its name or its number, by its id, or by a number that has letters
and digits. Words of the same brand's catalog that follow are part of the name: PowerCore 10000 PD is not
PowerCore 10000. Called by the readers of sentences in `aeo.asking.free_text`.
"""

import functools
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from aeo.asking.free_text.vocabulary import vocabulary
from aeo.asking.names.folding import fold
from catalog.search import local_names
from catalog.search.device_words import identities, words_of
from catalog.search.words import GENERIC, is_figure, words
from rules.corpus import Published
from rules.engine.facts import Device

MOST_TOKENS = 16
"""The maximum number of words in the name of a model."""

MOST_CANDIDATES = 50

LINKS = frozenset(("", "の", "的", "의"))
"""Text without meaning between a brand and its model: シャオミのPB1022ZM."""

VARIANTS = frozenset(
    ("air", "gen", "lite", "max", "mini", "nano", "neo", "plus", "pro", "se", "slim", "ultra", "x")
)
"""Words that distinguish models of one name. Without them, a name may mean another model, listed or not."""

SUFFIXES = frozenset(("a", "carry", "class", "direct", "fly", "go", "i", "pack", "travel", "trip"))
"""Small words that a capital makes a part of a name: Anker 737 Go."""

LETTERS = frozenset("bcdefghjklmnopqrstuvwxyz")
"""Letters that may distinguish models, without an apostrophe; "a" and "I" are words."""

APOSTROPHES = frozenset("'\u2019")

_DOUBTFUL_ENERGY = 95
"""Above so many watt-hours, a limit may ban one of two models and not the other."""

_POWER = re.compile(r"[0-9]{1,3}w")
_NUMBER = re.compile(r"(?=.*[a-z])(?=.*[0-9])[a-z0-9]{4,}")
_LOCAL = {fold(name): fold(brand) for brand, names in local_names.BRANDS.items() for name in names}
_LOCAL_GENERIC = frozenset(map(fold, local_names.GENERIC))
_KNOWN = "|".join(re.escape(name) for name in sorted([*_LOCAL, *_LOCAL_GENERIC], key=len, reverse=True))
_RUNS = (
    "[\u30a0-\u30ff]",
    "[\u3040-\u309f]",
    "[\u3005-\u3007\u3400-\u9fff]",
    "[\uac00-\ud7a3]",
    r"[^\W_\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]",
)
# Scripts without spaces put the name of a brand directly after another word.
_TOKEN = re.compile("|".join([_KNOWN, *(rf"(?:(?!{_KNOWN}){letter})+" for letter in _RUNS)]))


@functools.cache
def new_ones() -> frozenset[str]:
    """Return the words that may name the newest model of a name, or say that a unit was not used."""
    return frozenset(word for word, kind in vocabulary().determiners.items() if kind == "new")


class Token(NamedTuple):
    """A word of a folded text: where it starts and ends, and its meaning; local brands in Latin letters."""

    start: int
    end: int
    word: str

    @property
    def generic(self) -> bool:
        """Whether it only says that something is a power bank."""
        return self.word in GENERIC or self.word in _LOCAL_GENERIC


def tokens(folded: str) -> list[Token]:
    """Return the words of a folded text."""
    return [
        Token(found.start(), found.end(), _LOCAL.get(found[0], found[0])) for found in _TOKEN.finditer(folded)
    ]


class Models:
    """The models of one release by what names them exactly."""

    def __init__(self, release: Published) -> None:
        self._release = release
        self._exact: defaultdict[str, dict[str, Device]] = defaultdict(dict)
        self._of_brand: defaultdict[str, list[Device]] = defaultdict(list)
        self._vocabularies: dict[str, frozenset[str]] = {}
        self._keys: list[str] = []
        for device in release.shelf.all_devices:
            brand = _joined(device.brand)
            self._of_brand[brand].append(device)
            for key in _keys(device, brand):
                self._exact[key][device.model_id] = device
        self._keys = sorted(self._exact)

    def longest(self, found: Sequence[Token]) -> tuple[int, tuple[Device, ...]]:
        """Return how many of the first tokens name models exactly (as many as possible), and these models."""
        size, key = 0, ""
        devices: tuple[Device, ...] = ()
        for number, token in enumerate(found[:MOST_TOKENS], start=1):
            if key and token.word in LINKS:
                continue
            key += token.word
            at = bisect_left(self._keys, key)
            if at == len(self._keys) or not self._keys[at].startswith(key):
                break
            if key in self._exact:
                size, devices = number, tuple(self._exact[key].values())
        return size, devices

    def brand_at(self, found: Sequence[Token], at: int) -> tuple[str, int] | None:
        """Return the brand that starts at a token, and the token after it. The longest name counts.

        "My power bank" is not one by Mypower: no name of several words begins with a small word.
        """
        for size in (3, 2, 1) if found[at].word not in vocabulary().fillers else (1,):
            key = "".join(token.word for token in found[at : at + size])
            if at + size <= len(found) and key in self._of_brand:
                return key, at + size
        return None

    def belongs(self, brand: str, token: Token) -> bool:
        """Tell whether a word is in the catalog of a brand, or is generic."""
        return token.generic or all(word in self._vocabulary(brand) for word in words(token.word))

    def has_word(self, brand: str, word: str) -> bool:
        """Tell whether the catalog of a brand has a word that is not generic."""
        return word not in GENERIC and word in self._vocabulary(brand)

    def meeting(self, brand: str, text: str) -> tuple[Device, ...]:
        """Return the models of a brand that contain every word of a text, best first."""
        asked = set(words(text))
        return tuple(
            device
            for device in self._release.shelf.search_devices(text)[:MOST_CANDIDATES]
            if _joined(device.brand) == brand and asked <= _words(device)
        )

    def surely(self, device: Device, said: str) -> bool:
        """Tell whether words that fit only one model leave no doubt that it is meant.

        Its number leaves no doubt. A name must include what distinguishes models with the same name. No other
        model that it may mean can be stricter: recalled where this one is not, or over a limit.
        """
        asked = set(words(said))
        if any(own and own in asked for own in identities(device)):
            return True
        if (VARIANTS & set(words(device.model_name))) - asked:
            return False
        return not any(
            self._is_stricter(other, device, asked) for other in self.meeting(_joined(device.brand), said)
        )

    def _is_stricter(self, other: Device, device: Device, asked: set[str]) -> bool:
        """Tell whether another model may be banned where this one is not, and no word excludes it."""
        entry = self._release.corpus.device
        if entry(other.model_id).recalls and not entry(device.model_id).recalls:
            return True
        if (VARIANTS & set(words(other.model_name))) - asked:
            return False
        if other.watt_hour is None:
            return device.watt_hour is not None
        return other.watt_hour > max(device.watt_hour or 0, _DOUBTFUL_ENERGY)

    def _vocabulary(self, brand: str) -> frozenset[str]:
        if brand not in self._vocabularies:
            self._vocabularies[brand] = frozenset[str]().union(*map(_words, self._of_brand[brand]))
        return self._vocabularies[brand]


@functools.lru_cache(maxsize=1)
def models_of(release: Published) -> Models:
    """Return the models of a release by their names. Built at the first call for that release."""
    return Models(release)


def brand_of(device: Device) -> str:
    """Return the brand of a model as `Models` knows it."""
    return _joined(device.brand)


def numbered(device: Device, text: str) -> bool:
    """Tell whether a text has a number of the model other than its capacity, which many models share.

    Many share the power too: "Baseus 20000 mAh 65W" may be another model, "Baseus Blade 100W" is one.
    """
    capacity = {f"{device.capacity_mah}", f"{device.capacity_mah}mah"}
    numbers = [word for word in words(text) if any(map(str.isdigit, word)) and word not in capacity]
    if any(not _POWER.fullmatch(word) for word in numbers):
        return True
    names = {word for word in words(text) if word.isalpha()} - set(words(device.brand)) - GENERIC
    return bool(numbers) and bool(names)


def _words(device: Device) -> set[str]:
    return words_of(device, [*words(device.brand), *words(device.model_name)])


def _keys(device: Device, brand: str) -> Iterable[str]:
    name, number = _joined(device.model_name), _joined(device.model_number or "")
    yield brand + name
    yield _joined(device.model_id)
    for own in filter(None, (number, *map(_joined, device.aliases))):
        yield from (brand + own, brand + name + own, brand + own + name)
        if _NUMBER.fullmatch(own) and not is_figure(own):
            yield own


def _joined(text: str) -> str:
    return fold(text).replace(" ", "")
