"""The admin: partners with keys and webhooks, the verdict log, and the people who may sign in."""

from compliance.partners.admin.keys import PartnerKeyAdmin
from compliance.partners.admin.partners import PartnerAdmin
from compliance.partners.admin.webhooks import WebhookAdmin, WebhookDeliveryAdmin
from compliance.records.verdict_log.admin import VerdictRecordAdmin
from compliance.signin.admin.accounts import GroupAdmin, UserAdmin
from compliance.starter_corpus.admin import CorpusProposalAdmin
from compliance.teamwork.webhooks.admin import DeskDeliveryAdmin, DeskWebhookAdmin

__all__ = [
    "CorpusProposalAdmin",
    "DeskDeliveryAdmin",
    "DeskWebhookAdmin",
    "GroupAdmin",
    "PartnerAdmin",
    "PartnerKeyAdmin",
    "UserAdmin",
    "VerdictRecordAdmin",
    "WebhookAdmin",
    "WebhookDeliveryAdmin",
]
