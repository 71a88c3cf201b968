"""Sending what webhooks are told, one request after the other. Called by the job.

Each try takes its delivery for a while, asks outside of any transaction, and then notes what came of it. Who
is killed in between has it tried again by the next one. An answer with a status of 2xx takes a delivery;
nothing of its body is read, and no redirect is followed.
"""

import logging
from time import monotonic

from django.utils import timezone

from catalog.fetching import FetchFailed, Sender
from compliance.partners.webhooks import actions
from compliance.partners.webhooks.actions import Try
from compliance.partners.webhooks.signing import signed_headers

logger = logging.getLogger(__name__)

KEY_CHANGED = "The key of this service was changed, and the secret with it. Register the webhook again."

SLOW_SECONDS = 2.0
"""Whoever takes so long to take a delivery waits for the next run with the next one."""

OUR_FAILURE = "This service failed at it; its log says where."


def deliver_due(sender: Sender, *, seconds: float) -> int:
    """Try what is due, until nothing is or so many seconds are over. Return how many deliveries were taken.

    Who did not take one, or not soon, is left alone for the rest, so nobody waits long for somebody else's
    receiver.
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
        # It counts as a try, so that it ends some day, and keeps no other delivery waiting.
        logger.exception("Webhook %s: a try failed by itself.", one.webhook_id)
        actions.note_failed(one.delivery_id, why=OUR_FAILURE, now=timezone.now())
        return False
    actions.note_delivered(one.delivery_id, now=timezone.now())
    return True
