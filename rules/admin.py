"""The screens of rules and releases: the form with its live sentence, what would change, publishing.

Also those of announcements, of the source watch, with what it knows about a source, and of
disagreements.
"""

from rules.case_editing.admin.cases import VerdictCaseAdmin
from rules.disagreements.admin import DisagreementAdmin
from rules.editing.announcement.screens import AnnouncementAdmin
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
    "AnnouncementAdmin",
    "DeadLetterAdmin",
    "DisagreementAdmin",
    "ImpactMeasurementAdmin",
    "ReleaseAdmin",
    "VerdictCaseAdmin",
    "WatchSignalAdmin",
    "WatchedPageAdmin",
    "WatchedRuleAdmin",
    "WatchedSourceAdmin",
]
