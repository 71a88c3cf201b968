"""The screens of the source watch: the review queue, the pages that are watched, and what jobs gave up on.

What the watch notices, people act on here; every step is a verb of `rules.actions`.
"""

from rules.watch.admin.dead_letters import DeadLetterAdmin
from rules.watch.admin.pages import WatchedPageAdmin
from rules.watch.admin.signals import WatchSignalAdmin
from rules.watch.admin.sources import WatchedSourceAdmin

__all__ = ["DeadLetterAdmin", "WatchSignalAdmin", "WatchedPageAdmin", "WatchedSourceAdmin"]
