"""The screens of rules and releases: the form with its live sentence, what would change, publishing.

Also those of the source watch, with what it knows about a source, and of disagreements.
"""

from rules.disagreements.admin import DisagreementAdmin
from rules.impact.admin.measurements import ImpactMeasurementAdmin
from rules.publishing.admin.releases import ReleaseAdmin
from rules.watch.admin import (
    DeadLetterAdmin,
    WatchedPageAdmin,
    WatchedRuleAdmin,
    WatchedSourceAdmin,
    WatchSignalAdmin,
)

__all__ = [
    "DeadLetterAdmin",
    "DisagreementAdmin",
    "ImpactMeasurementAdmin",
    "ReleaseAdmin",
    "WatchSignalAdmin",
    "WatchedPageAdmin",
    "WatchedRuleAdmin",
    "WatchedSourceAdmin",
]
