"""The stored figures of the scorecard. Reads only.

Called by the views, `aeo.service` and the job that counts.
"""

from aeo.editions import Edition
from aeo.page_records.selectors import Followed
from aeo.scorecard import figures
from aeo.scorecard.models import ScorecardRecord
from catalog.database.cached_values import CachedValue

PATIENCE_SECONDS = 2


def scorecard_of(edition: Edition) -> ScorecardRecord | None:
    """Return the newest scorecard of an edition's release that this program counted, from memory."""
    cached = _counted.current()
    return cached if cached is not None and cached.release_sha256 == edition.release.sha256 else None


def scorecard_is_in_line(edition: Edition) -> bool:
    """Tell whether there is a scorecard of this release and this day."""
    kept = scorecard_of(edition)
    return kept is not None and kept.day == edition.today


def scorecard_followed(edition: Edition | None) -> Followed:
    """Return whether an edition is counted, and when anything was last counted."""
    last = ScorecardRecord.objects.first()
    in_line = edition is not None and scorecard_is_in_line(edition)
    return Followed(in_line, None if last is None else last.finished)


def _newest_scorecard(cached: ScorecardRecord | None) -> ScorecardRecord | None:
    found = ScorecardRecord.objects.filter(program_sha256=figures.program_digest()).first()
    return cached if found == cached else found


_counted: CachedValue[ScorecardRecord | None] = CachedValue(
    _newest_scorecard, None, seconds=PATIENCE_SECONDS, alone=0
)
