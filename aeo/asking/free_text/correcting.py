"""Misspelled names of airlines and places in a sentence, read as the names.

Called by `aeo.asking.free_text.sentence`, which also returns such words as unused: no correction is silent.
"""

import functools
import re
from collections.abc import Iterator

from aeo.asking.free_text.understood import Understood, Unused
from aeo.asking.names.folding import fold
from aeo.asking.names.near import near_airlines, near_places
from aeo.asking.names.places import ordinary_words
from aeo.texts import TEXTS
from rules.corpus import Published

_FEWEST_LETTERS = 4


@functools.cache
def _english_words() -> frozenset[str]:
    """Return English words that are no misspelled names: those that pages of this site say, and others."""
    texts = (form for text in TEXTS.values() for form in ([text] if isinstance(text, str) else text))
    return ordinary_words().union(re.findall(r"[a-z]+", " ".join(texts).lower()))


def corrections(release: Published, text: str, found: Understood) -> tuple[str, tuple[Unused, ...]]:
    """Return a text with names in place of misspelled words, and these words."""
    slips: list[Unused] = []
    for word in _unused_words(found):
        if name := _name(release, word, found):
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", name, text, count=1)
            slips.append(Unused(word, "corrected"))
    return text, tuple(slips)


def _unused_words(found: Understood) -> Iterator[str]:
    for one in found.unused:
        if not one.about:
            yield from (word for word in re.findall(r"\w+", one.words) if len(word) >= _FEWEST_LETTERS)


def _name(release: Published, word: str, found: Understood) -> str | None:
    """Return the name that a misspelled word may mean, if the question lacks such a name."""
    if fold(word) in _english_words():
        return None
    if found.airline is None and (airlines := near_airlines(release, word, 1)):
        return airlines[0].name
    if found.origin is None or found.destination is None:
        # Few people misspell the first letter, and "home" is not Rome.
        near = near_places(release, word, 1)
        return near[0].name if near and fold(near[0].name)[0] == fold(word)[0] else None
    return None
