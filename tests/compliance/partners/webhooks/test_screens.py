"""Webhooks in the admin: registered with a secret that is shown once, ended, and sent again."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compliance.models import Partner, Webhook, WebhookDelivery
from compliance.partners.actions.keys import issue_key
from compliance.partners.webhooks.actions import PAUSES, note_failed, register_webhook
from rules.corpus import Published
from tests.support.desk.visiting import ACME, Visitor
from tests.support.factories import a_user
from tests.support.partners import NOON

pytestmark = pytest.mark.usefixtures("fresh_desk")


WEBHOOKS = "/admin/compliance/webhook/"
DELIVERIES = "/admin/compliance/webhookdelivery/"
SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{43}=")
URL = "https://hooks.acme.example/battery"
MODELS = "anker-a1289\nanker-a1263"


@pytest.fixture
def manager(db: None) -> Visitor:
    """Somebody who manages partners and their webhooks."""
    return Visitor(
        "view_partner", "add_webhook", "change_webhook", "view_webhook", "change_webhookdelivery",
        "view_webhookdelivery",
    )  # fmt: skip


def register(url: str = URL) -> Webhook:
    return register_webhook(by=a_user("manager"), now=NOON, partner="acme", url=url).row


def test_a_secret_is_shown_once_on_the_answer_that_nothing_keeps(manager: Visitor, acme: Partner) -> None:
    response = manager.submit(f"{ACME}webhook/", url=URL, events="trip_watch.changed")
    assert response.status_code == 200
    (secret,) = SECRET.findall(response.content.decode())
    assert "no-store" in response["Cache-Control"]
    row = Webhook.objects.get()
    assert (row.url, row.created_by) == (URL, manager.user)
    address = f"{WEBHOOKS}{quote(row.pk)}/change/"
    for path in (f"{ACME}change/", f"{ACME}webhook/", f"{ACME}history/", WEBHOOKS, address, DELIVERIES):
        assert secret[6:] not in manager.page(path)
    assert f"Registered webhook {row}." in LogEntry.objects.get().change_message


def test_keys_and_webhooks_name_who_made_them_and_lead_to_no_account(acme: Partner) -> None:
    manager = Visitor("view_partner", "view_webhook", "view_partnerkey")
    webhook = register()
    key = issue_key(by=a_user("issuer"), now=NOON, partner="acme").row
    for model, row, name in (("webhook", webhook, "manager"), ("partnerkey", key, "issuer")):
        page = manager.page(f"/admin/compliance/{model}/{quote(row.pk)}/change/")
        assert name in page
        assert "/admin/auth/user/" not in page


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://hooks.acme.example/", "It must begin with https://."),
        ("https://10.0.0.7/", "The address leads into a private or otherwise special network."),
        ("https://localhost/", "its host is not a name on the public internet."),
        ("https://hooks.internal/", "This name leads into a private or otherwise special network."),
        ("https://127.0.0.1.nip.io/", "This name leads into a private or otherwise special network."),
    ],
)
def test_where_nothing_may_be_sent_is_refused_on_the_page_with_the_reason(
    manager: Visitor, acme: Partner, url: str, why: str
) -> None:
    response = manager.submit(f"{ACME}webhook/", url=url, events="trip_watch.changed")
    assert response.status_code == 409
    page = response.content.decode()
    assert why in page
    assert "`url`" not in page
    assert f'value="{url}"' in page
    assert not Webhook.objects.exists()


def test_the_page_of_a_partner_leads_to_its_webhooks_and_can_still_be_saved(acme: Partner) -> None:
    row = register()
    manager = Visitor("view_partner", "change_partner", "view_webhook", "add_webhook", "change_webhook")
    page = manager.page(f"{ACME}change/")
    (address,) = re.findall(rf'<a class="[^"]*" href="([^"]+)">{row}</a>', page)
    assert URL in manager.page(address)
    assert row.digest not in page
    fields = {name: getattr(acme, name) for name in ("name", "contact_email", "rate_per_minute", "terms_url")}
    origins = "\n".join(acme.allowed_origins)
    answer = manager.submit(f"{ACME}change/", **fields | {"name": "Acme Flights", "allowed_origins": origins})
    assert answer.status_code == 302
    acme.refresh_from_db()
    assert acme.name == "Acme Flights"


def test_a_manager_chooses_what_a_webhook_gets_and_changes_it(
    manager: Visitor, acme: Partner, starter_release: Published
) -> None:
    events = ["ruleset.published", "recall.added"]
    manager.submit(f"{ACME}webhook/", url=URL, events=events, recall_models=MODELS)
    row = Webhook.objects.get()
    assert (row.events, row.recall_models) == (events, MODELS.split())
    address = f"{WEBHOOKS}{quote(row.pk)}/"
    assert "ruleset.published, recall.added" in manager.page(f"{address}change/")
    # The form begins with what it gets now.
    form = manager.page(f"{address}subscribe/")
    assert MODELS in form
    boxes = re.findall(r'<input type="checkbox"[^>]*name="events"[^>]*>', form)
    chosen = [box for box in boxes if re.search(r" checked[ />=]", box)]
    assert [re.findall(r'value="([^"]+)"', box) for box in chosen] == [[event] for event in events]
    refused = manager.submit(f"{address}subscribe/", events="recall.added", recall_models="anker-a0")
    assert refused.status_code == 409
    assert "There is no model anker-a0." in refused.content.decode()
    manager.submit(f"{address}subscribe/", events="trip_watch.changed")
    row.refresh_from_db()
    assert (row.events, row.recall_models) == (["trip_watch.changed"], [])


def test_no_event_is_chosen_in_advance(manager: Visitor, acme: Partner) -> None:
    form = manager.page(f"{ACME}webhook/")
    boxes = re.findall(r'<input type="checkbox"[^>]*name="events"[^>]*>', form)
    assert len(boxes) == 3
    assert not any(re.search(r" checked[ />=]", box) for box in boxes)
    assert manager.submit(f"{ACME}webhook/", url=URL).status_code == 400
    assert not Webhook.objects.exists()


def test_a_refusal_about_models_is_at_the_field_that_the_screen_calls_models(
    manager: Visitor, acme: Partner
) -> None:
    refused = manager.submit(f"{ACME}webhook/", url=URL, events="recall.added").content.decode()
    assert "Name models exactly if the webhook gets their recalls." in refused
    assert "recall_models`" not in refused
    page = manager.page(f"{WEBHOOKS}{quote(register().pk)}/change/")
    assert "Models" in page
    assert "Recall models" not in page


def test_an_ended_webhook_offers_no_steps(manager: Visitor, acme: Partner) -> None:
    row = register()
    address = f"{WEBHOOKS}{quote(row.pk)}"
    steps = [f"{address}/{verb}/" for verb in ("test", "subscribe", "end")]
    assert [step in manager.page(f"{address}/change/") for step in steps] == [True] * 3
    assert manager.submit(steps[2]).status_code == 302
    assert [step in manager.page(f"{address}/change/") for step in steps] == [False] * 3
    # A page that was opened before says why it is too late.
    late = manager.submit(steps[0])
    assert (late.status_code, "the webhook is ended" in late.content.decode()) == (409, True)


def test_only_who_may_change_webhooks_changes_what_one_gets(acme: Partner) -> None:
    row = register()
    other = Visitor("view_partner", "view_webhook")
    for verb in ("subscribe", "test", "end"):
        address = f"{WEBHOOKS}{quote(row.pk)}/{verb}/"
        assert other.client.get(address).status_code == 403
        assert other.client.post(address, {"events": "ruleset.published"}).status_code == 403
    row.refresh_from_db()
    assert row.events == ["trip_watch.changed"]


def test_a_test_is_sent_once_at_a_time(manager: Visitor, acme: Partner) -> None:
    row = register()
    address = f"{WEBHOOKS}{quote(row.pk)}/test/"
    assert manager.submit(address).status_code == 302
    assert WebhookDelivery.objects.get(event="webhook.test").outcome == "waiting"
    assert manager.submit(address).status_code == 409
    assert WebhookDelivery.objects.filter(event="webhook.test").count() == 1


def test_ending_asks_first_and_drops_what_waits(manager: Visitor, acme: Partner) -> None:
    row = register()
    address = f"{WEBHOOKS}{quote(row.pk)}/end/"
    assert "gets no more deliveries" in manager.page(address)
    manager.submit(address)
    row.refresh_from_db()
    assert row.ended_because == f"ended by {manager.user}"
    assert not WebhookDelivery.objects.exists()


def test_what_was_given_up_is_sent_again(manager: Visitor, acme: Partner) -> None:
    register()
    delivery = WebhookDelivery.objects.get()
    for _ in range(len(PAUSES) + 1):
        note_failed(delivery.pk, why="The server answers with status 500.", now=NOON)
    page = manager.page(f"{DELIVERIES}{delivery.pk}/change/")
    assert "The server answers with status 500." in page
    manager.submit(f"{DELIVERIES}{delivery.pk}/send-again/")
    delivery.refresh_from_db()
    assert (delivery.outcome, delivery.tries) == ("waiting", 0)


def test_the_trip_of_a_traveler_stands_on_no_page(manager: Visitor, acme: Partner) -> None:
    register()
    WebhookDelivery.objects.update(body='{"told": "Lynx 27K to Southland"}')
    delivery = WebhookDelivery.objects.get()
    for path in (DELIVERIES, f"{DELIVERIES}{delivery.pk}/change/"):
        assert "Southland" not in manager.page(path)


@pytest.mark.parametrize("path", [WEBHOOKS, DELIVERIES])
def test_a_list_costs_a_constant_number_of_queries(manager: Visitor, acme: Partner, path: str) -> None:
    register()
    with CaptureQueriesContext(connection) as few:
        manager.page(path)
    register(f"{URL}/2")
    register(f"{URL}/3")
    with CaptureQueriesContext(connection) as many:
        manager.page(path)
    assert len(many) == len(few)
