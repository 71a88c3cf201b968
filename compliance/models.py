"""The tables of the project itself: partners, watched trips, kept answers, the log.

Django finds them here. Each is defined in the folder that owns it, next to the actions that write it.
"""

from compliance.notices.models import Notice
from compliance.partners.models import Partner, PartnerKey, Webhook, WebhookDelivery
from compliance.partners.people.models import Invitation, PartnerPerson
from compliance.records.idempotency.models import KeptAnswer
from compliance.records.use.models import DailyUse, MostAsked
from compliance.records.verdict_log.models import KeyUsage, VerdictRecord
from compliance.starter_corpus.models import CorpusProposal, ProposalState
from compliance.teamwork.conversation.models import Assignment, Comment
from compliance.teamwork.news.models import News, NewsChoice
from compliance.teamwork.webhooks.models import DeskDelivery, DeskWebhook
from compliance.trip_watch.models import TripWatch, TripWatchState

__all__ = [
    "Assignment",
    "Comment",
    "CorpusProposal",
    "DailyUse",
    "DeskDelivery",
    "DeskWebhook",
    "Invitation",
    "KeptAnswer",
    "KeyUsage",
    "MostAsked",
    "News",
    "NewsChoice",
    "Notice",
    "Partner",
    "PartnerKey",
    "PartnerPerson",
    "ProposalState",
    "TripWatch",
    "TripWatchState",
    "VerdictRecord",
    "Webhook",
    "WebhookDelivery",
]
