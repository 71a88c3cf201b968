"""The job of signing in: send links to the owners of locked names."""

from celery import shared_task
from django.utils import timezone

from compliance.signin import actions


@shared_task(name="compliance.signin.tasks.mail_the_locked")
def mail_the_locked() -> int:
    """Send a link to each person whose name was locked; return how many were sent.

    A job does it, so that a request to sign in takes the same time and the same queries for every name.
    """
    return actions.mail_the_locked(now=timezone.now())
