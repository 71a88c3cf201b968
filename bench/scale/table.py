"""The table of a part in Markdown: a row for each figure, a column for each size, and an exponent.

Where a size was measured several times, its cell has the median and, in brackets, the least and the most.
"""

import math
from collections.abc import Mapping, Sequence
from statistics import linear_regression, median

from bench.scale.kept import BUSY, Figures

NOT_GROWING = "—"


def table(counted: str, found: Mapping[int, Sequence[Figures]]) -> str:
    """Write the figures of a part. `counted` says what its sizes count."""
    names = list(dict.fromkeys(name for figures in found.values() for one in figures for name in one))
    head = [counted, *(f"{size:,}" for size in found), "exponent"]
    rows = [
        [name, *(_cell(_values(name, figures)) for figures in found.values()), _exponent(name, found)]
        for name in names
    ]
    return "\n".join(_line(row) for row in [head, ["---"] * len(head), *rows])


def exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """Return the slope of a cost in a log-log plot: 1 grows with the size, 0 not at all, 2 with its square.

    None where it has no meaning: fewer than two points, or one that is not above zero.
    """
    if len(points) < 2 or any(size <= 0 or cost <= 0 for size, cost in points):
        return None
    sizes, costs = zip(*points, strict=True)
    return linear_regression([math.log(size) for size in sizes], [math.log(cost) for cost in costs]).slope


def _values(name: str, figures: Sequence[Figures]) -> list[float]:
    return [one[name] for one in figures if name in one]


def _cell(values: Sequence[float]) -> str:
    if not values:
        return NOT_GROWING
    least, most = _number(min(values)), _number(max(values))
    return _number(median(values)) + ("" if least == most else f" ({least} to {most})")


def _exponent(name: str, found: Mapping[int, Sequence[Figures]]) -> str:
    points = [(size, median(values)) for size, figures in found.items() if (values := _values(name, figures))]
    slope = exponent(points)
    return NOT_GROWING if slope is None or name == BUSY else f"{slope:.2f}"


def _number(value: float) -> str:
    """Write three digits of a number that are worth reading."""
    if value == 0:
        return "0"
    return f"{value:,.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
