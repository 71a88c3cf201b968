"""The screens of the source watch: the review queue, the pages that are watched, and what jobs gave up on.

What the watch notices, people act on here; every step is a verb of `rules.actions`.
"""

from rules.admin.watch.dead_letters import DeadLetterAdmin
from rules.admin.watch.pages import WatchedPageAdmin
from rules.admin.watch.signals import WatchSignalAdmin
from rules.admin.watch.sources import WatchedSourceAdmin

__all__ = ["DeadLetterAdmin", "WatchSignalAdmin", "WatchedPageAdmin", "WatchedSourceAdmin"]
