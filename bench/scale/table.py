"""The table of a part in Markdown: a row for each figure, a column for each size, and an exponent."""

import math
from collections.abc import Mapping, Sequence
from statistics import linear_regression

from bench.scale.kept import BUSY, Figures

NOT_GROWING = "—"


def table(counted: str, found: Mapping[int, Figures]) -> str:
    """Write the figures of a part. `counted` says what its sizes count."""
    names = list(dict.fromkeys(name for figures in found.values() for name in figures))
    head = [counted, *(f"{size:,}" for size in found), "exponent"]
    rows = [[name, *_cells(name, found), _exponent(name, found)] for name in names]
    return "\n".join(_line(row) for row in [head, ["---"] * len(head), *rows])


def exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """Return the slope of a cost in a log-log plot: 1 grows with the size, 0 not at all, 2 with its square.

    None where it has no meaning: fewer than two points, or one that is not above zero.
    """
    if len(points) < 2 or any(size <= 0 or cost <= 0 for size, cost in points):
        return None
    sizes, costs = zip(*points, strict=True)
    return linear_regression([math.log(size) for size in sizes], [math.log(cost) for cost in costs]).slope


def _cells(name: str, found: Mapping[int, Figures]) -> list[str]:
    return [_number(figures[name]) if name in figures else NOT_GROWING for figures in found.values()]


def _exponent(name: str, found: Mapping[int, Figures]) -> str:
    slope = exponent([(size, figures[name]) for size, figures in found.items() if name in figures])
    return NOT_GROWING if slope is None or name == BUSY else f"{slope:.2f}"


def _number(value: float) -> str:
    """Write three digits of a number that are worth reading."""
    if value == 0:
        return "0"
    return f"{value:,.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
