"""Which recorded brands a new name may be a slip of. Pure: an editor decides.

A misspelled brand hides its models from the other spelling's, and travelers may not find the right one.
"""

from collections.abc import Iterable

from catalog.search.slips import SimilarWords
from catalog.search.words import joined, words


def similar_brands(name: str, recorded: Iterable[str]) -> list[str]:
    """Return the recorded names that a new name is like, in alphabetical order.

    Two names are alike if they differ only in case, spaces and signs, by a slip or two of letters, or if the
    words of one begin with those of the other, as `Anker` and `Anker Innovations`.
    """
    by_letters: dict[str, list[str]] = {}
    for other in recorded:
        by_letters.setdefault(joined(other), []).append(other)
    near = {joined(name), *SimilarWords(by_letters).to(joined(name))}
    found = {other for letters in near for other in by_letters.get(letters, ())}
    said = words(name)
    for others in by_letters.values():
        found |= {other for other in others if _begins(said, words(other)) or _begins(words(other), said)}
    return sorted(found - {name})


def _begins(long: list[str], short: list[str]) -> bool:
    return bool(short) and long[: len(short)] == short
