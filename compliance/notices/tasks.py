"""The job of notices: send the mails that are due."""

from celery import shared_task
from django.utils import timezone

from compliance.notices.actions import send_due


@shared_task(name="compliance.notices.tasks.send")
def send() -> int:
    """Send the mails that are due; return how many were sent. Running twice at once does no harm."""
    return send_due(now=timezone.now())
