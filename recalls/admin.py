"""The screens of recalls: the list, the form, the test of its pattern; and those of the official feeds."""

from recalls.editing.admin.recalls import RecallAdmin
from recalls.feeds.admin.feeds import FeedStateAdmin
from recalls.feeds.admin.notices import FeedNoticeAdmin

__all__ = ["FeedNoticeAdmin", "FeedStateAdmin", "RecallAdmin"]
