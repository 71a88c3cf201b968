"""Webhooks: where partners are told, and what they are told or were to be told."""

import uuid
from typing import Literal

from django.db import models
from django.db.models import Q

from catalog.tables.authorship import Created
from catalog.tables.constraints import check, choices, not_after, one_of, same, spelled, words
from compliance.partners.models import Partner
from compliance.trip_watch.models import TripWatch

Event = Literal["webhook.registered", "trip_watch.changed"]
Outcome = Literal["waiting", "delivered", "dead"]

WEBHOOK_ID = r"whk_[a-z2-7]{16}"


class Webhook(Created):
    """An address of a partner that is told of what happens.

    Its secret is derived from its id when it is needed and is in no table; `digest`, the SHA-256 of it, tells
    whether it is still the one that was handed out. It is told nothing any more once it is `ended`;
    `ended_because` says why.
    """

    webhook_id = models.CharField(primary_key=True, max_length=20, editable=False)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="webhooks", editable=False)
    url = models.CharField(max_length=500, editable=False)
    digest = models.CharField(max_length=64, editable=False)
    ended = models.DateTimeField(null=True, editable=False)
    ended_because = models.CharField(max_length=100, default="", editable=False)

    class Meta:
        ordering = ["partner", "-created_at", "webhook_id"]
        # Webhooks are ended; they stay, to tell what they were.
        default_permissions = ("add", "change", "view")
        constraints = [
            spelled(
                "webhook_id_is_spelled",
                "webhook_id",
                rf"^{WEBHOOK_ID}$",
                "a webhook id is `whk_` and 16 characters",
            ),
            spelled(
                "webhook_is_told_over_tls",
                "url",
                r"^https://[^\s/]+(/\S*)?$",
                "a webhook is at an https address",
            ),
            spelled(
                "webhook_digest_is_sha256",
                "digest",
                r"^[0-9a-f]{64}$",
                "`digest` is 64 lower-case hex digits",
            ),
            check(
                "webhook_ended_says_why",
                same(Q(ended__isnull=False), ~Q(ended_because="")),
                "a webhook says why it ended, exactly when it has",
            ),
            not_after(
                "webhook_ended_after_registration",
                "created_at",
                "ended",
                "a webhook does not end before it is registered",
            ),
        ]

    def __str__(self) -> str:
        return self.webhook_id


class WebhookDelivery(models.Model):
    """Something that a webhook is told: tried until it is taken, or given up and a dead letter.

    `delivery_id` is in every try, so whoever is told twice can tell. `due` is when it is tried next, null
    once it is over. `failure` says why the last try failed. `body` are the very bytes that are signed.
    """

    delivery_id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries", editable=False)
    watch = models.ForeignKey(
        TripWatch, on_delete=models.SET_NULL, related_name="deliveries", null=True, editable=False
    )
    event = models.CharField(max_length=30, choices=choices(Event), editable=False)
    body = models.TextField(editable=False)
    made = models.DateTimeField(editable=False)
    due = models.DateTimeField(null=True, editable=False)
    tries = models.PositiveIntegerField(default=0, editable=False)
    outcome = models.CharField(max_length=9, choices=choices(Outcome), default="waiting", editable=False)
    failure = models.CharField(max_length=300, default="", editable=False)
    finished = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-made", "delivery_id"]
        default_permissions = ("change", "view")
        verbose_name_plural = "webhook deliveries"
        indexes = [
            models.Index(name="webhook_deliveries_due", fields=["due"], condition=Q(due__isnull=False)),
        ]
        constraints = [
            one_of("webhook_delivery_event_is_known", "event", words(Event)),
            one_of("webhook_delivery_outcome_is_known", "outcome", words(Outcome)),
            check(
                "webhook_delivery_waits_until_due",
                same(Q(outcome="waiting"), Q(due__isnull=False)),
                "a delivery is due exactly as long as it waits",
            ),
            check(
                "webhook_delivery_finishes_once",
                same(Q(outcome="waiting"), Q(finished__isnull=True)),
                "a delivery has finished exactly when it no longer waits",
            ),
        ]

    def __str__(self) -> str:
        return str(self.delivery_id)
