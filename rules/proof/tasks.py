"""The periodic job of the proofs: begin what is missing, continue what waits."""

from celery import shared_task
from django.utils import timezone

from rules.proof.actions import proving


@shared_task(name="rules.tasks.take_up_proofs")
def take_up_proofs() -> int:
    """Prove the current release if it is not proved, and return how many proofs are not finished."""
    return proving.take_up_all(now=timezone.now())
