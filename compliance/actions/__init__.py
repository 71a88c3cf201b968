"""The only writers of the project's own tables. The admin, `manage.py partner` and the tests call them.

Each verb writes all or nothing, says who did it (`by=`) and when (`now=`), and raises what `catalog.errors`
names.
"""

from compliance.partners.actions.keys import (
    OVERLAP,
    IssuedKey,
    TooManyLiveKeys,
    issue_key,
    note_keys_used,
    revoke_key,
    rotate_key,
)
from compliance.partners.actions.partners import Agreement, change_partner, close_partner, record_partner
from compliance.partners.webhooks.actions import RegisteredWebhook, end_webhook, register_webhook, send_again
from compliance.records.verdict_log.actions import forget_verdicts, record_verdicts

__all__ = [
    "OVERLAP",
    "Agreement",
    "IssuedKey",
    "RegisteredWebhook",
    "TooManyLiveKeys",
    "change_partner",
    "close_partner",
    "end_webhook",
    "forget_verdicts",
    "issue_key",
    "note_keys_used",
    "record_partner",
    "record_verdicts",
    "register_webhook",
    "revoke_key",
    "rotate_key",
    "send_again",
]
