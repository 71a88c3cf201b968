"""The bodies of webhooks: an event as JSON, `{"type", "timestamp", "data"}`. Pure."""

import datetime
import uuid
from typing import Any, ClassVar

import msgspec

from compliance.partners.models import Event
from rules.engine.vocabulary import Verdict

Json = dict[str, Any]


class Registered(msgspec.Struct):
    """The data of `webhook.registered`: the first delivery, which shows both sides that it works."""

    event: ClassVar[Event] = "webhook.registered"

    webhook_id: str


class Test(msgspec.Struct):
    """The data of `webhook.test`: someone wants to see whether deliveries arrive."""

    event: ClassVar[Event] = "webhook.test"

    webhook_id: str


class WatchChanged(msgspec.Struct):
    """The data of `trip_watch.changed`.

    It allows nothing: ask again for a verdict. `number` counts the states of the watch, so a receiver of
    deliveries in the wrong order knows which one is the newest.
    """

    event: ClassVar[Event] = "trip_watch.changed"

    watch_id: uuid.UUID
    number: int
    since: datetime.datetime
    ruleset_version: str
    verdict: Verdict
    verdict_before: Verdict
    travel_date: datetime.date
    told: Json


class RulesetPublished(msgspec.Struct):
    """The data of `ruleset.published`: verdicts from now on are made by this release.

    `ruleset_version_before` is the release that the webhook was told of last.
    """

    event: ClassVar[Event] = "ruleset.published"

    ruleset_version: str
    ruleset_version_before: str
    published_at: datetime.datetime
    sha256: str


class RecallAdded(msgspec.Struct):
    """The data of `recall.added`: verdicts about this model now take a recall into account."""

    event: ClassVar[Event] = "recall.added"

    recall_id: str
    model_id: str
    authority: str
    title: str
    announced_on: datetime.date
    notice_url: str
    ruleset_version: str


class AtTheDesk(msgspec.Struct):
    """The data of the events of the editors' desk: a record, by its kind and name, and its page."""

    kind: str
    subject: str
    url: str


Data = Registered | Test | WatchChanged | RulesetPublished | RecallAdded


class _EventBody(msgspec.Struct, omit_defaults=True):
    type: Event
    timestamp: datetime.datetime
    data: Data | AtTheDesk
    text: str = ""


def body_of(data: Data, *, now: datetime.datetime, text: str = "") -> str:
    """Return the body of an event. With a `text`, chats can show it."""
    return _json(data.event, data, now, text)


def body_of_the_desk(event: Event, data: AtTheDesk, *, text: str, at: datetime.datetime) -> str:
    """Return the body of an event of the editors' desk, which happened at an instant."""
    return _json(event, data, at, text)


def _json(event: Event, data: Data | AtTheDesk, at: datetime.datetime, text: str) -> str:
    return msgspec.json.encode(_EventBody(event, at.astimezone(datetime.UTC), data, text)).decode()
