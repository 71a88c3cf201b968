"""What travelers and partners are told, over HTTP."""

import json
import re
import time
import urllib.request
from typing import Any

TWO_UNITS = {
    "model_id": "anker-a1289",
    "quantity": 2,
    "trip": {"origin": "QA", "destination": "GB", "airline": "QR"},
}
ONE_UNIT = TWO_UNITS | {"quantity": 1}
ELSEWHERE = TWO_UNITS | {"trip": {"origin": "AE", "destination": "GB", "airline": "EK"}}
RECALLED = ONE_UNIT | {"model_id": "anker-a1263"}

QUESTIONS = (TWO_UNITS, ONE_UNIT, ELSEWHERE, RECALLED)

OF_THE_MOMENT = re.compile(rb'"(verdict_id|ruleset_version|generated_at|expires_at)":"[^"]+"')
"""What names the release and the instant of an answer, so two answers may differ in it."""


def answer(service: str, question: dict[str, Any]) -> bytes:
    """Return the body of a verdict."""
    request = urllib.request.Request(
        f"{service}/api/verify", json.dumps(question).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        body: bytes = response.read()
    return body


def verdict(service: str, question: dict[str, Any]) -> str:
    """Return the one word."""
    return str(json.loads(answer(service, question))["verdict"])


def lasting_answers(service: str) -> list[bytes]:
    """Return the answer to each of `QUESTIONS`, byte for byte but for what names release and instant."""
    answers = [answer(service, question) for question in QUESTIONS]
    assert all(len(OF_THE_MOMENT.findall(body)) == 4 for body in answers), answers
    return [OF_THE_MOMENT.sub(rb'"\1":""', body) for body in answers]


def seconds_until(service: str, question: dict[str, Any], expected: str, *, at_most: float = 30) -> float:
    """Ask until every process of the service gives a verdict; return how long that took.

    Each request is a connection of its own, so any process may take it, and one of them may take many in a
    row. Each looks for a new release twice a second, so all have it when 2 seconds brought no other verdict.
    """
    begun = first = time.monotonic()
    while time.monotonic() - first < 2:
        if verdict(service, question) != expected:
            first = time.monotonic()
        assert time.monotonic() - begun < at_most, f"not {expected} after {at_most} seconds"
    return first - begun
