"""Days on which nothing changes, as periods: a set of periods is an integer with a bit for each.

A period starts today, or on a later day on which a rule of either ruleset starts or no longer holds, or on
which a certificate comes into doubt or out of it. There is no horizon: what becomes milder in two years is
milder. The last period never ends.
"""

import datetime
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from rules.engine.document import Content
from rules.impact.survey.changes import doubted

Value = TypeVar("Value")
Runs = tuple[tuple[int, Value], ...]
"""Values over all periods: each with the number of the first period from which it holds."""


def first_days(contents: Iterable[Content], today: datetime.date) -> tuple[datetime.date, ...]:
    """Return the first day of each period."""
    days = {today}
    for content in contents:
        spans: set[Any] = {(rule.effective_from, rule.effective_until) for rule in content.rules}
        spans.update(span for device in content.devices for span in doubted(device))
        for first_day, last_day in spans:
            if first_day is not None and first_day > today:
                days.add(first_day)
            # No day follows the last one of the calendar.
            if last_day is not None and today <= last_day < datetime.date.max:
                days.add(last_day + datetime.timedelta(days=1))
    return tuple(sorted(days))


def runs(values: Sequence[Value]) -> Runs[Value]:
    """Return values, one for each period, as runs of equal ones."""
    return tuple((at, value) for at, value in enumerate(values) if at == 0 or value != values[at - 1])


def at(found: Runs[Value], period: int) -> Value:
    """Return the value in a period."""
    return found[bisect_right(found, period, key=lambda run: run[0]) - 1][1]


def spans(starts: Iterable[int], periods: int) -> Iterator[tuple[int, int]]:
    """Return the first period of each span, and the set of its periods."""
    firsts = sorted({0, *starts})
    for first, beyond in zip(firsts, [*firsts[1:], periods], strict=True):
        yield first, (1 << beyond) - (1 << first)
