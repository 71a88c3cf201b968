"""Two texts side by side for an editor: what was there, what is there, and which words differ.

Lines that both sides have are folded to a number, except a few of them around each difference. A line that
differs only in formatting, or is noise, is folded too: no one needs to read it. Two texts with the same
fingerprint have no row that is changed, added or removed; two with different ones have at least one. No two
texts take more than a second or two.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from rules.watch.text.alignment import Budget, aligned
from rules.watch.text.fingerprints import comparable, line_keys
from rules.watch.text.folding import fold
from rules.watch.text.marking import Run, marked
from rules.watch.text.spacing import without_idle_spaces

CONTEXT = 3
"""How many unchanged lines are shown before and after a difference."""

_LONG_LINE = 1_500


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the comparison: an old paragraph, a new one, or both.

    A `folded` row shows no words. It represents `lines` paragraphs that are the same on both sides or, with
    `noise`, that differ only in formatting or are not about the subject of the page.
    """

    kind: Literal["same", "changed", "added", "removed", "folded"]
    left: tuple[Run, ...] = ()
    right: tuple[Run, ...] = ()
    lines: int = 0
    noise: bool = False


def side_by_side(before: str, after: str) -> tuple[Row, ...]:
    """Return the rows in which two texts differ, with a few lines around them."""
    (old, old_keys), (new, new_keys) = _lines(before), _lines(after)
    if before != after and comparable(before) == comparable(after):
        return (Row(kind="folded", lines=len(new), noise=True),)
    budget = Budget()
    rows = [
        _row(_line(old, left), _line(new, right), same=_same(old_keys, left, new_keys, right), budget=budget)
        for left, right in aligned(old_keys, new_keys, budget)
    ]
    return tuple(_folded(rows))


def _lines(text: str) -> tuple[list[str], list[str]]:
    """The lines of a text, and the compared form of each: "" for noise.

    A line too long to compare at a glance is cut into its sentences.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    shown: list[str] = []
    keys: list[str] = []
    for line, key in zip(lines, line_keys(lines), strict=True):
        if len(line) <= _LONG_LINE:
            shown.append(line)
            keys.append(key)
            continue
        sentences = list(_sentences(line))
        shown += sentences
        keys += [without_idle_spaces(fold(sentence)) for sentence in sentences]
    return shown, keys


def _sentences(line: str) -> Iterator[str]:
    while len(line) > _LONG_LINE:
        cut = max(line.rfind(end, 0, _LONG_LINE) for end in (". ", "! ", "? ", "; ", "\u3002", "\uff1b")) + 1
        cut = cut or line.rfind(" ", 0, _LONG_LINE) + 1 or _LONG_LINE
        yield line[:cut].strip()
        line = line[cut:].strip()
    if line:
        yield line


def _line(lines: Sequence[str], position: int | None) -> str | None:
    return None if position is None else lines[position]


def _same(old: Sequence[str], left: int | None, new: Sequence[str], right: int | None) -> bool:
    """Whether a row says the same on both sides; a side without a line says nothing."""
    return (old[left] if left is not None else "") == (new[right] if right is not None else "")


def _row(left: str | None, right: str | None, *, same: bool, budget: Budget) -> Row:
    if same and left == right and left is not None:
        return Row(kind="same", left=(Run(left),), right=(Run(left),), lines=1)
    if same:
        return Row(kind="folded", lines=1, noise=True)
    if left is None:
        return Row(kind="added", right=(Run(right or "", True),), lines=1)
    if right is None:
        return Row(kind="removed", left=(Run(left, True),), lines=1)
    old, new = marked(left, right, budget)
    return Row(kind="changed", left=old, right=new, lines=1)


def _folded(rows: Sequence[Row]) -> Iterator[Row]:
    """Fold the rows that are far from any difference, and join folded rows."""
    shown = bytearray(len(rows))
    for position, row in enumerate(rows):
        if row.kind not in ("same", "folded"):
            start = max(0, position - CONTEXT)
            shown[start : position + CONTEXT + 1] = b"\1" * len(shown[start : position + CONTEXT + 1])
    waiting: Row | None = None
    for row, visible in zip(rows, shown, strict=True):
        if row.kind != "folded" and visible:
            if waiting:
                yield waiting
            waiting = None
            yield row
        elif waiting and waiting.noise == row.noise:
            waiting = Row(kind="folded", lines=waiting.lines + row.lines, noise=row.noise)
        else:
            if waiting:
                yield waiting
            waiting = Row(kind="folded", lines=row.lines, noise=row.noise)
    if waiting:
        yield waiting
