"""The tables of the project itself: partners, their keys and webhooks, watched trips, and the verdict log.

Only `compliance.actions` writes here, and `compliance.starter_corpus.actions` what the corpus proposes.
"""

from compliance.models.partner import Partner
from compliance.models.partner_key import PartnerKey
from compliance.models.trip_watch import TripWatch, TripWatchState
from compliance.models.verdict_record import VerdictRecord
from compliance.models.webhook import Webhook, WebhookDelivery
from compliance.starter_corpus.models import CorpusProposal, ProposalState

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
