"""Two texts side by side, as an editor reads them: what was there, what is there, which words differ."""

import difflib
from typing import Literal

import msgspec


class Run(msgspec.Struct, frozen=True):
    """Some words of a line; `marked` where the other side does not have them."""

    text: str
    marked: bool = False


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the comparison: an old paragraph, a new one, or both.

    `folded` rows stand for `lines` paragraphs that are the same on both sides, or differ in looks alone
    (`noise`), and show no words.
    """

    kind: Literal["same", "changed", "added", "removed", "folded"]
    left: tuple[Run, ...] = ()
    right: tuple[Run, ...] = ()
    lines: int = 0
    noise: bool = False


def side_by_side(before: str, after: str) -> tuple[Row, ...]:
    """Return the rows in which two texts differ, with what stands around them."""
    old, new = before.split("\n"), after.split("\n")
    rows: list[Row] = []
    for kind, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            rows += [Row(kind="same", left=(Run(line),), right=(Run(line),)) for line in old[i1:i2]]
        else:
            rows += [Row(kind="removed", left=(Run(line, True),)) for line in old[i1:i2]]
            rows += [Row(kind="added", right=(Run(line, True),)) for line in new[j1:j2]]
    return tuple(rows)
