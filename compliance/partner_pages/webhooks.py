"""Own webhooks: see, register, test, change their events, end; their deliveries, and sending one again."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from catalog.screens.confirmation import Consent, Step
from compliance.partner_pages.pages import ask_before, for_people, led_to, shown
from compliance.partners.admin.forms import WebhookForm, subscription_form
from compliance.partners.models import Webhook, WebhookDelivery
from compliance.partners.people.actions import note
from compliance.partners.people.models import PartnerPerson
from compliance.partners.webhooks import actions
from compliance.partners.webhooks.actions import KEPT, MAX_LIVE_WEBHOOKS, Subscription

SHOWN_DELIVERIES = 50
"""How many deliveries of a webhook its page shows: the newest."""


@for_people
def webhooks(request: HttpRequest, person: PartnerPerson) -> HttpResponse:
    """Show the webhooks of the partner."""
    rows = person.partner.webhooks.all()
    live = sum(row.ended is None for row in rows)
    return shown(request, "webhooks", "Webhooks", person, webhooks=rows, live=live, most=MAX_LIVE_WEBHOOKS)


@for_people
def new(request: HttpRequest, person: PartnerPerson) -> HttpResponse:
    """Ask for the address and the events, then register a webhook and show its secret once."""

    def act(consent: Consent) -> HttpResponse:
        registered = actions.register_webhook(
            by=consent.by,
            now=consent.now,
            partner=person.partner_id,
            url=consent.answers["url"],
            wants=_wanted(consent),
        )
        note(person, f"Registered the webhook {registered.row} to {registered.row.url}.")
        return shown(request, "webhook_shown", "Your new webhook", person, registered=registered)

    step = Step(
        title="Register a webhook",
        consequence="It gets a delivery for each event that you choose. Its secret is shown once, on the "
        f"next page. At most {MAX_LIVE_WEBHOOKS} webhooks are live at a time.",
        button="Register the webhook",
        once=True,
        form_class=WebhookForm,
    )
    return ask_before(step, act, request=request, person=person, back=reverse("partners:webhooks"))


@for_people
def webhook(request: HttpRequest, person: PartnerPerson, webhook_id: str) -> HttpResponse:
    """Show a webhook with its newest deliveries."""
    row = _own(person, webhook_id)
    deliveries = row.deliveries.defer("body")[:SHOWN_DELIVERIES]
    return shown(
        request,
        "webhook",
        f"Webhook {row}",
        person,
        webhook=row,
        deliveries=deliveries,
        most=SHOWN_DELIVERIES,
        kept_days=KEPT.days,
    )


@for_people
def test(request: HttpRequest, person: PartnerPerson, webhook_id: str) -> HttpResponse:
    """Ask, then send a delivery that says nothing."""
    row = _own(person, webhook_id)

    def act(consent: Consent) -> HttpResponse:
        actions.send_test(webhook_id=row.webhook_id, now=consent.now)
        note(person, f"Sent a test to the webhook {row}.")
        messages.success(request, "The test is sent within seconds. Reload this page to see what came of it.")
        return led_to("webhook", row.webhook_id)

    step = Step(
        title=f"Send a test to {row}",
        consequence=f"{row.url} gets a delivery webhook.test, signed as all others.",
        button="Send a test",
    )
    return ask_before(step, act, request=request, person=person, back=_page(row))


@for_people
def events(request: HttpRequest, person: PartnerPerson, webhook_id: str) -> HttpResponse:
    """Ask what a webhook gets from now on."""
    row = _own(person, webhook_id)

    def act(consent: Consent) -> HttpResponse:
        changed = actions.subscribe(
            webhook_id=row.webhook_id, wants=_wanted(consent), now=consent.now, seen=consent.answers["seen"]
        )
        note(person, f"The webhook {row} gets {', '.join(changed.events)}.")
        messages.success(request, "The events are changed.")
        return led_to("webhook", row.webhook_id)

    step = Step(
        title=f"Change the events of {row}",
        consequence=f"{row.url} gets the events that you choose, and no others. Of releases and recalls, it "
        "gets those from the next release on.",
        button="Change the events",
        form_class=subscription_form(row),
    )
    return ask_before(step, act, request=request, person=person, back=_page(row))


@for_people
def end(request: HttpRequest, person: PartnerPerson, webhook_id: str) -> HttpResponse:
    """Ask, then end a webhook."""
    row = _own(person, webhook_id)

    def act(consent: Consent) -> HttpResponse:
        actions.end_webhook(webhook_id=row.webhook_id, because="ended by the partner", now=consent.now)
        note(person, f"Ended the webhook {row}.")
        messages.success(request, f"The webhook {row} is ended.")
        return led_to("webhooks")

    step = Step(
        title=f"End the webhook {row}",
        consequence=f"{row.url} gets no more deliveries, and waiting ones are dropped. This cannot be "
        "undone.",
        button="End this webhook",
        dangerous=True,
    )
    return ask_before(step, act, request=request, person=person, back=_page(row))


@for_people
def send_again(request: HttpRequest, person: PartnerPerson, delivery_id: uuid.UUID) -> HttpResponse:
    """Ask, then send a delivery again that is over."""
    found = WebhookDelivery.objects.select_related("webhook").filter(webhook__partner=person.partner_id)
    delivery = found.filter(pk=delivery_id).first()
    if delivery is None:
        raise Http404

    def act(consent: Consent) -> HttpResponse:
        actions.send_again(delivery_id=delivery.pk, now=consent.now)
        note(person, f"Sent the delivery {delivery} to the webhook {delivery.webhook} again.")
        messages.success(request, "The delivery is sent again within seconds.")
        return led_to("webhook", delivery.webhook_id)

    step = Step(
        title="Send a delivery again",
        consequence=f"{delivery.webhook.url} gets the delivery {delivery} of {delivery.event} again, with "
        "the same id, beginning with the first try.",
        button="Send again",
    )
    return ask_before(step, act, request=request, person=person, back=_page(delivery.webhook))


def _own(person: PartnerPerson, webhook_id: str) -> Webhook:
    """Return a webhook of the person's partner. Raises `Http404` for any other."""
    row = person.partner.webhooks.filter(pk=webhook_id).first()
    if row is None:
        raise Http404
    return row


def _page(row: Webhook) -> str:
    return reverse("partners:webhook", args=[row.webhook_id])


def _wanted(consent: Consent) -> Subscription:
    return Subscription(consent.answers["events"], consent.answers["recall_models"])
