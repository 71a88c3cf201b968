"""Two who work on the deliveries of one webhook in the same moment never get stuck or undo each other."""

import datetime
import threading
from functools import partial
from typing import Any

import pytest
import time_machine
from django.db import connection

from catalog.jobs import actions
from catalog.models import DeadLetter
from compliance.models import Webhook, WebhookDelivery
from compliance.partners.webhooks import actions as webhook_actions
from compliance.partners.webhooks.actions import PAUSES, note_failed, take_up_letters
from compliance.partners.webhooks.bodies import Registered, body_of
from tests.compliance.partners.webhooks.test_webhooks import register
from tests.support.ledger import FIRST
from tests.support.partners import Desk
from tests.support.releasing import elsewhere

HOOK = "https://hooks.acme.example/"


def deliveries_of(webhook: Webhook, number: int) -> list[WebhookDelivery]:
    """Write down so many deliveries, and return all that the webhook has."""
    body = body_of(Registered(webhook.pk), now=FIRST)
    for _ in range(number):
        WebhookDelivery.objects.create(
            webhook=webhook, event="webhook.registered", body=body, made=FIRST, due=FIRST
        )
    return list(webhook.deliveries.all())


@pytest.mark.usefixtures("committing_db")
def test_two_deliveries_that_are_answered_with_gone_at_once_end_their_webhook(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with time_machine.travel(FIRST, tick=False):
        Desk()
        deliveries = deliveries_of(register(HOOK).row, 1)
    both, end_webhook = threading.Barrier(2, timeout=10), webhook_actions.end_webhook

    def end_together(**given: Any) -> Webhook:
        both.wait()
        return end_webhook(**given)

    monkeypatch.setattr(webhook_actions, "end_webhook", end_together)
    tries = [
        elsewhere(partial(note_failed, one.pk, why="Gone.", now=FIRST, status=webhook_actions.ENDS_IT))
        for one in deliveries
    ]
    assert sorted(one.result(20) for one in tries) == ["ended", "gone"]
    assert Webhook.objects.get().ended_because == "the receiver answered 410 Gone"
    assert not WebhookDelivery.objects.exists()


@pytest.mark.usefixtures("desk")
def test_one_that_dies_while_letters_are_read_is_not_taken_up_again(clock: time_machine.Traveller) -> None:
    delivery = deliveries_of(register(HOOK).row, 0)[0]
    WebhookDelivery.objects.update(tries=len(PAUSES))
    now = datetime.datetime.now(datetime.UTC)
    dying = [delivery.pk]

    def die_after(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found = execute(sql, params, many, context)
        if dying and sql.startswith("SELECT"):
            assert note_failed(dying.pop(), why="The server answers with status 500.", now=now) == "dead"
        return found

    with connection.execute_wrapper(die_after):
        assert take_up_letters(now=now) == 0
    delivery.refresh_from_db()
    assert delivery.outcome == "dead"
    # Somebody takes the letter off the list.
    actions.revive(webhook_actions.JOB, DeadLetter.objects.get().subject)
    assert take_up_letters(now=now) == 1
