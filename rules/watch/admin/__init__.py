"""The screens of the source watch: the review queue, the watched pages, and the dead letters of jobs.

Editors act here on what the watch notices; every action goes through `rules.watch.actions`. The screens of
rules and of sources also show the signals.
"""

from rules.watch.admin.dead_letters import DeadLetterAdmin
from rules.watch.admin.pages import WatchedPageAdmin
from rules.watch.admin.rules import WatchedRuleAdmin
from rules.watch.admin.signals import WatchSignalAdmin
from rules.watch.admin.sources import WatchedSourceAdmin

__all__ = [
    "DeadLetterAdmin",
    "WatchSignalAdmin",
    "WatchedPageAdmin",
    "WatchedRuleAdmin",
    "WatchedSourceAdmin",
]
