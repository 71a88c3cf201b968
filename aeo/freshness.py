"""How long ago evidence was read, in bands of days: read off a release and the day of asking. Pure.

Called by the scorecard page.
"""

import datetime
from collections import Counter
from collections.abc import Iterable

from rules.corpus import Published
from rules.engine.facts import Airline, Source
from rules.selectors import airlines

AGES = (7, 30, 90, 180, 365)
"""The bands: read within so many days. Beyond the last one an answer warns that its evidence is old."""

OLD_AFTER_DAYS = 90
"""Airlines whose newest evidence is older than this are named."""

LONGER_AGO = 0

Band = int | None
"""The first of `AGES` that fits, `LONGER_AGO`, or None for never."""


def band(read_on: datetime.date | None, today: datetime.date) -> Band:
    """Return into which band a day of reading falls. A day to come counts as today."""
    if read_on is None:
        return None
    age = (today - read_on).days
    return next((days for days in AGES if age <= days), LONGER_AGO)


def within(counted: Counter[Band], days: int) -> int:
    """Return how many were read within some days, one of `AGES`: a longer span includes the shorter ones."""
    return sum(counted[one] for one in AGES if one <= days)


def of_sources(sources: Iterable[Source], today: datetime.date) -> Counter[Band]:
    """Return how many sources fall into each band."""
    return Counter(band(source.read_on if source.citable else None, today) for source in sources)


def of_airlines(release: Published, today: datetime.date) -> Counter[Band]:
    """Return how many airlines fall into each band, by the newest source of their policies."""
    shelf = release.shelf
    return Counter(band(airlines.last_checked(release, one), today) for one in shelf.airlines.values())


def old_airlines(release: Published, today: datetime.date) -> list[tuple[Airline, datetime.date]]:
    """Return the airlines whose newest source was read too long ago, with that day, the oldest first."""
    known = [(one, airlines.last_checked(release, one)) for one in release.shelf.airlines.values()]
    old = [(one, day) for one, day in known if day is not None and (today - day).days > OLD_AFTER_DAYS]
    return sorted(old, key=lambda pair: (pair[1], pair[0].airline))


def unread_airlines(release: Published) -> list[Airline]:
    """Return the airlines of whose policy no source was read."""
    known = release.shelf.airlines.values()
    return [one for one in known if airlines.last_checked(release, one) is None]
