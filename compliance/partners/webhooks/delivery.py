"""Sends the deliveries of webhooks, one request after the other. Called by the job.

Each try reserves its delivery for a while, sends outside of any transaction, and then notes the outcome. If
the process is killed in between, the next one tries again. An answer with a status of 2xx accepts a delivery;
its body is not read, and no redirect is followed.
"""

import logging
from time import monotonic

from django.utils import timezone

from catalog.fetching import FetchFailed, Sender
from compliance.partners.webhooks import actions
from compliance.partners.webhooks.actions import Try
from compliance.partners.webhooks.signing import signed_headers

logger = logging.getLogger(__name__)

KEY_CHANGED = "The key of this service was changed, so the secret changed too. Register the webhook again."

SLOW_SECONDS = 2.0
"""A receiver that takes so long for one delivery gets its next one in the next run."""

OUR_FAILURE = "This service failed; see its log."


def deliver_due(sender: Sender, *, seconds: float) -> int:
    """Try due deliveries until none is left or so many seconds are over. Return how many were accepted.

    A receiver that failed or was slow is skipped for the rest of the run, so it does not delay others.
    """
    until = monotonic() + seconds
    taken, left = 0, set[str]()
    while (began := monotonic()) < until and (one := actions.take_due(now=timezone.now(), leaving=left)):
        was_taken = _deliver(sender, one)
        taken += was_taken
        if not was_taken or monotonic() - began >= SLOW_SECONDS:
            left.add(one.webhook_id)
    return taken


def _deliver(sender: Sender, one: Try) -> bool:
    secret = actions.secret_for(one.webhook_id)
    now = timezone.now()
    if secret is None:
        actions.note_failed(one.delivery_id, why=KEY_CHANGED, now=now)
        return False
    headers = signed_headers(secret, str(one.delivery_id), one.body, now=now)
    del secret
    try:
        sender.post(one.url, one.body, headers)
    except FetchFailed as failed:
        fate = actions.note_failed(
            one.delivery_id,
            why=failed.detail,
            now=timezone.now(),
            status=failed.status,
            wait=failed.retry_after,
        )
        if fate in {"dead", "ended"}:
            logger.warning("Webhook %s: %s after %s.", one.webhook_id, fate, failed.reason)
        return False
    except Exception:
        # It counts as a try, so that it ends at some time, and does not delay other deliveries.
        logger.exception("Webhook %s: a try failed because of an error in this service.", one.webhook_id)
        actions.note_failed(one.delivery_id, why=OUR_FAILURE, now=timezone.now())
        return False
    actions.note_delivered(one.delivery_id, now=timezone.now())
    return True
