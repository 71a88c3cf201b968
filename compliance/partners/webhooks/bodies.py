"""The bodies of webhooks: an event as JSON, `{"type", "timestamp", "data"}`. Pure."""

import datetime
import uuid
from typing import Any

import msgspec

from compliance.partners.models import Event
from rules.engine.vocabulary import Verdict

Json = dict[str, Any]


class Registered(msgspec.Struct):
    """The data of `webhook.registered`: the first delivery, which shows both sides that it works."""

    webhook_id: str


class WatchChanged(msgspec.Struct):
    """The data of `trip_watch.changed`.

    It allows nothing: ask again for a verdict. `number` counts the states of the watch, so a receiver of
    deliveries in the wrong order knows which one is the newest.
    """

    watch_id: uuid.UUID
    number: int
    since: datetime.datetime
    ruleset_version: str
    verdict: Verdict
    verdict_before: Verdict
    travel_date: datetime.date
    told: Json


class _EventBody(msgspec.Struct):
    type: Event
    timestamp: datetime.datetime
    data: Registered | WatchChanged


def body_of(data: Registered | WatchChanged, *, now: datetime.datetime) -> str:
    """Return the body of an event."""
    event: Event = "webhook.registered" if isinstance(data, Registered) else "trip_watch.changed"
    return msgspec.json.encode(_EventBody(event, now.astimezone(datetime.UTC), data)).decode()
