"""Webhooks of the desk: what a team's chat hears, in what words, how often, and who may send it there."""

import datetime
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import time_machine
from django.contrib.admin.utils import quote
from django.core.exceptions import ValidationError
from django.utils import timezone
from pytest_django.fixtures import Settings

from catalog.dates import moment_words
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending.actions import propose
from catalog.errors import Refused
from catalog.fetching import Sender, policy_from_settings
from compliance.models import DeskWebhook, Notice, Webhook, WebhookDelivery
from compliance.partners.models import WANTED_AT_THE_DESK, Event
from compliance.partners.webhooks import actions
from compliance.partners.webhooks.actions import PAUSES, Subscription, note_failed, register_webhook
from compliance.partners.webhooks.delivery import deliver_due
from compliance.partners.webhooks.signing import PREFIX
from compliance.signin.groups import EDITOR, PARTNER_MANAGER, PUBLISHER, REVIEWER
from compliance.teamwork.webhooks.admin import EVENTS
from compliance.teamwork.webhooks.tasks import tell_webhooks
from rules.analysis.tasks import note_owed_approvals
from rules.editing.actions import approve_rules, draft_rule, return_rules, submit_rules, withdraw_rules
from rules.models import PlannedRelease, PlanState
from tests.catalog.fetching.servers import CERTIFICATES
from tests.compliance.partners.webhooks.receiving import Receiver
from tests.compliance.partners.webhooks.test_screens import SECRET
from tests.compliance.teamwork.conftest import RULE
from tests.compliance.teamwork.news.test_telling import named
from tests.support.desk.filling_in import fields_of, send
from tests.support.factories import a_device, a_rule, a_user

pytestmark = pytest.mark.usefixtures("fresh_desk")

HERE = f"/admin/conversation/rule/{RULE}/"
WEBHOOKS = "/admin/compliance/deskwebhook/"
CHAT = "https://chat.example/hooks/xoxb-a-secret"


@pytest.fixture
def receiver(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A chat on this machine."""
    settings.FETCH_TEST_NETWORKS = ["127.0.1.0/24"]
    monkeypatch.setenv("SSL_CERT_FILE", str(Path(CERTIFICATES) / "authority.pem"))
    with Receiver() as running:
        yield running


def a_webhook(*events: Event, url: str = CHAT) -> Webhook:
    wants = Subscription(events or WANTED_AT_THE_DESK)
    registered = register_webhook(
        by=a_user("publisher"), now=timezone.now(), partner=None, url=url, wants=wants
    )
    registered.row.deliveries.all().delete()
    return registered.row


def heard(webhook: Webhook) -> list[tuple[str, str]]:
    """Return what waits for a webhook, as it happened: each event with its text, without the link."""
    bodies = [json.loads(body) for body in webhook.deliveries.values_list("body", flat=True)]
    found = sorted(bodies, key=lambda body: body["timestamp"])
    return [(body["type"], body["text"].partition(": http")[0]) for body in found]


def test_a_team_hears_each_step_once_without_what_people_wrote(db: None) -> None:
    webhook = a_webhook()
    editor, reviewer = named("erin", EDITOR), named("rita", REVIEWER)
    names = ["n1.chat-1", "n1.chat-2"]
    for name in names:
        draft_rule(by=editor.user, rule=a_rule(rule_id=name, summary="WORDS", sources=("northwing-page",)))
    submit_rules(by=editor.user, rule_ids=names)
    return_rules(by=reviewer.user, rule_ids=names[:1], reason="SECRET REASON")
    approve_rules(by=reviewer.user, rule_ids=names[1:])
    editor.post(f"{HERE}comment/", text="@rita SECRET TEXT")
    waiting = propose(DEVICES, [a_device(model_id="lynx-new")], by=editor.user, subject="x", reason="SECRET")
    assert waiting is not None

    tell_webhooks()
    assert tell_webhooks() == 0

    assert heard(webhook) == [
        ("desk.submitted", "erin submitted 2 rules, among them n1.chat-1 for review"),
        ("desk.returned", "rita returned rule n1.chat-1"),
        ("desk.approved", "rita approved rule n1.chat-2"),
        ("desk.mentioned", f"erin mentions rita in a comment on rule {RULE}"),
        ("desk.submitted", f"erin submitted change set {waiting.pk} for review"),
    ]
    assert not re.search("SECRET|WORDS", "".join(webhook.deliveries.values_list("body", flat=True)))


def test_a_delivery_has_a_link_that_leads_to_the_record(db: None, settings: Settings) -> None:
    webhook, reviewer = a_webhook(), named("rita", REVIEWER)
    return_rules(by=reviewer.user, rule_ids=[RULE], reason="Cite the page.")
    tell_webhooks()
    body = json.loads(webhook.deliveries.get().body)
    assert body["data"] == {"kind": "rule", "subject": RULE, "url": f"{settings.SITE_URL}{HERE}go/"}
    assert body["text"] == f"rita returned rule {RULE}: {body['data']['url']}"
    assert reviewer.client.get(f"{HERE}go/", follow=True).status_code == 200


def test_owed_approvals_and_failed_plans_are_told(db: None) -> None:
    webhook = a_webhook("desk.approval_owed", "desk.plan_failed")
    author, publisher, now = a_user("author"), a_user("publisher"), timezone.now()
    withdraw_rules(by=author, rule_ids=["n1.two-units"], reason="No longer.")
    submit_rules(by=author, rule_ids=["n1.two-units"])
    approve_rules(by=named("rita", REVIEWER).user, rule_ids=["n1.two-units"])
    note_owed_approvals()
    plan = PlannedRelease.objects.create(
        due=now, base="", content_sha256="0" * 64, note="News.", created_at=now, created_by=publisher
    )
    failed = {"state": PlanState.FAILED, "failure": "Another person published.", "ended_by": publisher}
    PlannedRelease.objects.filter(pk=plan.pk).update(ended_at=timezone.now(), **failed)

    tell_webhooks()

    assert heard(webhook) == [
        (
            "desk.approval_owed",
            "A second approval is owed, because answers become less strict: rule n1.two-units",
        ),
        ("desk.plan_failed", f"The publishing planned for {moment_words(now)} failed"),
    ]


def test_of_two_publishers_the_second_sees_first_which_events_the_first_chose(db: None) -> None:
    webhook = a_webhook("desk.returned")
    address = f"{WEBHOOKS}{quote(webhook.pk)}/subscribe/"
    first, second = named("paula", PUBLISHER), named("pavel", PUBLISHER)
    form = fields_of(second, address)
    assert first.submit(address, events="desk.submitted").status_code == 302

    refused = send(second, address, form, events=["desk.approved"])

    assert refused.status_code == 409
    assert "were changed after you opened this page" in refused.content.decode()
    webhook.refresh_from_db()
    assert webhook.events == ["desk.submitted"]


def test_a_webhook_hears_only_what_is_chosen_and_only_from_then_on(db: None) -> None:
    reviewer = named("rita", REVIEWER).user
    return_rules(by=reviewer, rule_ids=[RULE], reason="Cite the page.")
    webhook = a_webhook("desk.returned")
    submit_rules(by=a_user("author"), rule_ids=[RULE])
    assert tell_webhooks() == 0
    return_rules(by=reviewer, rule_ids=[RULE], reason="Still.")
    publisher = named("paula", PUBLISHER)
    answer = publisher.submit(f"{WEBHOOKS}{quote(webhook.pk)}/subscribe/", events="desk.submitted")
    assert answer.status_code == 302
    # What happened before the change was chosen before it.
    assert heard(webhook) == [("desk.returned", f"rita returned rule {RULE}")]
    submit_rules(by=a_user("author"), rule_ids=[RULE])
    return_rules(by=reviewer, rule_ids=[RULE], reason="Again.")
    assert tell_webhooks() == 1
    assert heard(webhook)[1:] == [("desk.submitted", f"author submitted rule {RULE} for review")]


def test_a_publisher_registers_a_chat_sees_the_secret_once_and_it_gets_signed_deliveries(
    receiver: Receiver, db: None
) -> None:
    publisher = named("paula", PUBLISHER)
    answer = publisher.submit(f"{WEBHOOKS}add/", url=receiver.url, events=["desk.returned"])
    assert answer.status_code == 200
    (secret,) = SECRET.findall(answer.content.decode())
    assert "no-store" in answer["Cache-Control"]
    webhook = DeskWebhook.objects.get()
    page = f"{WEBHOOKS}{quote(webhook.pk)}/"
    publisher.submit(f"{page}test/")
    return_rules(by=named("rita", REVIEWER).user, rule_ids=[RULE], reason="Cite the page.")
    tell_webhooks()

    assert deliver_due(Sender(policy_from_settings()), seconds=30) == 3

    types = [event["type"] for event in receiver.events]
    assert types == [
        "webhook.registered",
        "webhook.test",
        "desk.returned",
    ]
    assert all(event["text"] for event in receiver.events)
    for headers, _ in receiver.sent:
        assert headers["webhook-signature"].startswith("v1,")
    deliveries = publisher.page("/admin/compliance/deskdelivery/")
    assert deliveries.count("delivered") >= 3
    for path in (WEBHOOKS, f"{page}change/", f"{page}history/", "/admin/compliance/deskdelivery/"):
        assert secret.removeprefix(PREFIX) not in publisher.page(path)


def test_the_address_of_a_chat_stands_on_no_page_and_in_no_mail(db: None) -> None:
    publisher = named("paula", PUBLISHER)
    answer = publisher.submit(f"{WEBHOOKS}add/", url=CHAT, events=["desk.returned"])
    page = f"{WEBHOOKS}{quote(DeskWebhook.objects.get().pk)}/"
    addresses = (WEBHOOKS, *(f"{page}{verb}/" for verb in ("change", "test", "subscribe", "resume", "end")))
    texts = [answer.content.decode(), *(publisher.page(path) for path in addresses)]
    texts += Notice.objects.values_list("text", flat=True)
    assert len(texts) > len(addresses) + 1
    assert all("https://chat.example/…" in text for text in texts[:-1] if "whk_" in text)
    assert not any("xoxb" in text for text in texts)


@pytest.mark.parametrize("url", ["http://chat.example/", "https://10.0.0.7/", "https://localhost/", "chat"])
def test_an_address_that_gets_nothing_is_refused_and_stays_in_the_form(db: None, url: str) -> None:
    answer = named("paula", PUBLISHER).submit(f"{WEBHOOKS}add/", url=url, events=["desk.returned"])
    assert answer.status_code == 409
    assert f'value="{url}"' in answer.content.decode()
    assert not Webhook.objects.exists()


def test_a_form_that_is_sent_twice_makes_one_webhook(db: None) -> None:
    publisher = named("paula", PUBLISHER)
    form = publisher.page(f"{WEBHOOKS}add/")
    (once,) = re.findall(r'name="once" value="(\w+)"', form)
    for _ in range(2):
        publisher.post(f"{WEBHOOKS}add/", url=CHAT, events=["desk.returned"], once=once)
    assert DeskWebhook.objects.count() == 1


def test_a_chat_that_fails_to_the_end_is_paused_and_resumed_by_a_publisher(db: None) -> None:
    webhook, reviewer = a_webhook(), named("rita", REVIEWER).user
    author = a_user("publisher")
    author.email = "paula@desk.example"
    author.save()
    with time_machine.travel(timezone.now(), tick=False) as clock:
        clock.shift(1)
        return_rules(by=reviewer, rule_ids=[RULE], reason="Cite the page.")
        tell_webhooks()
        delivery = webhook.deliveries.get()
        for _ in range(len(PAUSES) + 1):
            note_failed(delivery.pk, why="The server answers with status 500.", now=timezone.now())
        webhook.refresh_from_db()
        assert webhook.paused
        mail = Notice.objects.get(text__contains="is paused")
        assert mail.recipient == "paula@desk.example"
        clock.shift(1)
        submit_rules(by=a_user("author"), rule_ids=[RULE])
        assert tell_webhooks() == 0

        publisher = named("paula", PUBLISHER)
        page = f"{WEBHOOKS}{quote(webhook.pk)}/"
        assert "paused" in publisher.page(WEBHOOKS)
        assert "Webhooks of the desk that are paused" in publisher.page("/admin/")
        assert webhook.pk in publisher.page(f"{WEBHOOKS}?paused__isempty=0")
        assert publisher.submit(f"{page}test/").status_code == 409
        publisher.submit(f"/admin/compliance/deskdelivery/{delivery.pk}/send-again/")
        assert actions.take_due(now=timezone.now(), leaving=[]) is None
        assert publisher.submit(f"{page}resume/").status_code == 302
        assert "Webhooks of the desk that are paused" not in publisher.page("/admin/")
        due = actions.take_due(now=timezone.now(), leaving=[])
        assert due is not None
        assert due.delivery_id == delivery.pk
        clock.shift(1)
        return_rules(by=reviewer, rule_ids=[RULE], reason="Again.")
        assert tell_webhooks() == 1
        assert publisher.submit(f"{page}resume/").status_code == 409


def test_a_partners_webhook_is_never_paused(db: None, acme: object) -> None:
    row = register_webhook(
        by=a_user("manager"), now=timezone.now(), partner="acme", url="https://hooks.acme.example/"
    ).row
    for _ in range(len(PAUSES) + 1):
        note_failed(row.deliveries.get().pk, why="status 500", now=timezone.now())
    row.refresh_from_db()
    assert row.paused is None


def test_partner_managers_and_publishers_reach_only_their_own_webhooks(db: None, acme: object) -> None:
    of_the_desk = a_webhook()
    of_acme = register_webhook(
        by=a_user("manager"), now=timezone.now(), partner="acme", url="https://hooks.acme.example/"
    ).row
    manager, publisher = named("mona", PARTNER_MANAGER), named("paula", PUBLISHER)
    for visitor, place, other in ((manager, "webhook", of_the_desk), (publisher, "deskwebhook", of_acme)):
        assert other.pk not in visitor.page(f"/admin/compliance/{place}/")
        for verb in ("test", "subscribe", "end"):
            address = f"/admin/compliance/{place}/{quote(other.pk)}/{verb}/"
            assert visitor.client.get(address).status_code == 404
    delivery = of_acme.deliveries.get()
    again = publisher.client.get(f"/admin/compliance/deskdelivery/{delivery.pk}/send-again/")
    assert again.status_code == 404
    assert str(delivery.pk) not in publisher.page("/admin/compliance/deskdelivery/")


def test_a_webhook_never_wants_the_events_of_another_owner(db: None, acme: object) -> None:
    now = timezone.now()
    with pytest.raises(Refused, match="choose one or more of desk"):
        register_webhook(by=a_user("p"), now=now, partner=None, url=CHAT)
    wants = Subscription(["desk.submitted"])
    with pytest.raises(Refused, match="choose one or more of trip_watch"):
        register_webhook(by=a_user("p"), now=now, partner="acme", url=CHAT, wants=wants)
    for column, value in (("events", ["ruleset.published"]), ("listens_from", None)):
        changed = a_webhook(url=f"{CHAT}/{column}")
        setattr(changed, column, value)
        with pytest.raises(ValidationError):
            changed.validate_constraints()


def test_every_event_of_the_desk_can_be_chosen_and_is_documented() -> None:
    assert tuple(event for event, _ in EVENTS) == WANTED_AT_THE_DESK
    documented = Path("docs/webhooks.md").read_text()
    assert all(f"`{event}`" in documented for event in WANTED_AT_THE_DESK)


def test_what_is_older_than_the_window_is_not_told_any_more(db: None) -> None:
    webhook = a_webhook()
    Webhook.objects.update(listens_from=timezone.now() - datetime.timedelta(days=30))
    return_rules(by=named("rita", REVIEWER).user, rule_ids=[RULE], reason="Cite the page.")
    with time_machine.travel(timezone.now() + datetime.timedelta(days=3)):
        tell_webhooks()
    assert not WebhookDelivery.objects.filter(webhook=webhook).exists()
