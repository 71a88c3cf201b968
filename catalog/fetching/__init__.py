"""The one way out to addresses from data. `docs/evidence-watch.md` describes its protection.

`Fetcher.fetch` gets pages, `Sender.post` sends notices to subscribers.
"""

from catalog.fetching.answers import Fetched, FetchFailed, FetchReason
from catalog.fetching.fetcher import HTML_AND_PDF, Fetcher
from catalog.fetching.policy import Policy, policy_from_settings
from catalog.fetching.sender import Sender

__all__ = [
    "HTML_AND_PDF",
    "FetchFailed",
    "FetchReason",
    "Fetched",
    "Fetcher",
    "Policy",
    "Sender",
    "policy_from_settings",
]
