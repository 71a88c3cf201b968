"""Which words of a changed line differ: whole words and figures, characters of Chinese and Japanese."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

import msgspec

from rules.watch.text.alignment import Budget
from rules.watch.text.folding import fold
from rules.watch.text.spacing import WIDE

_TOKENS = re.compile(rf"\s+|\d+(?:[.,]\d+)*|[{WIDE}]|[^\W\d_{WIDE}]+|.", re.DOTALL)


class Run(msgspec.Struct, frozen=True):
    """Some words of a line; `marked` if the other side does not have them."""

    text: str
    marked: bool = False


def marked(left: str, right: str, budget: Budget) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """Return both lines as runs; the joined texts of the runs of a side are its line."""
    old, new = _TOKENS.findall(left), _TOKENS.findall(right)
    old_keys, new_keys = [fold(token) for token in old], [fold(token) for token in new]
    old_marks, new_marks = [True] * len(old), [True] * len(new)
    if budget.spend(len(old) * len(new)):
        matcher = SequenceMatcher(None, old_keys, new_keys, autojunk=False)
        for start, other, length in matcher.get_matching_blocks():
            old_marks[start : start + length] = [False] * length
            new_marks[other : other + length] = [False] * length
    return _runs(old, old_marks), _runs(new, new_marks)


def _runs(tokens: Sequence[str], marks: list[bool]) -> tuple[Run, ...]:
    # A space between two marked words is marked: one run reads better than two.
    for position in range(1, len(tokens) - 1):
        if tokens[position].isspace() and marks[position - 1] and marks[position + 1]:
            marks[position] = True
    runs: list[tuple[list[str], bool]] = []
    for token, mark in zip(tokens, marks, strict=True):
        if runs and runs[-1][1] == mark:
            runs[-1][0].append(token)
        else:
            runs.append(([token], mark))
    return tuple(Run("".join(words), mark) for words, mark in runs)
