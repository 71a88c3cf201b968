"""The stored figures of the scorecard. Reads only.

Called by the views, `aeo.service` and the job that counts.
"""

from collections.abc import Mapping
from typing import NamedTuple

from aeo.editions import Edition
from aeo.page_records.selectors import Followed
from aeo.scorecard import figures
from aeo.scorecard.models import ScorecardRecord
from catalog.database.cached_values import CachedValue
from rules.releases import selectors as releases

PATIENCE_SECONDS = 2

MOST_RELEASES = 12
"""How many releases the history goes back."""


class Past(NamedTuple):
    """How a release answered the cases when they were last counted for it."""

    ruleset_version: str
    cases: int
    agreeing: int


class _Counted(NamedTuple):
    """The newest scorecard, and how each counted release answered: cases and agreeing ones, by its digest."""

    newest: ScorecardRecord | None
    by_release: Mapping[str, tuple[int, int]]


def scorecard_of(edition: Edition) -> ScorecardRecord | None:
    """Return the newest scorecard of an edition's release that this program counted, from memory."""
    newest = _counted.current().newest
    return newest if newest is not None and newest.release_sha256 == edition.release.sha256 else None


def history() -> tuple[Past, ...]:
    """Return how the last releases answered, the oldest first, from memory. Uncounted ones are left out."""
    counted = _counted.current().by_release
    return tuple(
        Past(one.ruleset_version, *counted[one.sha256])
        for one in reversed(releases.newest(MOST_RELEASES))
        if one.sha256 in counted
    )


def scorecard_is_in_line(edition: Edition) -> bool:
    """Tell whether there is a scorecard of this release and this day."""
    kept = scorecard_of(edition)
    return kept is not None and kept.day == edition.today


def scorecard_followed(edition: Edition | None) -> Followed:
    """Return whether an edition is counted, and when anything was last counted."""
    last = ScorecardRecord.objects.first()
    in_line = edition is not None and scorecard_is_in_line(edition)
    return Followed(in_line, None if last is None else last.finished)


def _read(cached: _Counted) -> _Counted:
    newest = ScorecardRecord.objects.filter(program_sha256=figures.program_digest()).first()
    # The other counts change with the newest one alone.
    return cached if newest == cached.newest else _Counted(newest, _by_release())


def _by_release() -> dict[str, tuple[int, int]]:
    last = ScorecardRecord.objects.order_by("release_sha256", "-pk").distinct("release_sha256")
    rows = last.values_list("release_sha256", "figures__cases", "figures__agreeing")
    return {sha256: (cases, agreeing) for sha256, cases, agreeing in rows}


_counted: CachedValue[_Counted] = CachedValue(_read, _Counted(None, {}), seconds=PATIENCE_SECONDS, alone=0)
