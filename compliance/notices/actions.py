"""The actions of notices: record one, send those that are due."""

import datetime
import logging

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction

from compliance.notices.models import Notice

logger = logging.getLogger(__name__)

PAUSES = tuple(datetime.timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 12 * 60))
"""The pauses after tries that failed. After the last there is one more try, then the notice is given up."""

CLOSING = """
Sent by {site}. Answers to this message are not read.
"""


def notify(*, recipient: str, subject: str, text: str, now: datetime.datetime) -> None:
    """Record a mail, which is sent after this transaction. Without an address nothing is recorded."""
    if not recipient:
        return
    one_line = " ".join(subject.split())[:200]
    text = f"{text.strip()}\n{CLOSING.format(site=settings.SITE_URL)}"
    Notice.objects.create(recipient=recipient, subject=one_line, text=text, made=now, due=now)


def send_due(*, now: datetime.datetime) -> int:
    """Send the notices that are due, and return how many were sent."""
    sent = 0
    for number in Notice.objects.filter(due__lte=now).values_list("pk", flat=True):
        sent += _send(number, now)
    return sent


@transaction.atomic
def _send(number: int, now: datetime.datetime) -> bool:
    """Try to send a notice that no other process is sending."""
    notice = Notice.objects.select_for_update(skip_locked=True).filter(pk=number, due__lte=now).first()
    if notice is None:
        return False
    message = EmailMessage(notice.subject, notice.text, settings.DEFAULT_FROM_EMAIL, [notice.recipient])
    try:
        message.send()
    # Each server and each backend has errors of its own. One mail must not keep the others back.
    except Exception as error:
        _postpone(notice, now, type(error).__name__)
        return False
    notice.delete()
    return True


def _postpone(notice: Notice, now: datetime.datetime, failure: str) -> None:
    if notice.tries >= len(PAUSES):
        logger.error("A notice by mail was given up after %s tries: %s", notice.tries + 1, failure)
        notice.delete()
        return
    logger.warning("A notice by mail was not sent, and is tried again: %s", failure)
    notice.due = now + PAUSES[notice.tries]
    notice.tries += 1
    notice.save(update_fields=["due", "tries"])
