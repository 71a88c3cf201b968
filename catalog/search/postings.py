"""Which devices have which word, in little memory: sorted words, and one long row of device numbers.

Pure. Called by `catalog.search.index`. Words with the same beginning are neighbors, so the devices of all of
them are one slice of the row.
"""

from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Numbers: TypeAlias = "array[int]"
"""Device numbers, `array("I")`: four bytes each."""

_LAST = "\U0010ffff"
"""Sorts after everything that can follow in a word."""


def no_numbers() -> Numbers:
    """Return an empty row of device numbers."""
    return array("I")


class Postings:
    """The devices of each word. Within a word they have the order in which they were given."""

    __slots__ = ("_numbers", "_starts", "_words")

    def __init__(self, bearers: Mapping[str, Sequence[int]]) -> None:
        self._words = sorted(bearers)
        self._numbers = no_numbers()
        self._starts = array("I", [0])
        for word in self._words:
            self._numbers.extend(bearers[word])
            self._starts.append(len(self._numbers))

    def of(self, word: str) -> Numbers:
        """Return the devices that have this word."""
        at = bisect_left(self._words, word)
        if at == len(self._words) or self._words[at] != word:
            return no_numbers()
        return self._numbers[self._starts[at] : self._starts[at + 1]]

    def beginning_with(self, start: str) -> Numbers:
        """Return the devices that have a longer word with this start, a device once for each such word."""
        first = bisect_left(self._words, start)
        if first < len(self._words) and self._words[first] == start:
            first += 1
        last = bisect_left(self._words, start + _LAST, lo=first)
        return self._numbers[self._starts[first] : self._starts[last]]

    def words(self) -> Sequence[str]:
        """Return the words in their order."""
        return self._words
