"""What a partner has, for tests: a key, a webhook with a finished delivery, a watch; and the addresses."""

import re
from dataclasses import dataclass
from typing import Any

from django.forms.models import model_to_dict
from django.utils import timezone

from checks.hostile.addresses import routes
from compliance.models import Partner, PartnerKey, TripWatch, Webhook, WebhookDelivery
from compliance.partners.actions.keys import issue_key
from compliance.partners.webhooks.actions import note_delivered, register_webhook
from compliance.trip_watch.actions import make_watch
from rules import corpus
from rules.engine.facts import Leg, TripQuestion, Unit
from tests.support.factories import a_user

OPEN = {"/partners/sign-in", "/partners/sign-out", "/partners/unlock", "/partners/invitation/<str:secret>"}
"""The addresses that strangers reach."""

ROUTES = sorted(path for path, _ in routes() if path.startswith("/partners"))
BEHIND = sorted({*ROUTES} - OPEN)
"""Those that only people of partners reach."""

OF_A_ROW = [path for path in BEHIND if "<" in path and "<uuid:after>" not in path]
"""Those that name a row of a partner."""


@dataclass(frozen=True)
class Belongings:
    """The rows of a partner."""

    partner: Partner
    key: PartnerKey
    webhook: Webhook
    delivery: WebhookDelivery
    watch: TripWatch

    def path(self, route: str) -> str:
        """Return an address with the ids of these rows."""
        ids = {
            "public_id": self.key.pk,
            "webhook_id": self.webhook.pk,
            "delivery_id": str(self.delivery.pk),
            "watch_id": str(self.watch.watch_id),
            "after": "00000000-0000-4000-8000-000000000000",
        }
        return re.sub(r"<\w+:(\w+)>", lambda found: ids[found[1]], route)

    def state(self) -> list[dict[str, Any]]:
        """Return all that the pages can change of the partner."""
        rows = [
            Partner.objects.get(pk=self.partner.pk),
            *PartnerKey.objects.filter(partner=self.partner),
            *Webhook.objects.filter(partner=self.partner),
            *WebhookDelivery.objects.filter(webhook__partner=self.partner),
            *TripWatch.objects.filter(partner=self.partner),
        ]
        return [
            {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
            | model_to_dict(row)
            for row in rows
        ]


def belongings(partner: Partner) -> Belongings:
    """Give a partner one of each."""
    manager, now = a_user("manager"), timezone.now()
    key = issue_key(by=manager, now=now, partner=partner.slug).row
    webhook = register_webhook(
        by=manager, now=now, partner=partner.slug, url=f"https://{partner.slug}.example/hook"
    ).row
    delivery = webhook.deliveries.get()
    note_delivered(delivery.pk, now=now)
    release = corpus.current()
    question = TripQuestion(
        unit=Unit(model_id="anker-a1289"), legs=(Leg("AE", "GB", "EK"),), travel_date=now.date()
    )
    watch = make_watch(release=release, question=question, language="en", now=now, partner=partner.slug).row
    return Belongings(partner, key, webhook, delivery, watch)
