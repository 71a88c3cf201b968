"""The webhooks of the desk and their deliveries: those without a partner, with permissions of their own."""

from typing import ClassVar

from django.db import models
from django.db.models import QuerySet

from compliance.partners.models import Webhook, WebhookDelivery


class WebhooksOfTheDesk(models.Manager["DeskWebhook"]):
    """Keeps the webhooks that have no partner."""

    def get_queryset(self) -> QuerySet["DeskWebhook"]:
        """Return them."""
        return super().get_queryset().filter(partner=None)


class DeliveriesOfTheDesk(models.Manager["DeskDelivery"]):
    """Keeps the deliveries to webhooks that have no partner."""

    def get_queryset(self) -> QuerySet["DeskDelivery"]:
        """Return them."""
        return super().get_queryset().filter(webhook__partner=None)


class DeskWebhook(Webhook):
    """A webhook of the editors' desk."""

    objects: ClassVar = WebhooksOfTheDesk()

    class Meta:
        proxy = True
        default_permissions = ("add", "change", "view")
        verbose_name = "webhook of the desk"
        verbose_name_plural = "webhooks of the desk"


class DeskDelivery(WebhookDelivery):
    """A delivery to a webhook of the editors' desk."""

    objects: ClassVar = DeliveriesOfTheDesk()

    class Meta:
        proxy = True
        default_permissions = ("change", "view")
        verbose_name = "delivery of the desk"
        verbose_name_plural = "deliveries of the desk"
