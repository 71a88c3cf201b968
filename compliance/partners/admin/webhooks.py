"""Webhooks of partners and their deliveries: read-only rows, and buttons that end one or send again."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from catalog.screens.confirmation import Consent, Step, ask_before
from catalog.screens.read_only import ReadOnlyAdmin
from compliance.partners.admin.forms import SubscriptionForm, subscription_form
from compliance.partners.admin.keys import shown
from compliance.partners.admin.steps import StepsWhileLive
from compliance.partners.models import Webhook, WebhookDelivery
from compliance.partners.webhooks import actions

OUTCOME_COLORS = {"waiting": "info", "delivered": "success", "dead": "danger"}


def shown_or_404(screen: ReadOnlyAdmin, request: HttpRequest, object_id: str) -> Any:
    """Return a row that a screen shows. Raises `Http404` for any other."""
    # The list links with a quoted id, because of the underscores.
    row = screen.get_object(request, unquote(object_id))
    if row is None:
        raise Http404
    return row


class ShownWebhooks:
    """How webhooks are shown everywhere."""

    @display(description="State", label={"live": "success", "paused": "warning", "ended": "danger"})
    def state(self, webhook: Webhook) -> str:
        """Return whether it receives events."""
        if webhook.ended is not None:
            return "ended"
        return "live" if webhook.paused is None else "paused"

    @admin.display(description="Registered", ordering="created_at")
    def registered(self, webhook: Webhook) -> str:
        """Return when it was registered."""
        return shown(webhook.created_at)


@admin.register(Webhook)
class WebhookAdmin(StepsWhileLive, ShownWebhooks, ReadOnlyAdmin):
    """Webhooks. Only the page that answers a registration shows the secret."""

    over = Q(ended__isnull=False)
    list_display = ["webhook_id", "partner", "url", "state", "registered"]
    list_filter = ["partner", ("ended", admin.EmptyFieldListFilter)]
    list_select_related = ["partner"]
    search_fields = ["webhook_id", "url", "partner__slug", "partner__name"]
    fields = readonly_fields = [
        "webhook_id",
        "partner",
        "url",
        "wanted",
        "models",
        "state",
        "registered",
        "registrant",
        "ended",
        "ended_because",
    ]
    actions_detail = ["test", "subscribe", "end"]

    events_form: ClassVar[type[forms.Form]] = SubscriptionForm
    from_when = " Of releases and recalls, it gets those from the next release on."
    """From when on it gets the events that were chosen, if that is not at once."""

    deliveries = "admin:compliance_webhookdelivery_changelist"
    """The address of the list of deliveries."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the webhooks of partners."""
        return super().get_queryset(request).filter(partner__isnull=False)

    @admin.display(description="Events")
    def wanted(self, webhook: Webhook) -> str:
        """Return the events that it gets."""
        return ", ".join(webhook.events)

    @admin.display(description="Models")
    def models(self, webhook: Webhook) -> str:
        """Return the models whose new recalls it gets."""
        return ", ".join(webhook.recall_models)

    @admin.display(description="Registered by")
    def registrant(self, webhook: Webhook) -> str:
        """Return who registered it: a name without a link, because not everyone may open accounts."""
        return str(webhook.created_by)

    def has_end_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether a person may end webhooks."""
        return request.user.has_perm(f"compliance.change_{self.opts.model_name}")

    @action(description="Send a test", url_path="test", permissions=["end"], icon="science")
    def test(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then send a delivery that says nothing."""
        webhook = shown_or_404(self, request, object_id)

        def act(consent: Consent) -> HttpResponse:
            delivery = actions.send_test(webhook_id=webhook.webhook_id, now=consent.now)
            self.log_change(request, webhook, f"Sent test {delivery}.")
            messages.success(request, f"Test {delivery} is sent within seconds.")
            return HttpResponseRedirect(reverse(self.deliveries))

        step = Step(
            title=f"Send a test to {webhook}",
            consequence=f"{webhook.place} gets a delivery `webhook.test`, signed as all others. The list of "
            "deliveries shows whether it was accepted.",
            button="Send a test",
        )
        return ask_before(step, act, admin=self, request=request, subject=webhook)

    @action(description="Change events", url_path="subscribe", permissions=["end"], icon="tune")
    def subscribe(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask what the webhook gets from now on."""
        webhook = shown_or_404(self, request, object_id)

        def act(consent: Consent) -> HttpResponse:
            changed = self.change_events(webhook, consent)
            self.log_change(request, webhook, f"Gets {', '.join(changed.events)}.")
            messages.success(request, f"Webhook {webhook} gets these events from now on.")
            return self.led_to(webhook)

        step = Step(
            title=f"Change the events of {webhook}",
            consequence=f"{webhook.place} gets the events that you choose, and no others.{self.from_when}",
            button="Change the events",
            form_class=subscription_form(webhook, self.events_form),
        )
        return ask_before(step, act, admin=self, request=request, subject=webhook)

    def change_events(self, webhook: Webhook, consent: Consent) -> Webhook:
        """Change what a webhook gets to what a person chose."""
        wants = actions.Subscription(consent.answers["events"], consent.answers.get("recall_models", ()))
        return actions.subscribe(
            webhook_id=webhook.webhook_id, wants=wants, now=consent.now, seen=consent.answers["seen"]
        )

    def led_to(self, webhook: Webhook) -> HttpResponse:
        """Redirect to where a person goes on after a step."""
        return HttpResponseRedirect(reverse(f"admin:compliance_{self.opts.model_name}_changelist"))

    @action(description="End", permissions=["end"], icon="block", variant=ActionVariant.DANGER)
    def end(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then end the webhook."""
        webhook = shown_or_404(self, request, object_id)

        def act(consent: Consent) -> HttpResponse:
            actions.end_webhook(
                webhook_id=webhook.webhook_id, because=f"ended by {consent.by}"[:100], now=consent.now
            )
            self.log_change(request, webhook, "Ended.")
            messages.success(request, f"Webhook {webhook} is ended.")
            return HttpResponseRedirect(reverse(f"admin:compliance_{self.opts.model_name}_changelist"))

        step = Step(
            title=f"End {webhook}",
            consequence=f"{webhook.place} gets no more deliveries, and waiting ones are dropped. "
            "This cannot be undone: register another webhook then.",
            button="End this webhook",
            dangerous=True,
        )
        return ask_before(step, act, admin=self, request=request, subject=webhook)


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(StepsWhileLive, ReadOnlyAdmin):
    """Deliveries to webhooks. The bodies contain trips of travelers and are not shown."""

    over = Q(outcome="waiting") | Q(webhook__ended__isnull=False)
    list_display = ["delivery_id", "webhook", "event", "outcome_pill", "tries", "made_at", "next_try"]
    list_filter = ["outcome", "event", ("webhook", admin.RelatedOnlyFieldListFilter)]
    search_fields = ["delivery_id", "webhook__webhook_id", "webhook__partner__slug"]
    fields = readonly_fields = [
        "delivery_id",
        "webhook",
        "event",
        "outcome_pill",
        "tries",
        "failure",
        "made_at",
        "next_try",
    ]
    actions_detail = ["send_again"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the deliveries to partners."""
        return super().get_queryset(request).filter(webhook__partner__isnull=False)

    @display(description="Outcome", ordering="outcome", label=OUTCOME_COLORS)
    def outcome_pill(self, delivery: WebhookDelivery) -> str:
        """Return the outcome."""
        return delivery.outcome

    @admin.display(description="Written", ordering="made")
    def made_at(self, delivery: WebhookDelivery) -> str:
        """Return when it was recorded."""
        return shown(delivery.made)

    @admin.display(description="Next try", ordering="due")
    def next_try(self, delivery: WebhookDelivery) -> str:
        """Return when it is tried next."""
        return shown(delivery.due, otherwise="none")

    def has_send_again_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether a person may send a delivery again."""
        return request.user.has_perm(f"compliance.change_{self.opts.model_name}")

    @action(description="Send again", url_path="send-again", permissions=["send_again"], icon="replay")
    def send_again(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then send a delivery again that is over."""
        delivery = shown_or_404(self, request, object_id)

        def act(consent: Consent) -> HttpResponse:
            actions.send_again(delivery_id=delivery.pk, now=consent.now)
            self.log_change(request, delivery, "Sent again.")
            messages.success(request, f"Delivery {delivery} is sent again within seconds.")
            return HttpResponseRedirect(reverse(f"admin:compliance_{self.opts.model_name}_changelist"))

        step = Step(
            title=f"Send again: {delivery}",
            consequence=f"{delivery.webhook} gets this delivery again, starting with the first try.",
            button="Send again",
        )
        return ask_before(step, act, admin=self, request=request, subject=delivery)
