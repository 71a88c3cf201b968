"""What identifies a unit, a caller or a key is planted, and looked for wherever a record passes."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import serializers
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from redis import Redis as RedisClient

from compliance.models import VerdictRecord
from compliance.partners import register
from compliance.partners.actions.keys import issue_key
from compliance.partners.actions.partners import record_partner
from compliance.records.verdict_log import draining, spool
from compliance.records.verdict_log.shipping import Shipping
from compliance.records.verdict_log.stream import STREAM, Stream
from compliance.services.redis import Redis
from rules.corpus import Published
from tests.compliance.records.verdict_log.answers import HASH, SERIAL
from tests.support.api_requests import ITINERARIES, TRIPS, VERIFY, a_request, a_trip
from tests.support.partners import AGREEMENT

ADDRESS = "203.0.113.77"
TYPED = "my grey power bank on flight SQ637"


def test_neither_serial_nor_hash_nor_key_nor_address_nor_typed_words_stand_anywhere(
    committing_db: None,
    starter_release: Published,
    folder: Path,
    redis: Redis,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    register.forget()
    manager, now = User.objects.create_user("manager"), timezone.now()
    record_partner(by=manager, now=now, slug="acme", agreement=AGREEMENT)
    issued = issue_key(by=manager, now=now, partner="acme")
    key = issued.plain.reveal()
    client = Client(
        REMOTE_ADDR=ADDRESS,
        HTTP_X_SERVICE_KEY=key,
        HTTP_X_FORWARDED_FOR=ADDRESS,
        HTTP_USER_AGENT="Agent-4711",
    )
    recalled: dict[str, Any] = {"model_id": "anker-a1263"}
    bodies = [
        (VERIFY, a_request(**recalled, serial=SERIAL)),
        (VERIFY, a_request(**recalled, serial_hash=HASH)),
        (TRIPS, a_trip(device={**recalled, "serial": SERIAL})),
        (TRIPS, a_trip(device={**recalled, "serial_hash": HASH})),
        (ITINERARIES, _an_itinerary({**recalled, "serial": SERIAL}, {**recalled, "serial_hash": HASH})),
    ]
    for path, body in bodies:
        answer = client.post(path, json.dumps(body), content_type="application/json")
        assert answer.status_code == 200
    client.get("/check", {"q": f"{TYPED} from Japan to Singapore with SQ"}, follow=True)
    page = client.get("/check?model=anker-a1263&airline=SQ&from=JP&to=SG")
    assert page.status_code == 200

    places = {"spool": b"".join(path.read_bytes() for path in folder.iterdir()).decode()}
    stream = Stream(redis.url, 2)
    Shipping(spool.spool(), connection, stream).work()
    with RedisClient.from_url(redis.url) as server:
        places["stream"] = repr(server.xrange(STREAM))
    draining.drain(stream, seconds=5)
    places["table"] = serializers.serialize("json", VerdictRecord.objects.all())
    places["log"] = caplog.text

    assert VerdictRecord.objects.filter(serial_given="serial").count() == 3
    assert VerdictRecord.objects.filter(partner=issued.row.public_id).count() == len(bodies)
    secret = key.rpartition("_")[2]
    for place, text in places.items():
        assert len(text) > 1000 or place == "log"
        for private in (SERIAL, HASH, HASH[:16], secret[:20], secret[20:], issued.row.digest, ADDRESS, TYPED):
            assert private not in text, (place, private)
        assert "Agent-4711" not in text, place
        assert "grey" not in text, place


def _an_itinerary(*items: dict[str, Any]) -> dict[str, Any]:
    flight = {"origin": "JP", "destination": "SG", "operating_airline": "SQ"}
    return {"items": list(items), "segments": [flight]}
