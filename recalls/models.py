"""The tables of recalls, and those of the feeds that lead to new ones.

Only `recalls.editing.actions` writes the former, only `recalls.feeds.actions` the latter.
"""

from recalls.editing.models import DECIDING, Recall, RecallEvidence, validate_details
from recalls.feeds.models import (
    FeedNotice,
    FeedRecall,
    FeedReview,
    FeedState,
    FeedVersion,
    NoticeState,
    ReviewKind,
)

__all__ = [
    "DECIDING",
    "FeedNotice",
    "FeedRecall",
    "FeedReview",
    "FeedState",
    "FeedVersion",
    "NoticeState",
    "Recall",
    "RecallEvidence",
    "ReviewKind",
    "validate_details",
]
