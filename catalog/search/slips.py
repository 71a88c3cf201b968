"""Which words of the catalog could have been meant by a word that is not in it.

Pure. Called by `catalog.search.index`. A slip is a letter that is missing, one too many, a wrong one, or two
neighbors that have changed places.

Only words of letters alone are ever guessed at: a slip in `A1263` would make it another model.

The search is exact and needs no index of letter groups. A slip changes the length by one letter at most and
the set of letters by two at most, so words of another length or with other letters are out before any of them
is compared; sets of letters are 32 bits, and a hundred thousand of them take some milliseconds.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator

_FROM_LETTERS = ((8, 2), (4, 1))
"""From how many letters on how many slips are forgiven. Three letters are too few to guess from."""


def slips_forgiven(word: str) -> int:
    """Return how many slips a word may have: none unless it is four letters long, two from eight."""
    if not word.isalpha():
        return 0
    return next((slips for letters, slips in _FROM_LETTERS if len(word) >= letters), 0)


class SimilarWords:
    """Words of letters by their length, with the set of their letters."""

    def __init__(self, words: Iterable[str]) -> None:
        self._by_length: dict[int, tuple[list[str], array[int]]] = defaultdict(lambda: ([], array("I")))
        for word in words:
            if word.isalpha():
                same_length, letters = self._by_length[len(word)]
                same_length.append(word)
                letters.append(_letters(word))

    def to(self, word: str) -> list[str]:
        """Return the words that are the fewest slips away, of those that this word is forgiven."""
        for slips in range(1, slips_forgiven(word) + 1):
            if nearest := list(self._within(slips, word)):
                return nearest
        return []

    def _within(self, slips: int, word: str) -> Iterator[str]:
        wanted = _letters(word)
        for length in range(len(word) - slips, len(word) + slips + 1):
            if length in self._by_length:
                for candidate, letters in zip(*self._by_length[length], strict=True):
                    if (letters ^ wanted).bit_count() <= 2 * slips and within(slips, word, candidate):
                        yield candidate


def within(slips: int, one: str, other: str) -> bool:
    """Say whether one word becomes the other by at most so many slips.

    The distance is that of optimal string alignment: no letter takes part in two slips.
    """
    above: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one):
        two_above, above, row = above, row, [i + 1]
        for j, counterpart in enumerate(other):
            cost = min(above[j + 1] + 1, row[j] + 1, above[j] + (letter != counterpart))
            if i and j and letter == other[j - 1] and one[i - 1] == counterpart:
                cost = min(cost, two_above[j - 1] + 1)
            row.append(cost)
        if min(row) > slips and min(above) > slips:
            return False
    return row[-1] <= slips


def _letters(word: str) -> int:
    """Return the set of a word's letters as bits; letters may share one, which only costs a comparison."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) & 31)
    return bits
