"""Watching trips in the drawn world, as somebody with a browser does."""

import datetime
import html
import json
import re
from typing import Any

import msgspec
from django.test import Client

from compliance.trip_watch.tasks import catch_up
from rules import corpus
from rules.models import Release
from tests.support import world
from tests.support.api_callers import new_address
from tests.support.ledger import FIRST, publish, world_content

TRIP = "model=lynx-27k&airline=N1&from=XA&to=XB&date=2026-12-01"
"""Northwing takes it from Northland to Southland: allowed."""

ENDINGS = ("atom", "ics", "json")


def browser() -> Client:
    """Return a browser at an address that has asked nothing yet."""
    return Client(headers={"accept": "text/html"}, REMOTE_ADDR=new_address())


def make(trip: str = TRIP, prefix: str = "", by: Client | None = None) -> str:
    """Have a trip watched, and return the path of its page."""
    answer = (by or browser()).post(f"{prefix}/watch", {"trip": trip})
    assert answer.status_code == 303
    path: str = answer["Location"]
    assert re.fullmatch(rf"{prefix}/watch/[a-z2-7]{{32}}", path)
    return path


def shown(path: str) -> str:
    answer = browser().get(path)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def watch_body(path: str) -> dict[str, Any]:
    """Return a watch as data."""
    answer = Client().get(f"{path}.json")
    assert answer.status_code == 200
    body: dict[str, Any] = json.loads(answer.content)
    return body


def written(path: str) -> dict[str, bytes]:
    """Return all that somebody may subscribe to, by how the address ends."""
    return {ending: Client().get(f"{path}.{ending}").content for ending in ENDINGS}


def rule(rule_id: str, **changes: Any) -> list[Any]:
    """Return the rules of the world with one of them changed."""
    assert any(one.rule_id == rule_id for one in world.RULES)
    return [msgspec.structs.replace(one, **changes) if one.rule_id == rule_id else one for one in world.RULES]


def released(now: datetime.datetime = FIRST, **changes: Any) -> Release:
    """Publish the world, changed, and have what is watched judged again."""
    release = publish(world_content(**changes), now=now)
    corpus.refresh()
    catch_up()
    return release
