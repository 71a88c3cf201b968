"""How often a source is visited, and how long a reading of it counts as fresh.

Pure: no Django, no clock, no I/O. Called by the engine, the door, the watch and every screen that shows the
age of evidence, so "stale" means one thing.

The figures are our editorial decision, not an official rule. They follow from two questions. *How fast can a
page become wrong?* Airlines and authorities change their power bank rules with days of notice, and again
within months: they are visited each week, and a reading is trusted for a quarter of a year. A maker's page or
a news report rarely changes: a visit each month, half a year of trust. *What does a visit prove?* A machine
that finds a page unchanged has not read it; only a person's reading counts. So a reading is good for longer
than the time between two visits, and never for more than a year.

A reading is `fresh` up to its last good day. After that it is `stale`, and an answer that rests on it has an
advisory note. After twice that time it is `very_stale`, and the note becomes a caution.
"""

import datetime
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, Protocol

Cadence = Literal["daily", "weekly", "monthly", "quarterly"]
"""How often a source is visited."""

Freshness = Literal["fresh", "stale", "very_stale"]
"""The age of a reading by its source's cadence: good, older than that, older than twice that."""

FRESHNESS: tuple[Freshness, ...] = ("fresh", "stale", "very_stale")
"""From the best to the worst."""


class Pace(NamedTuple):
    """The days of a cadence: between two visits, and for how long a reading is good."""

    visit_days: int
    good_days: int

    @property
    def bearable_days(self) -> int:
        """The number of days after a reading until which it is at most stale. After that it is very stale."""
        return 2 * self.good_days


PACES: Mapping[Cadence, Pace] = {
    "daily": Pace(visit_days=1, good_days=30),
    "weekly": Pace(visit_days=7, good_days=90),
    "monthly": Pace(visit_days=30, good_days=180),
    "quarterly": Pace(visit_days=90, good_days=365),
}
"""The cadences, from the shortest to the longest."""

STANDARD: Mapping[str, Cadence] = {
    "regulator": "weekly",
    "airline": "weekly",
    "manufacturer": "monthly",
    "news": "monthly",
}
"""The cadence of a source that names none, by its kind: one for each `catalog.records.SourceKind`."""


class Read(Protocol):
    """The fields of a source that its age depends on: a record of a release, or a row of the catalog."""

    @property
    def kind(self) -> str: ...  # noqa: D102

    @property
    def cadence(self) -> str | None: ...  # noqa: D102

    @property
    def read_on(self) -> datetime.date: ...  # noqa: D102


def cadence_of(source: Read) -> Cadence:
    """Return the cadence of a source: its own, or the standard of its kind."""
    return next((word for word in PACES if word == source.cadence), STANDARD[source.kind])


def visit_days(source: Read) -> int:
    """Return the number of days between two visits of a source."""
    return PACES[cadence_of(source)].visit_days


def good_until(source: Read) -> datetime.date:
    """Return the last day on which the reading of a source is fresh."""
    return _after(source.read_on, PACES[cadence_of(source)].good_days)


def bearable_until(source: Read) -> datetime.date:
    """Return the last day on which the reading of a source is fresh or stale, not yet very stale."""
    return _after(source.read_on, PACES[cadence_of(source)].bearable_days)


def freshness(sources: Iterable[Read], today: datetime.date) -> Freshness:
    """Return how fresh evidence from some sources, read and citable, is: as fresh as its freshest source.

    One more source never makes it staler, and their order is irrelevant. Evidence without a source is very
    stale.
    """
    found = list(sources)
    if any(today <= good_until(source) for source in found):
        return "fresh"
    return "stale" if any(today <= bearable_until(source) for source in found) else "very_stale"


def stalest(found: Iterable[Freshness]) -> Freshness:
    """Return the worst of some values; `fresh` if there is none."""
    return max(found, key=FRESHNESS.index, default="fresh")


def _after(day: datetime.date, days: int) -> datetime.date:
    """Return the day that is so many days later, or the last one of the calendar."""
    return datetime.date.fromordinal(min(day.toordinal() + days, datetime.date.max.toordinal()))
