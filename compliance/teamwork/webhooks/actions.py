"""The action of the desk's webhooks: record deliveries of what happened. All else is as for partners."""

import datetime
import uuid
from collections.abc import Iterator, Sequence

from django.conf import settings
from django.db import transaction

from compliance.partners.models import Webhook, WebhookDelivery
from compliance.partners.webhooks.bodies import AtTheDesk, body_of_the_desk
from compliance.teamwork.news.collecting import WINDOW
from compliance.teamwork.news.reading import link
from compliance.teamwork.webhooks.happening import Happening, collect
from compliance.teamwork.webhooks.models import DeskWebhook

NAMES = uuid.UUID("9d3f6a0e-5a52-4f1b-8f6b-0b8b3f6f2c11")
"""Deliveries are named after their webhook and their cause, so none is recorded twice."""


@transaction.atomic
def tell_webhooks(now: datetime.datetime) -> int:
    """Record deliveries of what the live webhooks of the desk were not told; return how many."""
    live = DeskWebhook.objects.select_for_update(of=("self",)).filter(ended=None, paused=None)
    webhooks = list(live.order_by("pk"))
    if not webhooks:
        return 0
    happened = list(collect(now - WINDOW))
    wanted = [one for webhook in webhooks for one in _deliveries(webhook, happened, now)]
    named = WebhookDelivery.objects.filter(pk__in=[one.pk for one in wanted])
    known = set(named.values_list("pk", flat=True))
    return len(WebhookDelivery.objects.bulk_create(one for one in wanted if one.pk not in known))


def _deliveries(
    webhook: Webhook, happened: Sequence[Happening], now: datetime.datetime
) -> Iterator[WebhookDelivery]:
    """Yield the deliveries of what a webhook wants, from the instant on from which it listens."""
    for one in happened:
        if one.event in webhook.events and webhook.listens_from and one.at > webhook.listens_from:
            yield WebhookDelivery(
                delivery_id=uuid.uuid5(NAMES, f"{webhook.pk} {one.cause}"),
                webhook=webhook,
                event=one.event,
                body=_body(one),
                made=now,
                due=now,
            )


def _body(one: Happening) -> str:
    url = f"{settings.SITE_URL}{link(one.kind, one.subject)}"
    data = AtTheDesk(kind=one.kind, subject=one.subject, url=url)
    return body_of_the_desk(one.event, data, text=f"{' '.join(one.text.split())[:400]}: {url}", at=one.at)
