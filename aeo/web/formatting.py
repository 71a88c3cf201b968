"""Dates, numbers, lists and sentences as people read them, in the active language."""

import datetime
import functools
from collections.abc import Iterable

from babel.dates import format_date, format_skeleton, format_timedelta
from babel.numbers import format_decimal

from aeo.texts import active, say
from catalog.energy import Bound
from rules.engine.matching import plain
from rules.engine.vocabulary import Verdict
from rules.selectors.readings import LastRead
from rules.wording import translating
from rules.wording.dates import day_in
from rules.wording.translating import UNSPACED, locale


def duration(seconds: int) -> str:
    """Return a time as people say it: `27 seconds`, `3 hours`."""
    return str(format_timedelta(datetime.timedelta(seconds=seconds), threshold=2, locale=locale(active())))


def day(date: datetime.date) -> str:
    """Return `20 November 2026`."""
    return day_in(datetime.date(date.year, date.month, date.day), active())


def month(date: datetime.date) -> str:
    """Return `November 2026`."""
    return str(format_skeleton("yMMMM", date, locale=locale(active())))


def month_name(number: int) -> str:
    """Return `Nov` for 11, as in the head of a table; without the dot of some languages."""
    # Names without a day come from the wrong language if Babel has read another one before.
    return str(format_date(datetime.date(2026, number, 1), "MMM", locale=locale(active()))).removesuffix(".")


def year(date: datetime.date) -> str:
    """Return `2026`."""
    return str(format_skeleton("y", date, locale=locale(active())))


def region_name(number: str) -> str:
    """Return `Asia` for 142: a part of the world by its number of the United Nations."""
    return str(locale(active()).territories[number])


def instant_words(at: datetime.datetime) -> str:
    """Return `20 November 2026, 12:30 UTC`."""
    moment = at.astimezone(datetime.UTC)
    return say("moment", day=day(moment), time=f"{moment:%H:%M}")


def number(value: int) -> str:
    """Return `20,000`."""
    return _number(value, active())


def joined(sentences: Iterable[str]) -> str:
    """Return whole sentences as one text."""
    return translating.joined(sentences, active())


def listed(items: Iterable[str]) -> str:
    """Return `one, two, three`."""
    return comma().join(items)


def apart(items: Iterable[str]) -> str:
    """Return `one; two; three`, for items that may contain commas."""
    first, *others = items
    return functools.reduce(lambda said, item: say("apart", first=said, next=item), others, first)


def bracketed(words: str) -> str:
    """Return words in brackets, to be put after others."""
    return f"{gap()}{say('in_brackets', words=words)}"


def gap() -> str:
    """Return the separator of two sentences, or before a bracket."""
    return "" if active() in UNSPACED else " "


def comma() -> str:
    """Return the separator of the items of a list."""
    return _comma(active())


def up_to(limit: Bound) -> str:
    """Return `up to 100 Wh`, or `under 100 Wh` if a rating of exactly that figure is not meant."""
    return say("policy.up_to" if limit.inclusive else "policy.under", watt_hour=plain(limit.watt_hour))


def above(limit: Bound) -> str:
    """Return `100 Wh or more`, or `above 100 Wh` if a rating of exactly that figure is not meant."""
    return say("policy.from" if limit.inclusive else "policy.above", watt_hour=plain(limit.watt_hour))


def verdict_word(verdict: Verdict) -> str:
    """Return a verdict as a word."""
    return say(f"verdict.{verdict}")


def read_words(read: LastRead) -> str:
    """Return `Own page read, last on 20 November 2026`."""
    how = say(f"read.{read.how}")
    return how if read.on is None else say("read.last", how=how, date=day(read.on))


# Thousands of pages have the same few capacities.
@functools.lru_cache(maxsize=4096)
def _number(value: int, language: str) -> str:
    return str(format_decimal(value, locale=locale(language)))


@functools.cache
def _comma(language: str) -> str:
    pattern: str = locale(language).list_patterns["standard"]["middle"]
    return pattern.replace("{0}", "").replace("{1}", "")
