"""The job of the desk's webhooks. Deliveries are sent by the job of all webhooks."""

from celery import shared_task
from django.utils import timezone

from compliance.teamwork.webhooks import actions


@shared_task(name="compliance.teamwork.webhooks.tasks.tell_webhooks")
def tell_webhooks() -> int:
    """Record what the webhooks of the desk were not told yet; return how many deliveries."""
    return actions.tell_webhooks(timezone.now())
