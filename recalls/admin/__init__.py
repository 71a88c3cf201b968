"""The screens of recalls: the list, the form, the test of its pattern; and those of the official feeds."""

from recalls.admin.feeds import FeedStateAdmin
from recalls.admin.notices import FeedNoticeAdmin
from recalls.admin.recalls import RecallAdmin

__all__ = ["FeedNoticeAdmin", "FeedStateAdmin", "RecallAdmin"]
