"""Maps: countries as shapes, or as dots where a shape has no room for a finger, marked by what holds in them.

The shapes are data (`aeo.world.shapes`), in half CSS pixels at the width of a phone. A country with a mark is
a link; one without looks empty. Marks differ in pattern and in shade, so color is never the only sign.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from aeo.drawing.gauge import wrapped
from aeo.drawing.svg import element, link, picture

RADIUS, TARGET, QUIET = 16, 24.5, 4
"""The radius of a dot, of the place around it that can be tapped, and of a dot without a mark."""

LEGEND_WIDTH, LEGEND_TEXT, LEGEND_ROW, LEGEND_LINE = 360, 44, 30, 17


class Area(NamedTuple):
    """A country with a mark: which one, counted from 0, where it leads, and how it is said."""

    mark: int
    url: str
    label: str


class Dot(NamedTuple):
    """Where a small country is shown, and where it is."""

    x: float
    y: float
    place_x: float
    place_y: float


PATTERNS: tuple[tuple[str, int], ...] = (
    ("M-2 2l4-4M0 12l12-12M10 14l4-4", 12),
    ("M3 3h.1M9 9h.1", 12),
    ("M0 0l10 10M10 0l-10 10", 10),
    ("M0 4h8", 8),
)
"""The lines of the second and later marks, each with the size of its tile: stripes, dots, a net, lines."""

MARKS = len(PATTERNS) + 1
"""How many marks can be told apart. The first is plain."""


def overview(
    size: tuple[float, float],
    shapes: Mapping[str, str],
    places: Mapping[str, tuple[float, float]],
    marks: Mapping[str, int],
    *,
    label: str,
) -> str:
    """Return a map without links, as one image. `marks` are those of the countries that have one."""
    drawn = [element("path", class_=_mark(marks.get(code)), d=path) for code, path in shapes.items()]
    dots = [
        element("circle", class_=_mark(marks[code]), cx=x, cy=y, r=QUIET + 2)
        for code, (x, y) in places.items()
        if code in marks
    ]
    return picture(*size, _patterns(), *drawn, *dots, label=label, kind="map")


def region(
    size: tuple[float, float],
    shapes: Mapping[str, str],
    dots: Mapping[str, Dot],
    areas: Mapping[str, Area],
    *,
    label: str,
) -> str:
    """Return a map whose countries with a mark are links. The patterns are those of the page's overview."""
    land = [element("path", class_="land", d=path) for code, path in shapes.items() if code not in areas]
    quiet = [
        element("circle", class_="land", cx=dot.place_x, cy=dot.place_y, r=QUIET)
        for code, dot in dots.items()
        if code not in areas and code not in shapes
    ]
    links = [
        link(area.url, *_area(area, shapes.get(code), dots.get(code)), label=area.label)
        # Dots come last, so that no neighbor covers them.
        for code, area in sorted(areas.items(), key=lambda pair: (pair[0] in dots, pair[0]))
        if code in shapes or code in dots
    ]
    return picture(*size, *land, *quiet, *links, label=label, kind="map")


def legend(rows: Sequence[tuple[int | None, str]], *, label: str) -> str:
    """Return marks with their words, one below the other. `None` is the look of a country without a mark."""
    drawn: list[str] = []
    top = 0
    for mark, said in rows:
        drawn.append(element("rect", class_=_mark(mark), x=1, y=top + 3, width=34, height=LEGEND_ROW - 6))
        lines = wrapped([said], LEGEND_WIDTH - LEGEND_TEXT, "")
        spans = [element("tspan", escape(line), x=LEGEND_TEXT, dy=LEGEND_LINE) for line in lines]
        drawn.append(element("text", " ".join(spans), y=top + LEGEND_ROW / 2 + 5 - LEGEND_LINE))
        top += LEGEND_ROW + (len(lines) - 1) * LEGEND_LINE
    return picture(LEGEND_WIDTH, top, *drawn, label=label, kind="legend")


def _area(area: Area, shape: str | None, dot: Dot | None) -> Iterator[str]:
    if shape is not None:
        yield element("path", class_=_mark(area.mark), d=shape)
    if dot is not None:
        if (dot.x - dot.place_x) ** 2 + (dot.y - dot.place_y) ** 2 > RADIUS**2:
            start = f"M{dot.place_x:g} {dot.place_y:g}L{dot.x:g} {dot.y:g}"
            yield element("path", class_="leader", d=start)
        yield element("circle", class_="finger", cx=dot.x, cy=dot.y, r=TARGET)
        yield element("circle", class_=_mark(area.mark), cx=dot.x, cy=dot.y, r=RADIUS)


def _mark(mark: int | None) -> str:
    return "land" if mark is None else f"mark-{mark}"


def _patterns() -> str:
    return element(
        "defs",
        *(
            element(
                "pattern",
                element("rect", class_="ground", width=size, height=size),
                element("path", class_="lines", d=path),
                id=f"mark-{number}",
                width=size,
                height=size,
                patternUnits="userSpaceOnUse",
            )
            for number, (path, size) in enumerate(PATTERNS, start=1)
        ),
    )
