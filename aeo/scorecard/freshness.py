"""How fresh the evidence of a release is on the day of asking, by the cadences of its sources. Pure.

Called by the scorecard page.
"""

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from catalog.cadence import Freshness, freshness, good_until
from rules.corpus import Published
from rules.engine.facts import Airline, Source
from rules.selectors import readings

State = Freshness | Literal["unread"]
"""How fresh a reading is; `unread` if there is none."""

STATES: tuple[State, ...] = ("fresh", "stale", "very_stale", "unread")


class Due(NamedTuple):
    """A source whose next reading is due, and for how many days it has been."""

    source: Source
    days_over: int


def freshness_of(sources: Iterable[Source], today: datetime.date) -> State:
    """Return how fresh something is whose sources are given, read or not."""
    read = [source for source in sources if source.citable]
    return freshness(read, today) if read else "unread"


def of_sources(sources: Iterable[Source], today: datetime.date) -> Counter[State]:
    """Return how many sources have which freshness."""
    return Counter(freshness_of([source], today) for source in sources)


def due(sources: Iterable[Source], today: datetime.date) -> list[Due]:
    """Return the sources whose reading is overdue; the longest overdue first."""
    found = [
        Due(source, (today - good_until(source)).days)
        for source in sources
        if source.citable and today > good_until(source)
    ]
    return sorted(found, key=lambda one: (-one.days_over, one.source.id))


def of_airlines(release: Published, today: datetime.date) -> dict[str, State]:
    """Return how fresh each airline's policy is, by its code; its freshest source counts.

    Reports that do not state the policy do not count as readings of it, even if they are fresh.
    """
    return {
        airline.airline: "unread"
        if readings.of_airline(release, airline).how == "nothing"
        else freshness_of(_sources_of(release, airline), today)
        for airline in release.shelf.airlines.values()
    }


def _sources_of(release: Published, airline: Airline) -> Iterator[Source]:
    return (release.shelf.sources[name] for name in airline.sources)
