"""The tables of the project itself: partners, their keys and webhooks, watched trips, and the verdict log.

Only `compliance.actions` writes here, and `compliance.starter_corpus.actions` what the corpus proposes.
"""

from compliance.partners.key_models import PartnerKey
from compliance.partners.models import Partner
from compliance.partners.webhook_models import Webhook, WebhookDelivery
from compliance.records.verdict_log.models import VerdictRecord
from compliance.starter_corpus.models import CorpusProposal, ProposalState
from compliance.trip_watch.models import TripWatch, TripWatchState

__all__ = [
    "CorpusProposal",
    "Partner",
    "PartnerKey",
    "ProposalState",
    "TripWatch",
    "TripWatchState",
    "VerdictRecord",
    "Webhook",
    "WebhookDelivery",
]
