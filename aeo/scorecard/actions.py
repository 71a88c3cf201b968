"""Stores how a release answered. Called by the job `aeo.tasks.catch_up`; nothing else writes the figures."""

import datetime

import msgspec

from aeo.editions import Edition
from aeo.scorecard import figures
from aeo.scorecard.models import ScorecardRecord


def keep_scorecard(*, edition: Edition, now: datetime.datetime) -> ScorecardRecord:
    """Count how the release of an edition answers on its day, and store the figures, once."""
    counted = figures.measure(edition)
    kept, _ = ScorecardRecord.objects.get_or_create(
        release_sha256=edition.release.sha256,
        day=edition.today,
        program_sha256=figures.program_digest(),
        defaults={"finished": now, "figures": msgspec.to_builtins(counted)},
    )
    return kept
