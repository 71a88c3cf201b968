"""The tables of recalls, and those of the feeds that lead to new ones.

Only `recalls.actions` writes the former, only `recalls.feeds.actions` the latter.
"""

from recalls.models.feeds import (
    FeedNotice,
    FeedRecall,
    FeedReview,
    FeedState,
    FeedVersion,
    NoticeState,
    ReviewKind,
)
from recalls.models.recall import DECIDING, Recall, RecallEvidence, validate_details

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
