"""The screens of rules and releases: the form with its live sentence, what would change, publishing.

And those of the source watch, with what it knows of a source, and of disagreements.
"""

from rules.admin.impact import ImpactMeasurementAdmin
from rules.admin.releases import ReleaseAdmin
from rules.admin.rules import RuleAdmin
from rules.admin.watch import DeadLetterAdmin, WatchedPageAdmin, WatchedSourceAdmin, WatchSignalAdmin
from rules.disagreements.admin import DisagreementAdmin

__all__ = [
    "DeadLetterAdmin",
    "DisagreementAdmin",
    "ImpactMeasurementAdmin",
    "ReleaseAdmin",
    "RuleAdmin",
    "WatchSignalAdmin",
    "WatchedPageAdmin",
    "WatchedSourceAdmin",
]
