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
"""How fresh a reading is; `unread` where there is none."""

STATES: tuple[State, ...] = ("fresh", "stale", "very_stale", "unread")


class Due(NamedTuple):
    """A source that is to be read again, and for how many days it has been."""

    source: Source
    days_over: int


def freshness_of(sources: Iterable[Source], today: datetime.date) -> State:
    """Return how fresh something is that rests on some sources, whether they were read or not."""
    read = [source for source in sources if source.citable]
    return freshness(read, today) if read else "unread"


def of_sources(sources: Iterable[Source], today: datetime.date) -> Counter[State]:
    """Return how many sources stand how."""
    return Counter(freshness_of([source], today) for source in sources)


def due(sources: Iterable[Source], today: datetime.date) -> list[Due]:
    """Return the sources that were read, but too long ago; the longest over first."""
    found = [
        Due(source, (today - good_until(source)).days)
        for source in sources
        if source.citable and today > good_until(source)
    ]
    return sorted(found, key=lambda one: (-one.days_over, one.source.id))


def of_airlines(release: Published, today: datetime.date) -> dict[str, State]:
    """Return how each airline's policy stands, by its code; it is as fresh as its freshest source.

    Reports that do not state the policy are no reading of it, however fresh they are.
    """
    return {
        airline.airline: "unread"
        if readings.of_airline(release, airline).how == "nothing"
        else freshness_of(_sources_of(release, airline), today)
        for airline in release.shelf.airlines.values()
    }


def _sources_of(release: Published, airline: Airline) -> Iterator[Source]:
    return (release.shelf.sources[name] for name in airline.sources)
