"""The numbers of a sentence: its day, the figures of the label, and how many power banks there are.

Called by `aeo.finding.sentence`.
"""

import datetime
import functools
import re
from collections.abc import Sequence
from decimal import Decimal

from aeo.finding.figures import Unit, dates, figures, named_dates
from aeo.finding.naming import Models, Token
from aeo.finding.reading import Reading
from aeo.finding.scripts import script_of
from aeo.finding.speech import speech
from aeo.finding.understood import Label
from rules.engine.vocabulary import MAX_QUANTITY


def read_day(reading: Reading, today: datetime.date) -> datetime.date | None:
    """Return the day that a text names; none where it names none, or several."""
    days = [
        *((*reading.folded_span(start, end), day) for start, end, day in dates(reading.folded.source, today)),
        *named_dates(reading.text, today),
    ]
    free = [(start, end, day) for start, end, day in days if not any(reading.taken[start:end])]
    for start, end, _ in free:
        reading.take(start, end)
    distinct = {day for _, _, day in free}
    if len(distinct) > 1:
        reading.left += [(start, end) for start, end, _ in free]
    return distinct.pop() if len(distinct) == 1 else None


def days_later(today: datetime.date, days: int) -> datetime.date | None:
    """Return the day so many days after today; none where the calendar ends before."""
    try:
        return today + datetime.timedelta(days=days)
    except OverflowError:
        return None


class Figures:
    """The figures of a label in a text, in milliampere-hours, watt-hours and volts; the first of each counts.

    `spans` are the stretches that name them.
    """

    def __init__(self, reading: Reading) -> None:
        self.facts: dict[Unit, Decimal] = {}
        self.spans: list[tuple[int, int]] = []
        for start, end, unit, number in figures(reading.folded.source):
            first, last = reading.folded_span(start, end)
            if first < last and not any(reading.taken[first:last]):
                reading.take(first, last)
                self.spans.append((first, last))
                self.facts.setdefault(unit, number)

    def label(self) -> Label | None:
        """Return the figures, if there are any."""
        if not self.facts:
            return None
        mah = self.facts.get("mah")
        return Label(int(mah) if mah is not None else None, self.facts.get("wh"), self.facts.get("v"))


def read_quantity(reading: Reading, found: Sequence[Token], models: Models) -> int | None:
    """Return how many power banks a text counts; none where it counts none, or in several ways."""
    counted: dict[int, tuple[int, int]] = {}
    for pattern in _quantities():
        for match in pattern.finditer(reading.text):
            start, end = match.span()
            if not any(reading.taken[start:end]):
                reading.take(start, end)
                counted.setdefault(_count(match["number"]), (start, end))
    for at, token in enumerate(found):
        number = _bare_number(reading, found, at, models)
        if (
            number is not None
            and not reading.taken[token.start]
            and _NO_TENS.match(reading.text, token.start)
        ):
            reading.take(token.start, token.end)
            counted.setdefault(number, (token.start, token.end))
    usable = [number for number in counted if 1 <= number <= MAX_QUANTITY]
    if len(counted) == 1 and usable:
        return usable[0]
    reading.left += counted.values()
    return None


def _bare_number(reading: Reading, found: Sequence[Token], at: int, models: Models) -> int | None:
    """Return a number right before a model or a power bank, or a word for it that ends a clause.

    Any other number counts something else: two bags, two stops.
    """
    word = found[at].word
    number = speech().numbers.get(word, 0)
    if word.isascii() and word.isdecimal() and len(word) <= 2:
        number = int(word)
    if at + 1 < len(found) and (found[at + 1].generic or models.brand_at(found, at + 1)):
        return number or None
    behind = reading.folded.source[reading.folded.at[found[at].end - 1] + 1 :].lstrip()[:1]
    ends = word in speech().numbers and len(word) > 1 and not behind.isalnum()
    return number if ends and number > 1 else None


def _count(written: str) -> int:
    return int(written) if written.isdecimal() else speech().numbers[written]


_TENS = "".join(
    rf"(?<!{tens})"
    for tens in (
        "[0-9一二三四五六七八九十百]",
        "열",
        "스물",
        "서른",
        "twenty ",
        "thirty ",
        "vingt ",
        "trente ",
        " y ",
    )
)
"""Not behind the tens of a larger number, as in 十二 or twenty two."""

_NO_TENS = re.compile(_TENS)


@functools.cache
def _quantities() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of numbers that count power banks, the plainest first."""
    known = speech()
    numbers = "|".join(sorted(map(re.escape, known.numbers), key=len, reverse=True))
    latin = "|".join(sorted((w for w in known.counted if script_of(w[0]) == "l"), key=len, reverse=True))
    others = "|".join(sorted((w for w in known.counted if script_of(w[0]) != "l"), key=len, reverse=True))
    lone = "|".join(word for word in ("둘", "셋", "넷", "俩", "倆") if word in known.numbers)
    return (
        re.compile(rf"{_TENS}\b(?P<number>[0-9]{{1,2}}|{numbers}) (?:{latin})\b"),
        re.compile(rf"{_TENS}(?P<number>[0-9]{{1,2}}|{numbers}) ?(?:{others})"),
        re.compile(r"\b(?P<number>[0-9]{1,2}) ?x\b"),
        re.compile(r"\bx ?(?P<number>[0-9]{1,2})\b"),
        re.compile(rf"{_TENS}(?P<number>{lone})"),
    )
