"""Webhooks that want it are told of each release, and of new recalls of the models that they name."""

import datetime
from typing import Any

import msgspec
import pytest

from catalog.errors import Unfit, WrongState
from compliance.models import Webhook
from compliance.partners.webhooks.actions import (
    Subscription,
    end_webhook,
    register_webhook,
    send_again,
    send_test,
    subscribe,
)
from compliance.partners.webhooks.tasks import announce, deliver
from tests.compliance.partners.webhooks.receiving import Receiver
from tests.compliance.trip_watch.watching import released
from tests.support import world
from tests.support.factories import a_user
from tests.support.ledger import DAY, FIRST
from tests.support.partners import Desk

MODEL = world.RECALLS[0].model_id
OTHER = next(one.model_id for one in world.DEVICES if one.model_id != MODEL)
ADDED = msgspec.structs.replace(world.RECALLS[0], recall_id="another-recall")
OF_OTHER = msgspec.structs.replace(ADDED, recall_id="of-another-model", model_id=OTHER)


def register(url: str, *events: Any, models: tuple[str, ...] = (), partner: str = "acme") -> Webhook:
    """Register a webhook, and let it be told of its registration and of the release of now."""
    wants = Subscription(events, models)
    now = datetime.datetime.now(datetime.UTC)
    webhook = register_webhook(by=a_user("m"), now=now, partner=partner, url=url, wants=wants).row
    assert announce() == 0
    deliver()
    return webhook


def told(receiver: Receiver) -> list[tuple[str, dict[str, Any]]]:
    """Return what was told after the first delivery."""
    deliver()
    return [(event["type"], event["data"]) for event in receiver.events[1:]]


def test_each_release_is_told_once(desk: Desk, receiver: Receiver) -> None:
    register(receiver.url, "ruleset.published")
    assert told(receiver) == []
    release = released(FIRST + DAY)
    assert [announce(), announce()] == [1, 0]
    ((event, data),) = told(receiver)
    assert event == "ruleset.published"
    assert data == {
        "ruleset_version": release.ruleset_version,
        "ruleset_version_before": "2026-11-20",
        "published_at": release.published_at.isoformat().replace("+00:00", "Z"),
        "sha256": release.sha256,
    }


def test_of_releases_in_between_only_what_they_left_is_told(desk: Desk, receiver: Receiver) -> None:
    register(receiver.url, "ruleset.published", "recall.added", models=(MODEL,))
    released(FIRST + DAY, recalls=[*world.RECALLS, ADDED])
    last = released(FIRST + 2 * DAY)
    announce()
    ((event, data),) = told(receiver)
    assert (event, data["ruleset_version"]) == ("ruleset.published", last.ruleset_version)
    assert data["ruleset_version_before"] == "2026-11-20"


def test_a_new_recall_of_a_named_model_is_told_and_no_other(desk: Desk, receiver: Receiver) -> None:
    register(receiver.url, "recall.added", models=(MODEL,))
    release = released(FIRST + DAY, recalls=[*world.RECALLS, ADDED, OF_OTHER])
    announce()
    ((event, data),) = told(receiver)
    assert (event, data["recall_id"], data["model_id"]) == ("recall.added", "another-recall", MODEL)
    assert data["ruleset_version"] == release.ruleset_version
    assert {*data} >= {"authority", "title", "announced_on", "notice_url"}
    # It is known now.
    released(FIRST + 2 * DAY, recalls=[*world.RECALLS, ADDED])
    announce()
    assert len(told(receiver)) == 1


def test_a_webhook_gets_only_what_it_wants(desk: Desk, receiver: Receiver) -> None:
    register(receiver.url, "trip_watch.changed")
    released(FIRST + DAY, recalls=[*world.RECALLS, ADDED])
    announce()
    assert told(receiver) == []


def test_what_is_wanted_later_is_told_from_the_next_release_on(desk: Desk, receiver: Receiver) -> None:
    webhook = register(receiver.url, "trip_watch.changed")
    released(FIRST + DAY, recalls=[*world.RECALLS, ADDED])
    now = datetime.datetime.now(datetime.UTC)
    subscribe(webhook_id=webhook.pk, wants=Subscription(("recall.added",), (MODEL,)), now=now)
    announce()
    assert told(receiver) == []
    more = msgspec.structs.replace(ADDED, recall_id="a-third-one")
    released(FIRST + 2 * DAY, recalls=[*world.RECALLS, ADDED, more])
    announce()
    assert [data["recall_id"] for _, data in told(receiver)] == ["a-third-one"]


def test_a_test_arrives_and_can_be_sent_again(desk: Desk, receiver: Receiver) -> None:
    webhook = register(receiver.url, "recall.added", models=(MODEL,))
    now = datetime.datetime.now(datetime.UTC)
    delivery = send_test(webhook_id=webhook.pk, now=now)
    assert told(receiver) == [("webhook.test", {"webhook_id": webhook.pk})]
    send_again(delivery_id=delivery.pk, now=now)
    assert [event for event, _ in told(receiver)] == ["webhook.test"] * 2
    with pytest.raises(WrongState):
        send_again(delivery_id=send_test(webhook_id=webhook.pk, now=now).pk, now=now)


def test_an_ended_webhook_is_told_of_nothing(desk: Desk, receiver: Receiver) -> None:
    webhook = register(receiver.url, "ruleset.published")
    now = datetime.datetime.now(datetime.UTC)
    end_webhook(webhook_id=webhook.pk, because="no longer needed", now=now)
    released(FIRST + DAY)
    assert announce() == 0
    with pytest.raises(WrongState):
        subscribe(webhook_id=webhook.pk, wants=Subscription(), now=now)


@pytest.mark.parametrize(
    "wants",
    [
        Subscription(()),
        Subscription(("webhook.registered",)),
        Subscription(("recall.added",)),
        Subscription(("ruleset.published",), (MODEL,)),
        Subscription(("recall.added",), ("no-such-model",)),
        Subscription(("recall.added",), (MODEL, "no-such-model")),
    ],
)
def test_what_no_event_can_be_about_is_refused(desk: Desk, receiver: Receiver, wants: Subscription) -> None:
    with pytest.raises(Unfit):
        register_webhook(
            by=a_user("m"),
            now=datetime.datetime.now(datetime.UTC),
            partner="acme",
            url=receiver.url,
            wants=wants,
        )
    assert not Webhook.objects.exists()
