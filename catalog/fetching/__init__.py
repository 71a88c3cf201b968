"""Fetching pages from the outside world. `Fetcher.fetch` is the door; `docs/evidence-watch.md` tells how."""

from catalog.fetching.answers import Fetched, FetchFailed, FetchReason
from catalog.fetching.fetcher import HTML_AND_PDF, Fetcher
from catalog.fetching.policy import Policy, policy_from_settings

__all__ = [
    "HTML_AND_PDF",
    "FetchFailed",
    "FetchReason",
    "Fetched",
    "Fetcher",
    "Policy",
    "policy_from_settings",
]
