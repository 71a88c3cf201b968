"""Which words of the catalog a word that is not in it could mean.

Pure. Called by `catalog.search.index`. A slip is a missing letter, an extra letter, a wrong letter, or two
neighbors in the wrong order.

Only words of letters alone are guessed: a slip in `A1263` would make it another model.

The search is exact and needs no index of letter groups. A slip changes the length by one letter at most and
the letters by two at most, by one if it changes the length. So words of another length or with other letters
are excluded before any comparison; the letters are 64 bits, and a hundred thousand of them take some
milliseconds.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

_FROM_LETTERS = ((8, 2), (4, 1))
"""How many slips are allowed from how many letters on. Three letters are too few to guess from."""


def slips_forgiven(word: str) -> int:
    """Return how many slips a word may have: none unless it is four letters long, two from eight."""
    if not word.isalpha():
        return 0
    return next((slips for letters, slips in _FROM_LETTERS if len(word) >= letters), 0)


class SimilarWords:
    """Words of letters by their length, with the set of their letters. `forgiven` is the number of slips."""

    def __init__(self, words: Iterable[str], forgiven: Callable[[str], int] = slips_forgiven) -> None:
        self._forgiven = forgiven
        self._by_length: dict[int, tuple[list[str], array[int]]] = defaultdict(lambda: ([], array("Q")))
        for word in words:
            if word.isalpha():
                same_length, letters = self._by_length[len(word)]
                same_length.append(word)
                letters.append(_letters(word))

    def to(self, word: str) -> list[str]:
        """Return the words with the fewest slips, within the number that this word is allowed."""
        for slips in range(1, self._forgiven(word) + 1):
            if nearest := list(self._within(slips, word)):
                return nearest
        return []

    def _within(self, slips: int, word: str) -> Iterator[str]:
        wanted = _letters(word)
        for length in range(len(word) - slips, len(word) + slips + 1):
            if length in self._by_length:
                most = 2 * slips - abs(len(word) - length)
                for candidate, letters in zip(*self._by_length[length], strict=True):
                    if (letters ^ wanted).bit_count() <= most and within(slips, word, candidate):
                        yield candidate


def within(slips: int, one: str, other: str) -> bool:
    """Return whether one word becomes the other with at most so many slips.

    The distance is that of optimal string alignment: no letter takes part in two slips.
    """
    if abs(len(one) - len(other)) > slips:
        return False
    at = 0
    for letter, counterpart in zip(one, other, strict=False):
        if letter != counterpart:
            break
        at += 1
    one, other = one[at:], other[at:]
    if slips == 0 or not one or not other:
        return len(one) + len(other) <= slips
    # The first difference is a wrong letter, an extra one, a missing one, or two in the wrong order.
    return (
        within(slips - 1, one[1:], other[1:])
        or within(slips - 1, one[1:], other)
        or within(slips - 1, one, other[1:])
        or (one[:2] == other[1::-1] and within(slips - 1, one[2:], other[2:]))
    )


def _letters(word: str) -> int:
    """Return the letters of a word as bits, each for its first and its second occurrence.

    Letters may share a bit, which only costs a comparison.
    """
    once = twice = 0
    for letter in word:
        bit = 1 << (ord(letter) & 31)
        twice |= once & bit
        once |= bit
    return twice << 32 | once
