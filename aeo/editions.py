"""An edition: what all readers get until it ends, from one release.

A page is asked for by many at once and must be the same for all of them, or no cache could tell that it has
not changed. So its answers are given as of the beginning of the edition and not of the second of asking.
An edition begins with the day (UTC), since rules start and end with days, and again whenever verdicts given
at its beginning would run out; so no answer outlives its `expires_at` in an edition. Where the release holds
stale evidence, that is sooner for all pages.

Called by whatever shows pages, the manifest and sitemaps.
"""

import datetime
from dataclasses import dataclass

from rules import corpus
from rules.corpus import Published
from rules.verdicts import validity

DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Edition:
    """A release and the span in which what is shown of it does not change. Instants are UTC."""

    release: Published
    opened_at: datetime.datetime
    ends_at: datetime.datetime

    @property
    def today(self) -> datetime.date:
        """Return the day of asking."""
        return self.opened_at.date()

    @property
    def changed_at(self) -> datetime.datetime:
        """Return since when it can be as it is: its beginning, or the release that came after that."""
        return max(self.opened_at, self.release.published_at.replace(microsecond=0))

    def seconds_left(self, now: datetime.datetime) -> int:
        """Return for how many whole seconds after an instant the edition lasts."""
        return max(0, int((self.ends_at - now).total_seconds()))


def current(now: datetime.datetime) -> Edition:
    """Return the edition of an instant, from the current release. Raises `CorpusUnavailable`."""
    return of(corpus.current(), now)


def of(release: Published, now: datetime.datetime) -> Edition:
    """Return the edition of a release that an instant, with its time zone, falls into."""
    midnight = now.astimezone(datetime.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    span = min(validity(release.corpus.freshness(midnight.date())), DAY)
    opened_at = midnight + (now - midnight) // span * span
    return Edition(release, opened_at, min(opened_at + span, midnight + DAY))
