"""An edition: the state of one release that all readers get until it ends.

Many readers ask for a page at once. It must be the same for all of them, or no cache could tell that it has
not changed. So its answers are computed for the start of the edition, not for the second of the request. An
edition starts with the day (UTC), because rules start and end with days. It starts again whenever verdicts
given at its start would expire, so no answer outlives its `expires_at` in an edition. If the release contains
stale evidence, that is sooner for all pages.

Called by everything that shows pages, the manifest and sitemaps.
"""

import datetime
from dataclasses import dataclass

from rules import corpus
from rules.corpus import Published
from rules.verdicts import validity

DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Edition:
    """A release and the time span in which its pages do not change. Times are UTC."""

    release: Published
    opened_at: datetime.datetime
    ends_at: datetime.datetime

    @property
    def today(self) -> datetime.date:
        """Return the day of asking."""
        return self.opened_at.date()

    @property
    def changed_at(self) -> datetime.datetime:
        """Return the time of its last possible change: its start, or a later release."""
        return max(self.opened_at, self.release.published_at.replace(microsecond=0))

    def seconds_left(self, now: datetime.datetime) -> int:
        """Return how many whole seconds the edition lasts after a given time."""
        return max(0, int((self.ends_at - now).total_seconds()))


def current(now: datetime.datetime) -> Edition:
    """Return the edition at a given time, from the current release. Raises `CorpusUnavailable`."""
    return of(corpus.current(), now)


def of(release: Published, now: datetime.datetime) -> Edition:
    """Return the edition of a release that contains a given time, which has a time zone."""
    midnight = now.astimezone(datetime.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    span = min(validity(release.corpus.freshness(midnight.date())), DAY)
    opened_at = midnight + (now - midnight) // span * span
    return Edition(release, opened_at, min(opened_at + span, midnight + DAY))
