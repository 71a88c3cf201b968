"""Stacked bars: how numbers are made up of parts. A row for each bar, all of them from zero."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from aeo.drawing.fillings import FILLINGS, LINE, filled, key, sizes
from aeo.drawing.svg import element, picture, words

WIDTH, ROW, THICKNESS = 360, 42, 14

DIGIT = 8
"""How wide a digit is at most. A number is written on its part only where it has room."""


class Bar(NamedTuple):
    """A bar: its name, and one value for each part."""

    name: str
    values: Sequence[int]


def stacked(label: str, parts: Sequence[str], bars: Sequence[Bar], *, number: Callable[[int], str]) -> str:
    """Return bars as a picture; the longest is as wide as the picture.

    `parts` are the words for the parts, at most four, and `number` writes a value.
    """
    top = len(parts) * LINE + 6
    longest = max((sum(bar.values) for bar in bars), default=0)
    rows = ["".join(_row(bar, parts, top + place * ROW, longest, number)) for place, bar in enumerate(bars)]
    height = top + len(bars) * ROW
    return picture(WIDTH, height, key(parts, 0, 0), *rows, label=label, kind="stacked")


def _row(
    bar: Bar, parts: Sequence[str], y: float, longest: int, number: Callable[[int], str]
) -> Iterator[str]:
    yield words(bar.name, 0, y + 13)
    yield words(number(sum(bar.values)), WIDTH, y + 13, text_anchor="end")
    x = 0.0
    for place, width in enumerate(sizes(bar.values, longest, WIDTH)):
        value = bar.values[place]
        if not value:
            continue
        said = number(value)
        title = element("title", escape(f"{parts[place]}: {said}"))
        yield element("g", title, filled(x, y + 19, width, THICKNESS, place))
        if width >= DIGIT * len(said) + 8:
            yield words(said, x + width / 2, y + 30, text_anchor="middle", class_=f"on-{FILLINGS[place]}")
        x += width
