"""The places of a journey in a sentence, each with the role that the words around it give.

Called by `aeo.asking.free_text.journey`.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from aeo.asking.free_text.items import Item
from aeo.asking.free_text.pairs import one_place
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.vocabulary import Role, every_word, vocabulary
from aeo.asking.names import places
from aeo.asking.names.places import Place

_ASIDE = re.compile(r"[\s,\u3001(]*")
"""The text between a city and its country."""


class Stay(NamedTuple):
    """A place of the journey and its role according to the words around it; `markers` are these words.

    `doubts` are names that were read as parts of this place, and may as well be stops of their own.
    """

    start: int
    end: int
    places: tuple[Place, ...]
    role: Role | None
    marked: bool
    markers: tuple[tuple[int, int], ...]
    doubts: tuple["Stay", ...] = ()


class StayReader:
    """Reads the places of one text."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.words = vocabulary()

    def read(self, items: Sequence[Item]) -> list[Stay]:
        """Return the places in their order. A city and its country, or its airport, are one place."""
        stays: list[Stay] = []
        for number, item in enumerate(items):
            if item.kind != "place":
                continue
            role, markers = self._role(items, number)
            if stays and (merged := self._same(stays[-1], item, role, markers)):
                stays[-1] = merged
                continue
            marked = role is not None or self._is_joined(items, number)
            stays.append(Stay(item.start, item.end, item.value, role, marked, markers))
        return stays

    def _is_joined(self, items: Sequence[Item], number: int) -> bool:
        """Tell whether a dash or an arrow joins a place to another one.

        "Cut-off" and "- fat -" are no routes. A name that is also a word needs one beside it that is none.
        """
        item = items[number]
        pairs = [(items[number - 1], item)] if number else []
        pairs += [(item, items[number + 1])] if number + 1 < len(items) else []
        for first, second in pairs:
            other = first if second is item else second
            if other.kind == "place" and self.reading.is_route(first.end, second.start):
                texts = (self.reading.text[one.start : one.end] for one in (item, other))
                if not all(map(is_word, texts)):
                    return True
        return False

    def _role(self, items: Sequence[Item], number: int) -> tuple[Role | None, tuple[tuple[int, int], ...]]:
        """Return the role that the words around a place give it, and these words."""
        behind = self._behind(items, number)
        if behind[0] is not None:
            return behind
        return self._ahead(items, number)

    def _behind(self, items: Sequence[Item], number: int) -> tuple[Role | None, tuple[tuple[int, int], ...]]:
        markers: list[tuple[int, int]] = []
        end = items[number].end
        for other in items[number + 1 : number + 3]:
            word = self.reading.text[other.start : other.end]
            if self.reading.between(end, other.start).strip():
                break
            if other.kind == "after" or (markers and word in self.words.after):
                return self.words.after[word], (*markers, (other.start, other.end))
            if word not in self.words.airports:
                break
            markers.append((other.start, other.end))
            end = other.end
        return None, tuple(markers)

    def _ahead(self, items: Sequence[Item], number: int) -> tuple[Role | None, tuple[tuple[int, int], ...]]:
        markers: list[tuple[int, int]] = []
        start = items[number].start
        for other in reversed(items[max(0, number - 2) : number]):
            word = self.reading.text[other.start : other.end]
            if self.reading.between(other.end, start).strip(" '\u2019"):
                break
            if other.kind == "before" and other.value:
                return other.value, (*markers, (other.start, other.end))
            if word not in self.words.articles and word not in self.words.airports:
                break
            markers.append((other.start, other.end))
            start = other.start
        return None, ()

    def _same(
        self, stay: Stay, item: Item, role: Role | None, markers: tuple[tuple[int, int], ...]
    ) -> Stay | None:
        """Return a city and its country, or its airport, as one place."""
        between = self.reading.between(stay.end, item.start)
        if not _ASIDE.fullmatch(between) or (role and stay.role and role != stay.role):
            return None
        if stay.role is None and role is not None and _before_marker(self.reading.text, stay.end, item.start):
            return None
        if stay.places == item.value and not between.strip():
            return None
        words = self.reading.text[stay.start : stay.end], self.reading.text[item.start : item.end]
        pair = one_place(stay.places, item.value, words)
        if pair is None:
            return None
        doubts = stay.doubts
        is_doubtful = not pair.sure or (pair.elsewhere and stay.role is None)
        if is_doubtful and "(" not in between:
            doubts = (*doubts, Stay(item.start, item.end, item.value, role, False, ()))
        around = (*stay.markers, *markers)
        return Stay(stay.start, item.end, pair.places, role or stay.role, True, around, doubts)


def is_word(text: str) -> bool:
    """Tell whether a name of a place is also a word that may say something else: `split`, `SIX`, `CCC`."""
    return text in places.ordinary_words() or text in every_word()


def _before_marker(text: str, end: int, start: int) -> bool:
    """Tell whether words stand between two places, such as those that give the second one's position."""
    return bool(text[end:start].strip())
