"""Partners are told of their watches by signed requests: not lost, not made up, and never sent inside."""

import datetime
import json
import re
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection
from pytest_django.fixtures import Settings

from catalog.errors import Unfit, WrongState
from catalog.fetching import Sender
from catalog.models import DeadLetter
from compliance.models import TripWatch, Webhook, WebhookDelivery
from compliance.partners.webhooks import actions as webhook_actions
from compliance.partners.webhooks import delivery as delivering
from compliance.partners.webhooks.actions import (
    PAUSES,
    RegisteredWebhook,
    TooManyWebhooks,
    end_webhook,
    register_webhook,
    send_again,
)
from compliance.partners.webhooks.signing import signed_headers
from compliance.partners.webhooks.tasks import deliver, forget_deliveries
from compliance.services.embedded import REPOSITORY
from compliance.trip_watch.actions import make_watch
from rules import corpus
from rules.engine.facts import Leg, TripQuestion, Unit
from rules.watch.actions.signals import try_again
from tests.compliance.partners.webhooks.receiving import Receiver
from tests.compliance.trip_watch.test_watches import BANNED
from tests.compliance.trip_watch.watching import released
from tests.support.constraints import change, constraints_of, violated
from tests.support.factories import a_user
from tests.support.ledger import DAY, FIRST
from tests.support.partners import Desk

GUIDE = (REPOSITORY / "docs" / "webhooks.md").read_text()

QUESTION = TripQuestion(
    unit=Unit(model_id="lynx-27k"), legs=(Leg("XA", "XB", "N1"),), travel_date=datetime.date(2026, 12, 1)
)


def register(url: str, partner: str = "acme") -> RegisteredWebhook:
    return register_webhook(
        by=a_user("manager"), now=datetime.datetime.now(datetime.UTC), partner=partner, url=url
    )


def watch(partner: str | None = "acme") -> TripWatch:
    now = datetime.datetime.now(datetime.UTC)
    return make_watch(
        release=corpus.current(), question=QUESTION, language="en", now=now, partner=partner
    ).row


def is_genuine(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """Judge a request by the very code of the guide."""
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, flags=re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    verdict: bool = names["is_genuine"](secret, headers, body)
    return verdict


# --- Telling ---


def test_a_new_webhook_is_told_so_within_one_run(desk: Desk, receiver: Receiver) -> None:
    made = register(receiver.url)
    assert deliver() == 1
    (event,) = receiver.events
    assert (event["type"], event["data"]) == ("webhook.registered", {"webhook_id": made.row.pk})
    assert WebhookDelivery.objects.get().outcome == "delivered"
    assert deliver() == 0


def test_a_changed_watch_of_a_partner_is_told_with_what_it_says_now(desk: Desk, receiver: Receiver) -> None:
    watched = watch()
    register(receiver.url)
    deliver()
    released(FIRST + DAY, rules=BANNED)
    assert deliver() == 1
    event = receiver.events[-1]
    assert event["type"] == "trip_watch.changed"
    data = event["data"]
    assert (data["watch_id"], data["number"]) == (str(watched.watch_id), 1)
    assert (data["verdict_before"], data["verdict"], data["ruleset_version"]) == (
        "allowed",
        "banned",
        "2026-11-21",
    )
    assert data["told"]["flights"][0]["verdict"] == "banned"
    # Judged again and unchanged: silence.
    released(FIRST + 2 * DAY, rules=BANNED)
    assert deliver() == 0


def test_watches_of_others_and_of_no_one_are_not_told(desk: Desk, receiver: Receiver) -> None:
    desk.record("other", name="Other")
    watch("other")
    watch(None)
    register(receiver.url)
    deliver()
    released(FIRST + DAY, rules=BANNED)
    deliver()
    assert [event["type"] for event in receiver.events] == ["webhook.registered"]


# --- The signature ---


def test_a_receiver_that_does_as_the_guide_says_believes_what_is_ours_and_nothing_else(
    desk: Desk, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    made = register(receiver.url)
    deliver()
    ((headers, body),) = receiver.sent
    assert is_genuine(made.secret, headers, body)
    other = register("https://hooks.acme.example/second")
    assert not is_genuine(other.secret, headers, body)
    assert not is_genuine(made.secret, headers, body.replace(b"registered", b"changed"))
    for name, value in (
        ("webhook-id", "another"),
        ("webhook-timestamp", str(int(headers["webhook-timestamp"]) + 1)),
        ("webhook-timestamp", "soon"),
        ("webhook-signature", "v1,AAAA"),
        ("webhook-signature", ""),
    ):
        assert not is_genuine(made.secret, {**headers, name: value}, body)
    # Kept by somebody, and sent once more.
    clock.shift(datetime.timedelta(seconds=299))
    assert is_genuine(made.secret, headers, body)
    clock.shift(datetime.timedelta(seconds=2))
    assert not is_genuine(made.secret, headers, body)


def test_the_delivery_of_the_guide_is_genuine_at_its_time_however_its_headers_are_written() -> None:
    [lines] = re.findall(r"```text\n(.*?)\n```", GUIDE, flags=re.DOTALL)
    vector = dict(line.split(maxsplit=1) for line in lines.splitlines())
    secret, body = vector.pop("secret"), vector.pop("body").encode()
    sent_at = datetime.datetime.fromtimestamp(int(vector["webhook-timestamp"]), datetime.UTC)
    assert vector.items() <= signed_headers(secret, vector["webhook-id"], body, now=sent_at).items()
    for headers in (vector, {name.title(): value for name, value in vector.items()}):
        with time_machine.travel(sent_at, tick=False):
            assert is_genuine(secret, headers, body)
            assert not is_genuine(secret, headers, body + b" ")
        with time_machine.travel(sent_at + DAY, tick=False):
            assert not is_genuine(secret, headers, body)


def shape(value: Any) -> Any:
    """Return a value of JSON without its facts: the names, and the shape of the first of each list."""
    if isinstance(value, dict):
        return {name: shape(one) for name, one in value.items()}
    return [shape(value[0])] if isinstance(value, list) else type(value)


def test_the_example_of_the_guide_has_what_a_delivery_has(desk: Desk, receiver: Receiver) -> None:
    example, _of_the_desk = re.findall(r"```json\n(.*?)\n```", GUIDE, flags=re.DOTALL)
    watch()
    register(receiver.url)
    deliver()
    released(FIRST + DAY, rules=BANNED)
    deliver()
    assert shape(json.loads(example)) == shape(receiver.events[-1])


def test_each_try_is_signed_again_under_one_id(
    desk: Desk, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    made = register(receiver.url)
    receiver.status = "500 Internal Server Error"
    deliver()
    clock.shift(DAY)
    receiver.status = "200 OK"
    deliver()
    (first, body), (second, same) = receiver.sent
    assert (first["webhook-id"], body) == (second["webhook-id"], same)
    assert first["webhook-signature"] != second["webhook-signature"]
    assert is_genuine(made.secret, second, same)


def test_the_secret_is_in_no_table_and_no_one_reads_it_again(desk: Desk, receiver: Receiver) -> None:
    made = register(receiver.url)
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", made.secret)
    with connection.cursor() as cursor:
        for table in (Webhook._meta.db_table, WebhookDelivery._meta.db_table):
            cursor.execute(f"SELECT row_to_json(one)::text FROM {table} one")
            assert made.secret[6:30] not in str(cursor.fetchall())


def test_under_another_key_of_the_service_nothing_is_sent_that_no_one_could_verify(
    desk: Desk, receiver: Receiver, settings: Settings
) -> None:
    register(receiver.url)
    settings.VERDICT_KEY = "another one"
    deliver()
    assert receiver.bodies == []
    assert "Register the webhook again" in WebhookDelivery.objects.get().failure


# --- Trying again ---


def test_pauses_grow_and_after_the_last_try_it_is_a_dead_letter(
    desk: Desk, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    register(receiver.url)
    receiver.status = "503 Service Unavailable"
    for pause in PAUSES:
        assert deliver() == 0
        due = WebhookDelivery.objects.get().due
        assert due is not None
        waits = due - datetime.datetime.now(datetime.UTC)
        assert pause <= waits <= 1.2 * pause
        # Not a moment earlier.
        clock.shift(waits - datetime.timedelta(seconds=1))
        tries = len(receiver.bodies)
        deliver()
        assert len(receiver.bodies) == tries
        clock.shift(datetime.timedelta(seconds=2))
    deliver()
    assert len(receiver.bodies) == len(PAUSES) + 1
    assert WebhookDelivery.objects.get().outcome == "dead"
    letter = DeadLetter.objects.get()
    assert (letter.name, letter.reason) == ("webhooks", "The server answers with status 503.")
    clock.shift(7 * DAY)
    deliver()
    assert len(receiver.bodies) == len(PAUSES) + 1


def test_not_all_come_back_at_once(desk: Desk, receiver: Receiver) -> None:
    receiver.status = "500 Internal Server Error"
    due = set()
    for number in range(3):
        register(f"{receiver.url}?{number}")
    deliver()
    due = set(WebhookDelivery.objects.values_list("due", flat=True))
    assert len(due) == 3


def test_a_receiver_says_when_to_come_again_within_a_day(desk: Desk, receiver: Receiver) -> None:
    register(receiver.url)
    receiver.status, receiver.headers = "429 Too Many Requests", {"retry_after": "3600"}
    deliver()
    due = WebhookDelivery.objects.get().due
    assert due is not None
    assert due - datetime.datetime.now(datetime.UTC) == datetime.timedelta(hours=1)


@pytest.mark.parametrize("how", ["by its letter", "by its own page"])
def test_what_was_given_up_is_sent_again_when_a_person_says_so(
    desk: Desk, receiver: Receiver, clock: time_machine.Traveller, how: str
) -> None:
    register(receiver.url)
    receiver.status = "500 Internal Server Error"
    for _ in range(len(PAUSES) + 1):
        deliver()
        clock.shift(2 * DAY)
    assert WebhookDelivery.objects.get().outcome == "dead"
    receiver.status = "200 OK"
    assert deliver() == 0
    if how == "by its letter":
        try_again(by=desk.manager, letter=DeadLetter.objects.get())
    else:
        send_again(delivery_id=WebhookDelivery.objects.get().pk, now=datetime.datetime.now(datetime.UTC))
    assert deliver() == 1
    assert not DeadLetter.objects.exists()
    assert WebhookDelivery.objects.get().outcome == "delivered"


@pytest.mark.parametrize("status", ["204 No Content", "500 Internal Server Error"])
def test_whatever_a_receiver_says_of_its_time_the_try_counts(
    desk: Desk, receiver: Receiver, status: str
) -> None:
    register(receiver.url)
    receiver.status = status
    receiver.headers = {"retry_after": "Wed, 1 Nov 2027 99999999999999999999:00:00 GMT"}
    deliver()
    delivery = WebhookDelivery.objects.get()
    assert (delivery.tries, delivery.outcome) == (1, "delivered" if status[0] == "2" else "waiting")


def test_a_try_at_which_we_fail_counts_and_keeps_no_other_waiting(
    desk: Desk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(receiver.url)
    register("https://hooks.acme.example/")
    post = Sender.post

    def fails(sender: Sender, url: str, *given: Any) -> None:
        if url != receiver.url:
            raise ZeroDivisionError
        post(sender, url, *given)

    monkeypatch.setattr(Sender, "post", fails)
    WebhookDelivery.objects.filter(webhook__url=receiver.url).update(due=FIRST + DAY / 2)
    assert deliver() == 1
    failed = WebhookDelivery.objects.exclude(webhook__url=receiver.url).get()
    assert (failed.tries, failed.outcome, failed.failure) == (
        1,
        "waiting",
        "This service failed; see its log.",
    )


def test_one_who_does_not_answer_costs_others_one_try(desk: Desk, receiver: Receiver) -> None:
    desk.record("other", name="Other")
    # Nobody listens there.
    register("https://127.0.1.1:1/hook")
    for _ in range(3):
        watch()
    register(receiver.url, "other")
    watch("other")
    released(FIRST + DAY, rules=BANNED)
    deliver()
    assert len(receiver.bodies) == 2
    silent = WebhookDelivery.objects.filter(webhook__partner="acme")
    assert sorted(silent.values_list("tries", flat=True)) == [0, 0, 0, 1]


def test_one_who_takes_long_costs_others_one_delivery(
    desk: Desk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.record("other", name="Other")
    for _ in range(2):
        register(f"{receiver.url}?slow")
    register(receiver.url, "other")
    deliver()
    for _ in range(3):
        watch()
    watch("other")
    released(FIRST + DAY, rules=BANNED)
    monkeypatch.setattr(delivering, "SLOW_SECONDS", 0)
    assert [deliver() for _ in range(3)] == [3, 2, 2]


def test_a_try_whose_process_was_killed_is_made_again(
    desk: Desk, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    register(receiver.url)
    taken = webhook_actions.take_due(now=datetime.datetime.now(datetime.UTC), leaving=())
    assert taken is not None
    # Somebody is at it.
    assert deliver() == 0
    clock.shift(datetime.timedelta(minutes=3))
    assert deliver() == 1


def test_who_answers_gone_is_told_nothing_any_more(desk: Desk, receiver: Receiver) -> None:
    watch()
    register(receiver.url)
    receiver.status = "410 Gone"
    deliver()
    webhook = Webhook.objects.get()
    assert (webhook.ended is not None, webhook.ended_because) == (True, "the receiver answered 410 Gone")
    released(FIRST + DAY, rules=BANNED)
    deliver()
    assert len(receiver.bodies) == 1


# --- Where it may go ---


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.acme.example/",
        "https://10.0.0.7/",
        "https://localhost/",
        "https://[::1]/",
        "hooks",
        "",
        "https://hooks.acme.example:25/",
        "https://[2606:4700::1]:22/",
        "https://me@hooks.acme.example/",
        "https://hooks.internal/",
        "https://printer.local/",
        "https://127.0.0.1.nip.io/",
    ],
)
def test_no_address_is_registered_that_nothing_may_be_sent_to(desk: Desk, url: str) -> None:
    with pytest.raises(Unfit):
        register(url)
    assert not Webhook.objects.exists()


def test_a_name_that_leads_inside_is_found_when_something_is_sent(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.FETCH_TEST_NETWORKS = []
    register("https://hooks.acme.example/")
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("10.0.0.7", 443))])
    deliver()
    assert "private or otherwise special network" in WebhookDelivery.objects.get().failure


# --- Who has one, and how it ends ---


def test_a_partner_has_three_at_most(desk: Desk) -> None:
    for number in range(3):
        register(f"https://hooks.acme.example/{number}")
    with pytest.raises(TooManyWebhooks):
        register("https://hooks.acme.example/4")
    now = datetime.datetime.now(datetime.UTC)
    ended = Webhook.objects.all()[0]
    end_webhook(webhook_id=ended.pk, because="enough", now=now)
    register("https://hooks.acme.example/4")
    with pytest.raises(WrongState):
        end_webhook(webhook_id=ended.pk, because="enough", now=now)


def test_what_was_written_down_while_its_webhook_was_ended_is_not_sent(
    desk: Desk, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    made = register(receiver.url)
    now = datetime.datetime.now(datetime.UTC)
    end_webhook(webhook_id=made.row.pk, because="enough", now=now)
    # By a worker that had found the webhook live.
    WebhookDelivery.objects.create(webhook=made.row, event="trip_watch.changed", body="{}", made=now, due=now)
    assert deliver() == 0
    assert receiver.bodies == []
    clock.shift(15 * DAY)
    assert forget_deliveries() == 1


def test_closing_a_partner_ends_its_webhooks_and_drops_what_waits(
    desk: Desk, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    register(receiver.url)
    desk.close(now=datetime.datetime.now(datetime.UTC))
    deliver()
    assert receiver.bodies == []
    assert Webhook.objects.get().ended_because == "the partner was closed"


def test_what_is_over_goes_away_after_two_weeks_and_its_letter_with_it(
    desk: Desk, receiver: Receiver, clock: time_machine.Traveller
) -> None:
    register(receiver.url)
    receiver.status = "500 Internal Server Error"
    for _ in range(len(PAUSES) + 1):
        deliver()
        clock.shift(2 * DAY)
    assert DeadLetter.objects.count() == 1
    clock.shift(13 * DAY)
    assert forget_deliveries() == 1
    assert not DeadLetter.objects.exists()


def test_the_command_line_registers_shows_and_ends_one(desk: Desk) -> None:
    out = StringIO()
    call_command("partner", "webhook", "acme", "https://hooks.acme.example/", stdout=out)
    secret = out.getvalue().splitlines()[1]
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", secret)
    webhook = Webhook.objects.get()
    shown = StringIO()
    call_command("partner", "show", "acme", stdout=shown)
    assert f"{webhook}  live " in shown.getvalue()
    assert secret not in shown.getvalue()
    call_command("partner", "end-webhook", webhook.pk, stdout=out)
    webhook.refresh_from_db()
    assert webhook.ended_because == "ended by command"


# --- What the database refuses ---

REFUSED_WEBHOOKS = [
    ("webhook_id_is_spelled", {"webhook_id": "whk_1"}),
    ("webhook_is_told_over_tls", {"url": "http://hooks.acme.example/"}),
    ("webhook_digest_is_sha256", {"digest": "x"}),
    ("webhook_ended_says_why", {"ended_because": "enough"}),
    ("webhook_ended_says_why", {"ended": FIRST + DAY}),
    ("webhook_wants_known_events", {"events": []}),
    ("webhook_wants_known_events", {"events": ["trip_watch.made"]}),
    ("webhook_names_models_for_recalls", {"events": ["recall.added"]}),
    ("webhook_names_models_for_recalls", {"recall_models": ["lynx-27k"]}),
    ("webhook_of_the_desk_listens", {"listens_from": FIRST}),
    ("webhook_of_the_desk_listens", {"paused": FIRST}),
    ("webhook_ended_after_registration", {"ended": FIRST - DAY, "ended_because": "enough"}),
]
REFUSED_DELIVERIES = [
    ("webhook_delivery_event_is_known", {"event": "trip_watch.made"}),
    ("webhook_delivery_outcome_is_known", {"outcome": "lost", "due": None, "finished": FIRST}),
    ("webhook_delivery_waits_until_due", {"due": None}),
    ("webhook_delivery_finishes_once", {"finished": FIRST}),
]


@pytest.mark.parametrize(("constraint", "changes"), REFUSED_WEBHOOKS)
def test_the_database_refuses_of_a_webhook(desk: Desk, constraint: str, changes: dict[str, object]) -> None:
    made = register("https://hooks.acme.example/")
    assert violated(change(Webhook, made.row.pk, **changes)) == constraint


@pytest.mark.parametrize(("constraint", "changes"), REFUSED_DELIVERIES)
def test_the_database_refuses_of_a_delivery(desk: Desk, constraint: str, changes: dict[str, object]) -> None:
    register("https://hooks.acme.example/")
    assert violated(change(WebhookDelivery, str(WebhookDelivery.objects.get().pk), **changes)) == constraint


def test_every_constraint_is_tried() -> None:
    tried = {name for name, _ in [*REFUSED_WEBHOOKS, *REFUSED_DELIVERIES]}
    assert tried == constraints_of("compliance", "Webhook", "WebhookDelivery")
