"""Vectors that the sandbox plays: every outcome of its list, as it answers it.

Answers are recorded in this process, at the instant at which the made-up vectors start.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import django
import time_machine

from tests.clients.made_up import STARTS_AT, Json, date_after, operation_of, read

KEPT = ("content-type", "retry-after", "x-sandbox")
"""The headers that clients look at."""

OF_FAULTS = {
    "expired": "expired",
    "bad_gateway": "server_error",
    "not_json": "malformed",
    "half_json": "malformed",
    "unknown_verdict": "unknown_verdict",
    "no_expiry": "malformed",
    "other_model": "other_question",
    "cut_off": "unreachable",
}
"""What a client says to what is wrong with an answer. A slow one is what it is."""


def vectors() -> Iterator[Json]:
    """Return one vector for each outcome."""
    os.environ.update(
        DJANGO_SETTINGS_MODULE="compliance.settings",
        DATABASE_URL="postgresql://127.0.0.1:1/none",
        SECRET_KEY="vectors",
        VERDICT_KEY="vectors",
        SANDBOX_RATE="1000000/m",
        LOG_LEVEL="ERROR",
    )
    django.setup()
    from compliance.channels.sandbox.outcomes import LIST

    with time_machine.travel(STARTS_AT, tick=False), patch("time.sleep"):
        for outcome in json.loads(LIST.read_text()):
            yield _vector(outcome)


def _vector(outcome: Json) -> Json:
    reply = _reply(outcome)
    why_not = _why_not(outcome["expect"])
    named = reply.get("json", {}).get("errors", []) if why_not == "refused" else []
    field = {"field": named[0]["field"]} if named else {}
    return {
        "id": f"sandbox/{outcome['id']}",
        "why": outcome["why"],
        "operation": operation_of(outcome["request"]),
        "request": outcome["request"],
        "client": {"sandbox": True},
        "starts_at": STARTS_AT.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "replies": [reply],
        "reads": [read(why_not, **field)],
    }


def _why_not(expect: Json) -> str | None:
    """Return what a client says, from what the list expects."""
    if expect["clear_to_pack"]:
        return None
    if expect["fault"] in OF_FAULTS:
        return OF_FAULTS[expect["fault"]]
    if expect["code"] is None:
        verdict: str = expect["verdict"]
        return verdict
    if expect["status"] == 429:
        return "rate_limited"
    return "server_error" if expect["status"] >= 500 else "refused"


def _reply(outcome: Json) -> Json:
    """Return what the sandbox answers."""
    from django.test import Client

    response: Any = Client(SERVER_NAME="127.0.0.1").post(
        f"/sandbox/api{outcome['path']}",
        outcome["request"],
        content_type="application/json",
        headers={"x-request-id": f"vectors-{outcome['id']}"},
    )
    content = b""
    # It breaks off where the outcome is that it breaks off.
    with contextlib.suppress(ConnectionResetError):
        for chunk in response.streaming_content if response.streaming else [response.content]:
            content += chunk
    expected = outcome["expect"]["status"]
    if response.status_code != (expected or response.status_code):
        raise ValueError(f"{outcome['id']} is answered with {response.status_code}")
    reply: Json = {"takes_seconds": 8 if outcome["expect"]["fault"] == "slow" else 0.25}
    if expected is None:
        reply["failure"] = "unreachable"
    headers = {name: response.headers[name] for name in KEPT if name in response.headers}
    reply |= {"status": response.status_code, "headers": {"date": date_after(0), **headers}}
    try:
        return {**reply, "json": json.loads(content)}
    except ValueError:
        return {**reply, "text": content.decode()}
