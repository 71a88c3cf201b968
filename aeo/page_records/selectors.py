"""The choice that decides which pages are indexed, and whether their records match the release. Reads only.

Called by actions, jobs, screens and the status page.
"""

import datetime
from typing import NamedTuple

from aeo.editions import Edition
from aeo.page_records.models import Curation, Recomputation


class Followed(NamedTuple):
    """Whether something has followed the current release, and when, or for which release, it last did."""

    in_line: bool
    last: datetime.datetime | str | None


def choice_in_force() -> Curation:
    """Return the newest choice; the defaults if no choice was made yet."""
    return Curation.objects.first() or Curation()


def pages_are_in_line(edition: Edition) -> bool:
    """Tell whether page records match this release, this day and the choice in force."""
    done, choice = Recomputation.objects.first(), Curation.objects.first()
    return (
        done is not None
        and (done.release_sha256, done.day) == (edition.release.sha256, edition.today)
        and (choice is None or choice.created_at <= done.finished)
    )


def pages_followed(edition: Edition | None) -> Followed:
    """Return whether page records have followed an edition, and when they were last updated."""
    done = Recomputation.objects.first()
    in_line = edition is not None and pages_are_in_line(edition)
    return Followed(in_line, None if done is None else done.finished)
