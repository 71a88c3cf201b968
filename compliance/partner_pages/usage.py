"""How many verdicts a partner got: by day, as the bars of a picture, and by key. Reads only.

Counted where verdicts are recorded (`compliance.records.verdict_log`), so a page reads one row for each key
and day, however many verdicts there were.
"""

import datetime
from collections import Counter
from typing import NamedTuple

from compliance.partners.models import Partner
from compliance.records.verdict_log.models import USE_DAYS, KeyUsage

HEIGHT, STEP, WIDTH = 120, 10, 8
"""The picture's measures: the height of the highest bar, from bar to bar, and the width of a bar."""


class Bar(NamedTuple):
    """A day: its number of verdicts, and its bar in the picture."""

    day: datetime.date
    verdicts: int
    x: int
    y: int
    height: int


class Usage(NamedTuple):
    """The use of the last days, the oldest first, and the sums of the keys, the largest first."""

    bars: list[Bar]
    keys: list[tuple[str, int]]

    @property
    def total(self) -> int:
        """The number of verdicts in these days."""
        return sum(bar.verdicts for bar in self.bars)

    @property
    def highest(self) -> int:
        """The number of the day with the most."""
        return max(bar.verdicts for bar in self.bars)


def usage_of(partner: Partner, now: datetime.datetime) -> Usage:
    """Return what all keys of a partner used, also those that ended."""
    today = now.astimezone(datetime.UTC).date()
    days = [today - datetime.timedelta(days=back) for back in reversed(range(USE_DAYS))]
    own = list(partner.keys.values_list("public_id", flat=True))
    rows = KeyUsage.objects.filter(key__in=own, day__gte=days[0], day__lte=today)
    by_day, by_key = Counter[datetime.date](), Counter[str]()
    for key, day, verdicts in rows.values_list("key", "day", "verdicts"):
        by_day[day] += verdicts
        by_key[key] += verdicts
    highest = max([*by_day.values(), 1])
    return Usage(
        [_bar(number, day, by_day[day], highest) for number, day in enumerate(days)], by_key.most_common()
    )


def _bar(number: int, day: datetime.date, verdicts: int, highest: int) -> Bar:
    # A day with any use is seen.
    height = max(round(HEIGHT * verdicts / highest), 1) if verdicts else 0
    return Bar(day, verdicts, number * STEP, HEIGHT - height, height)
