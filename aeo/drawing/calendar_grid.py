"""Counts by month as a picture: a row under each year, a column for each month, and a line where today is.

A month says `+3` for rules that start in it and, with a minus sign, how many have their last day in it.
Three dots stand for years without any. Measures are CSS pixels at the width of a phone.
"""

import calendar
import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from aeo.drawing.svg import element, link, picture, words

WIDTH = 360

COLUMN = WIDTH / 12
"""Months take the whole width, so that a finger finds each on the narrowest phone."""

YEAR, ROW, GAP, HEAD, TODAY = 18, 34, 18, 20, 18
"""The heights of a year's name, of its months, of years without a change, of the names of the months, and of
the word for today."""

STEPS = (1, 5, 15)
"""The counts from which a month has a deeper shade."""

MINUS = "\u2212"

Month = tuple[int, int]
"""A year and a month, counted from 1."""


class Count(NamedTuple):
    """How many rules start in a month and how many end, where that leads, and how it is said."""

    starts: int
    ends: int
    url: str
    label: str


def calendar_grid(
    counts: Mapping[Month, Count],
    today: datetime.date,
    *,
    label: str,
    months: Sequence[str],
    today_word: str,
    year_word: Callable[[int], str],
) -> str:
    """Return the picture. `months` are twelve short names; `year_word` writes a year."""
    years = {year for year, _ in counts} | {today.year}
    drawn: list[str] = [
        words(name, _x(number) + COLUMN / 2, HEAD - 6, class_="grid-head", text_anchor="middle")
        for number, name in enumerate(months, start=1)
    ]
    top: float = HEAD
    before = min(years)
    for year in sorted(years):
        if year > before + 1:
            drawn.append(_gap(top))
            top += GAP
        before = year
        drawn.append(words(year_word(year), 0, top + YEAR - 4, class_="grid-year"))
        top += YEAR
        drawn += [
            _month(counts[year, month], _x(month), top, coming=(year, month) > (today.year, today.month))
            for month in range(1, 13)
            if (year, month) in counts
        ]
        if year == today.year:
            drawn.append(_today(today, top, today_word))
            top += TODAY
        top += ROW
    return picture(WIDTH, top, *drawn, label=label, kind="grid")


def _x(month: int) -> float:
    return (month - 1) * COLUMN


def _gap(top: float) -> str:
    """Return the row of years without a change: three dots, one below the other, under the year before."""
    return element("path", class_="grid-gap", d=f"M16 {top + 3:g}h0m0 5h0m0 5h0")


def _month(count: Count, x: float, top: float, *, coming: bool) -> str:
    step = sum(count.starts + count.ends >= least for least in STEPS)
    box = element(
        "rect",
        class_=f"grid-box step-{step}{' coming' if coming else ''}",
        x=x + 1.5,
        y=top + 2,
        width=COLUMN - 3,
        height=ROW - 4,
        rx=5,
    )
    signs = [f"+{count.starts}"] * (count.starts > 0) + [f"{MINUS}{count.ends}"] * (count.ends > 0)
    first = top + ROW / 2 + 4 - 6.5 * (len(signs) - 1)
    said = "".join(
        words(sign, x + COLUMN / 2, first + 13 * line, class_="grid-count", text_anchor="middle")
        for line, sign in enumerate(signs)
    )
    finger = element("rect", class_="finger", x=x, y=top, width=COLUMN, height=ROW)
    return link(count.url, finger, box, said, label=count.label)


def _today(today: datetime.date, top: float, word: str) -> str:
    length = calendar.monthrange(today.year, today.month)[1]
    x = _x(today.month) + COLUMN * (today.day - 0.5) / length
    anchor = "end" if x > WIDTH / 2 else "start"
    line = element("path", class_="grid-today", d=f"M{x:.2f} {top:g}v{ROW + TODAY - 4}")
    beside = x + (-5 if anchor == "end" else 5)
    return line + words(word, beside, top + ROW + TODAY - 5, class_="grid-now", text_anchor=anchor)
