"""Columns in the order of time, with axes, and a mark below each: yes, no or not known.

The axis of values begins at zero and ends at the highest value, which is written beside it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Literal, NamedTuple

from aeo.drawing.fillings import LINE, filled, key, sizes
from aeo.drawing.svg import coordinate, element, picture, words

WIDTH, LEFT = 360, 52
TOP, FLOOR = 12, 132
"""The heights of the highest value and of zero."""

WIDEST = 36
MOST_NAMED = 3
"""So many columns have their names below them; of more only the first and the last have."""

Mark = Literal["yes", "no", "unknown"]

SHAPES: Mapping[Mark, str] = {"yes": "m-5 0 4 4 7-8", "no": "m-4-4 8 8m0-8-8 8", "unknown": "m-4 0h8"}
"""A tick, a cross and a dash, around their place."""


class Column(NamedTuple):
    """A column: its name, one value for each part, from the floor up, and its mark."""

    name: str
    values: Sequence[int]
    mark: Mark


def columns(
    label: str,
    parts: Sequence[str],
    drawn: Sequence[Column],
    marks: Mapping[Mark, str],
    *,
    number: Callable[[int], str],
) -> str:
    """Return columns as a picture, the first on the left.

    `parts` are the words for the parts, `marks` for the marks, and `number` writes a value.
    """
    highest = max((sum(one.values) for one in drawn), default=0)
    step = (WIDTH - LEFT) / max(len(drawn), 1)
    below = FLOOR + 58
    present = [mark for mark in SHAPES if any(one.mark == mark for one in drawn)]
    inside = [
        _axes(number(highest), number(0)),
        *("".join(_column(one, place, step, highest, parts, number)) for place, one in enumerate(drawn)),
        *_names([one.name for one in drawn], step),
        key(parts, LEFT, below),
    ]
    for place, mark in enumerate(present, start=len(parts)):
        y = below + place * LINE
        inside += [_mark(mark, LEFT + 10, y + 8), words(marks[mark], LEFT + 28, y + 13)]
    return picture(WIDTH, below + (len(parts) + len(present)) * LINE, *inside, label=label, kind="columns")


def _axes(highest: str, lowest: str) -> str:
    lines = f"M{LEFT} {TOP}h{WIDTH - LEFT}M{LEFT} {TOP}V{FLOOR}H{WIDTH}"
    return (
        element("path", d=lines, class_="axis")
        + words(highest, LEFT - 8, TOP + 5, text_anchor="end")
        + words(lowest, LEFT - 8, FLOOR + 4, text_anchor="end")
    )


def _column(
    one: Column, place: int, step: float, highest: int, parts: Sequence[str], number: Callable[[int], str]
) -> Iterator[str]:
    middle, width, y = LEFT + step * (place + 0.5), min(step * 0.7, WIDEST), float(FLOOR)
    said = ", ".join(f"{part}: {number(value)}" for part, value in zip(parts, one.values, strict=True))
    title = element("title", escape(f"{one.name}, {said}"))
    inside = [title]
    for part, height in enumerate(sizes(one.values, highest, FLOOR - TOP)):
        y -= height
        if height:
            inside.append(filled(middle - width / 2, y, width, height, part))
    yield element("g", *inside)
    yield _mark(one.mark, middle, FLOOR + 16)


def _names(names: Sequence[str], step: float) -> Iterator[str]:
    """Yield the names below the columns: all of a few, else those of the first and the last."""
    y = FLOOR + 40
    if len(names) <= MOST_NAMED:
        for place, name in enumerate(names):
            yield words(name, LEFT + step * (place + 0.5), y, text_anchor="middle")
    else:
        yield words(names[0], LEFT, y)
        yield words(names[-1], WIDTH, y, text_anchor="end")


def _mark(mark: Mark, x: float, y: float) -> str:
    return element("path", d=f"M{coordinate(x)} {coordinate(y)}{SHAPES[mark]}", class_=f"mark {mark}")
