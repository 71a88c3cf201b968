"""The admin: partners with keys and webhooks, the verdict log, and the people who may sign in."""

from compliance.admin.accounts import GroupAdmin, UserAdmin
from compliance.admin.partner_keys import PartnerKeyAdmin
from compliance.admin.partners import PartnerAdmin
from compliance.admin.verdict_records import VerdictRecordAdmin
from compliance.admin.webhooks import WebhookAdmin, WebhookDeliveryAdmin
from compliance.starter_corpus.admin import CorpusProposalAdmin

__all__ = [
    "CorpusProposalAdmin",
    "GroupAdmin",
    "PartnerAdmin",
    "PartnerKeyAdmin",
    "UserAdmin",
    "VerdictRecordAdmin",
    "WebhookAdmin",
    "WebhookDeliveryAdmin",
]
