"""The screens of the desk's webhooks, for publishers, and of their deliveries."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import quote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from unfold.decorators import action
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminURLInputWidget

from catalog.screens.confirmation import Asked, Consent, Step, ask, ask_before
from compliance.partners.admin.webhooks import WebhookAdmin, WebhookDeliveryAdmin, shown_or_404
from compliance.partners.models import WANTED_AT_THE_DESK, Webhook
from compliance.partners.webhooks import actions
from compliance.partners.webhooks.actions import MAX_LIVE_OF_THE_DESK, RegisteredWebhook, Subscription
from compliance.teamwork.webhooks.actions import tell_webhooks
from compliance.teamwork.webhooks.models import DeskDelivery, DeskWebhook

EVENTS = (
    ("desk.submitted", "Something is submitted for review"),
    ("desk.approved", "Something is approved, or approved a second time"),
    ("desk.returned", "Something is returned to its authors"),
    ("desk.mentioned", "A comment mentions people"),
    ("desk.approval_owed", "A second approval is owed"),
    ("desk.plan_failed", "A planned publishing failed"),
)
"""The events of the desk, and what people choose them by."""


class EventsForm(forms.Form):
    """What a webhook of the desk gets."""

    events = forms.MultipleChoiceField(
        label="Tell it when", choices=EVENTS, widget=UnfoldAdminCheckboxSelectMultipleWidget
    )


class AddressForm(EventsForm):
    """The address of a webhook of the desk, and what it gets."""

    field_order = ["url", "events"]
    url = forms.CharField(
        label="Address",
        max_length=500,
        widget=UnfoldAdminURLInputWidget,
        help_text="An https address of a chat or a ticket system on the public internet.",
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, initial={"events": WANTED_AT_THE_DESK})


@admin.register(DeskWebhook)
class DeskWebhookAdmin(WebhookAdmin):
    """Webhooks of the desk. Only the page that answers a registration shows the secret."""

    list_display = ["webhook_id", "server", "state", "registered"]
    list_filter = [("ended", admin.EmptyFieldListFilter), ("paused", admin.EmptyFieldListFilter)]
    list_select_related = []
    search_fields = ["webhook_id"]
    fields = readonly_fields = [
        "webhook_id",
        "server",
        "wanted",
        "state",
        "registered",
        "registrant",
        "paused",
        "ended",
        "ended_because",
    ]
    actions_detail = ["test", "subscribe", "resume", "end"]
    events_form = EventsForm
    from_when = ""
    deliveries = "admin:compliance_deskdelivery_changelist"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the webhooks of the desk."""
        return DeskWebhook.objects.select_related("created_by")

    @admin.display(description="Server")
    def server(self, webhook: Webhook) -> str:
        """Return the server of its address. Who knows the whole address of a chat can write there."""
        return webhook.place

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether a person may register webhooks."""
        return request.user.has_perm("compliance.add_deskwebhook")

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Ask for the address and the events, then register a webhook and show its secret once."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        back = reverse("admin:compliance_deskwebhook_changelist")

        def act(consent: Consent) -> HttpResponse:
            registered = actions.register_webhook(
                by=consent.by,
                now=consent.now,
                partner=None,
                url=consent.answers["url"],
                wants=Subscription(consent.answers["events"]),
            )
            self.log_addition(request, registered.row, "Registered.")
            return self._show_once(request, registered, back)

        step = Step(
            title="Register a webhook of the desk",
            consequence="It gets a delivery for each event that you choose, with the names of records and "
            "people, and a link. Its secret is shown once, on the next page. "
            f"At most {MAX_LIVE_OF_THE_DESK} are live at a time.",
            button="Register the webhook",
            form_class=AddressForm,
            once=True,
        )
        asked = ask(step, act, request=request, page_of_subject=back)
        if not isinstance(asked, Asked):
            return asked
        context = {**self._context(request, step.title), "step": step, "form": asked.form}
        context |= {"once": asked.once, "back": back}
        return TemplateResponse(request, "admin/catalog/confirm.html", context, status=asked.status)

    def change_events(self, webhook: Webhook, consent: Consent) -> Webhook:
        """Tell it first what happened until now, as it was chosen before."""
        tell_webhooks(consent.now)
        return super().change_events(webhook, consent)

    def led_to(self, webhook: Webhook) -> HttpResponse:
        """Redirect to the page of the webhook."""
        page = reverse("admin:compliance_deskwebhook_change", args=[quote(webhook.pk)])
        return HttpResponseRedirect(page)

    @action(description="Resume", url_path="resume", permissions=["end"], icon="play_arrow")
    def resume(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then resume a paused webhook."""
        webhook = shown_or_404(self, request, object_id)

        def act(consent: Consent) -> HttpResponse:
            actions.resume(webhook_id=webhook.webhook_id, now=consent.now)
            self.log_change(request, webhook, "Resumed.")
            messages.success(request, f"Webhook {webhook} is resumed.")
            return self.led_to(webhook)

        step = Step(
            title=f"Resume {webhook}",
            consequence=f"{webhook.place} gets the deliveries that wait for it, and what happens from now "
            "on. It is not told of what happened while it was paused: the desk shows what waits.",
            button="Resume",
        )
        return ask_before(step, act, admin=self, request=request, subject=webhook)

    def _show_once(self, request: HttpRequest, registered: RegisteredWebhook, back: str) -> TemplateResponse:
        """Answer with the secret. It is shown nowhere else, so no cache may keep this page."""
        return TemplateResponse(
            request,
            "admin/compliance/webhook_shown.html",
            {**self._context(request, "The new webhook"), "registered": registered, "back": back},
            headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"},
        )

    def _context(self, request: HttpRequest, title: str) -> dict[str, Any]:
        return {**self.admin_site.each_context(request), "opts": self.opts, "title": title}


@admin.register(DeskDelivery)
class DeskDeliveryAdmin(WebhookDeliveryAdmin):
    """Deliveries to webhooks of the desk."""

    search_fields = ["delivery_id", "webhook__webhook_id"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the deliveries of the desk."""
        return DeskDelivery.objects.select_related("webhook")
