"""Which line of an old text corresponds to which line of a new one.

Lines that occur once on both sides and keep their order are anchors. Between two anchors the longest common
stretches are found, and the remaining lines are paired by the words they share. Each step costs part of a
budget; a part for which no budget is left is shown as removed and added, so no pair of texts takes long.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from rules.watch.text.spacing import WIDE

_STEPS = 2_000_000
_LARGEST = 160_000
"""How many pairs of lines, or pairs of words, may be compared each with each."""

_ALIKE = 0.4
_WORDS = re.compile(rf"[{WIDE}]|\d+|[^\W\d_{WIDE}]+")

Pair = tuple[int | None, int | None]
"""The position of an old line and of the new line next to it; None if a side has no line."""


class Budget:
    """How many comparisons a pair of texts may cost."""

    def __init__(self, steps: int = _STEPS) -> None:
        self._steps = steps

    def spend(self, steps: int) -> bool:
        """Spend some steps, or return that the budget is too small."""
        if steps > min(_LARGEST, self._steps):
            return False
        self._steps -= steps
        return True


def aligned(old: Sequence[str], new: Sequence[str], budget: Budget) -> list[Pair]:
    """Return all positions of both sequences in reading order, equal or similar lines next to each other."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    pairs: list[Pair] = [(position, position) for position in range(start)]
    left, right = start, start
    for i, j in [*_anchors(old, new, start, end), (len(old) - end, len(new) - end)]:
        pairs += _between(old, new, range(left, i), range(right, j), budget)
        if i < len(old) - end:
            pairs.append((i, j))
        left, right = i + 1, j + 1
    pairs += [(len(old) - end + k, len(new) - end + k) for k in range(end)]
    return pairs


def _anchors(old: Sequence[str], new: Sequence[str], start: int, end: int) -> list[tuple[int, int]]:
    """Lines that occur once on each side, as many as keep their order on both."""
    olds, news = Counter(old[start : len(old) - end]), Counter(new[start : len(new) - end])
    places = {new[j]: j for j in range(start, len(new) - end)}
    candidates = [
        (i, places[old[i]])
        for i in range(start, len(old) - end)
        if olds[old[i]] == 1 and news.get(old[i]) == 1
    ]
    # The longest ascending sequence, by patience sorting.
    tops: list[int] = []
    top_candidates: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(candidates):
        pile = bisect_left(tops, j)
        before.append(top_candidates[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [j]
        top_candidates[pile : pile + 1] = [number]
    found: list[tuple[int, int]] = []
    number = top_candidates[-1] if top_candidates else -1
    while number >= 0:
        found.append(candidates[number])
        number = before[number]
    return found[::-1]


def _between(
    old: Sequence[str], new: Sequence[str], olds: range, news: range, budget: Budget
) -> Iterator[Pair]:
    """The lines between two anchors."""
    if not olds or not news or not budget.spend(len(olds) * len(news)):
        yield from ((i, None) for i in olds)
        yield from ((None, j) for j in news)
        return
    matcher = SequenceMatcher(None, old[olds.start : olds.stop], new[news.start : news.stop], autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            yield from zip(olds[i1:i2], news[j1:j2], strict=True)
        else:
            yield from _similar(old, new, olds[i1:i2], news[j1:j2], budget)


def _similar(
    old: Sequence[str], new: Sequence[str], olds: range, news: range, budget: Budget
) -> Iterator[Pair]:
    """Pair lines that share words, in order; the others stay single."""
    if not olds or not news or not budget.spend(10 * len(olds) * len(news)):
        yield from ((i, None) for i in olds)
        yield from ((None, j) for j in news)
        return
    old_words = [Counter(_WORDS.findall(old[i])) for i in olds]
    new_words = [Counter(_WORDS.findall(new[j])) for j in news]
    # best[i][j]: the most words that lines from i and j on can share.
    best = [[0.0] * (len(news) + 1) for _ in range(len(olds) + 1)]
    alike = [[_alike(a, b) for b in new_words] for a in old_words]
    for i in reversed(range(len(olds))):
        for j in reversed(range(len(news))):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], alike[i][j] + best[i + 1][j + 1])
    i = j = 0
    while i < len(olds) and j < len(news):
        if alike[i][j] and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            yield olds[i], news[j]
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            yield olds[i], None
            i += 1
        else:
            yield None, news[j]
            j += 1
    yield from ((one, None) for one in olds[i:])
    yield from ((None, one) for one in news[j:])


def _alike(left: Counter[str], right: Counter[str]) -> float:
    """The share of words that two lines have in common; 0 if they are different lines."""
    total = left.total() + right.total()
    share = 2 * (left & right).total() / total if total else 0.0
    return share if share >= _ALIKE else 0.0
