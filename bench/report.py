"""The lines of a report: one JSON object for each figure, with the spread of its rounds."""

import json
import sys
from collections.abc import Sequence
from statistics import median
from typing import Any

Line = dict[str, Any]


class Disagreement(Exception):
    """Two sides of a comparison gave different answers, so their times mean nothing."""


def value(name: str, figures: Sequence[float], unit: str, digits: int = 1, **more: object) -> Line:
    """Return the line of a figure: the median of the rounds and their spread."""
    return {
        "name": name,
        "value": round(median(figures), digits),
        "unit": unit,
        **_spread(figures, digits),
        **more,
    }


def ratio(name: str, dividends: Sequence[float], divisors: Sequence[float], **more: object) -> Line:
    """Return the line of a comparison: how many times the divisor the dividend is.

    `ratio` divides the best turn of one side by the best of the other, because other load on the machine did
    not slow these down. The spread is that of the ratios of each round.
    """
    ratios = [dividend / divisor for dividend, divisor in zip(dividends, divisors, strict=True)]
    return {
        "name": name,
        "ratio": round(min(dividends) / min(divisors), 3),
        "unit": "times",
        **_spread(ratios, 3),
        **more,
    }


def _spread(figures: Sequence[float], digits: int) -> Line:
    return {
        "min": round(min(figures), digits),
        "median": round(median(figures), digits),
        "max": round(max(figures), digits),
        "rounds": len(figures),
    }


def show(line: Line) -> None:
    """Print a line of the report."""
    print(json.dumps(line), flush=True)


def say(progress: str) -> None:
    """Print the current step on standard error, apart from the report."""
    print(progress, file=sys.stderr, flush=True)
