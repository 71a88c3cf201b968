"""The screens of rules and releases: the form with its live sentence, what would change, publishing.

And those of the source watch, with what it knows of a source.
"""

from rules.admin.impact import ImpactMeasurementAdmin
from rules.admin.releases import ReleaseAdmin
from rules.admin.rules import RuleAdmin
from rules.admin.watch import DeadLetterAdmin, WatchedPageAdmin, WatchedSourceAdmin, WatchSignalAdmin

__all__ = [
    "DeadLetterAdmin",
    "ImpactMeasurementAdmin",
    "ReleaseAdmin",
    "RuleAdmin",
    "WatchSignalAdmin",
    "WatchedPageAdmin",
    "WatchedSourceAdmin",
]
