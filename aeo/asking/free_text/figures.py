"""Dates and the figures of a label, as they are written in eight languages.

Each reader yields what it found with its position in the text, and nothing if the text could mean two things:
03/04/2027 is no date here, but 20/12 is. Called by the readers of sentences in `aeo.asking.free_text`.
"""

import datetime
import functools
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

from babel import Locale

from aeo.asking.names.folding import fold
from aeo.asking.names.places import LOCALES

Unit = Literal["mah", "wh", "v"]

# An approximate value is no figure: ca. 100 Wh, ~100 Wh. A fraction is none, but "mAh/74 Wh" has two.
_NUMBER = (
    r"(?<![A-Za-z0-9_.,\u2044~\uff5e])(?<![^HhVv]/)(?<!\bca )(?<!\bca\. )(?<!\bca\.)(?<!~ )"
    r"([0-9]{1,3}(?:[ .,'\u2019][0-9]{3})+|[0-9]{1,6}(?:[.,][0-9]{1,3})?)"
)
_FIGURE = re.compile(
    _NUMBER
    + r" ?([万萬만])? ?((?:m ?ah|ah|wh|watt ?hours?|wattstunden|watt-?heures?|vatios?-hora|volts?|voltios?|v)"
    r"(?![a-z0-9])|毫安时|毫安時|毫安|ミリアンペア時?|밀리암페어시?|瓦时|瓦時|ワット時|와트시|伏特?|ボルト|볼트)",
    re.IGNORECASE,
)
_UNITS: tuple[tuple[str, Unit, int], ...] = (
    ("mah", "mah", 1),
    ("ah", "mah", 1000),
    ("毫", "mah", 1),
    ("ミ", "mah", 1),
    ("밀", "mah", 1),
    ("wh", "wh", 1),
    ("wa", "wh", 1),
    ("va", "wh", 1),
    ("瓦", "wh", 1),
    ("ワ", "wh", 1),
    ("와", "wh", 1),
    ("", "v", 1),
)
_DATES = (
    re.compile(r"(?<![0-9])(?P<year>20[0-9]{2})([-/.])(?P<month>[0-9]{1,2})\2(?P<day>[0-9]{1,2})(?![0-9])"),
    re.compile(
        r"(?:(?P<year>20[0-9]{2}) ?[年년] ?)?(?<![0-9])(?P<month>[0-9]{1,2}) ?[月월] ?"
        r"(?P<day>[0-9]{1,2}) ?[日号號일]"
    ),
    re.compile(r"(?<![0-9])(?P<day>[0-9]{1,2})\. ?(?P<month>[0-9]{1,2})\. ?(?P<year>20[0-9]{2})(?![0-9])"),
)
_EITHER_ORDER = (
    re.compile(
        r"(?<![0-9/.,-])(?P<first>[0-9]{1,2})/(?P<second>[0-9]{1,2})(?:/(?P<year>20[0-9]{2}))?(?![0-9/]|[.,-][0-9])"
    ),
    re.compile(
        r"(?<![0-9/.,-])(?P<first>[0-9]{1,2})\. ?(?P<second>[0-9]{1,2})\.(?P<year>)(?![0-9]| ?20[0-9]{2})"
    ),
)
"""A day and a month, or a month and a day."""

_ALWAYS = ("24", "7")
"""Not a day: around the clock."""

_YEARS_TO_LEAP = 8
"""29 February occurs again within so many years."""


def figures(source: str) -> Iterator[tuple[int, int, Unit, Decimal]]:
    """Yield the figures of a label: their start and end, the unit and the number in it."""
    for found in _FIGURE.finditer(source):
        written = found[3].lower().replace(" ", "")
        unit, times = next((unit, times) for start, unit, times in _UNITS if written.startswith(start))
        if of_thousands_of_none(found[1]):
            continue
        if unit == "mah" or " " not in found[1]:
            # "River 2 256 Wh" is not 2,256 Wh, but "20 000 mAh" is one figure.
            yield found.start(), found.end(), unit, number(found[1]) * times * (10_000 if found[2] else 1)


def dates(source: str, today: datetime.date) -> Iterator[tuple[int, int, datetime.date]]:
    """Yield the days written in figures; a day without a year is the next such day."""
    for pattern in _DATES:
        for found in pattern.finditer(source):
            parts = found.groupdict()
            if day := _day(parts["year"], int(parts["month"]), int(parts["day"]), today):
                yield found.start(), found.end(), day
    for pattern in _EITHER_ORDER:
        for found in pattern.finditer(source):
            pair = found["first"], found["second"]
            read = [_day(found["year"], int(month), int(day), today) for day, month in (pair, pair[::-1])]
            days = {day for day in read if day is not None}
            if len(days) == 1 and pair != _ALWAYS:
                yield found.start(), found.end(), days.pop()


def named_dates(folded: str, today: datetime.date) -> Iterator[tuple[int, int, datetime.date]]:
    """Yield the days written with the name of a month, in a folded text."""
    months, pattern = _months()
    for found in pattern.finditer(folded):
        day = found["day"] or found["later"]
        if read := _day(found["year"], months[found["first"] or found["month"]], int(day), today):
            yield found.start(), found.end(), read


@functools.cache
def _months() -> tuple[dict[str, int], re.Pattern[str]]:
    months = {
        fold(name): number
        for language in ("en", "de", "fr", "es")
        for width in ("wide", "abbreviated")
        for number, name in Locale.parse(LOCALES[language]).months["format"][width].items()
    }
    names = "|".join(sorted(months, key=len, reverse=True))
    return months, re.compile(
        rf"\b(?:(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|er)? (?:of |de )?(?P<month>{names})"
        rf"|(?P<first>{names}) (?P<later>[0-9]{{1,2}})(?:st|nd|rd|th)?)"
        r"(?: (?:de |del )?(?P<year>20[0-9]{2}))?\b"
    )


def _day(year: str | None, month: int, day: int, today: datetime.date) -> datetime.date | None:
    """Return a day of the calendar: in its year, or the next one from today; None if there is none."""
    years = [int(year)] if year else range(today.year, min(today.year + _YEARS_TO_LEAP, datetime.MAXYEAR) + 1)
    for candidate in years:
        try:
            read = datetime.date(candidate, month, day)
        except ValueError:
            continue
        if year or read >= today:
            return read
    return None


def of_thousands_of_none(written: str) -> bool:
    """Tell whether a number is neither grouped nor surely a fraction: 0.999 may be 999 of a smaller unit."""
    return re.fullmatch(r"0+[^0-9][0-9]{3}", written) is not None


def number(written: str) -> Decimal:
    """Return a number. Three digits after a point or comma may be thousands; the higher number counts."""
    if all(len(part) == 3 for part in re.split(r"[^0-9]", written)[1:]):
        return Decimal(re.sub(r"[^0-9]", "", written))
    return Decimal(written.replace(",", "."))
