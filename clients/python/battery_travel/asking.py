"""What both clients share: what they send, and how they read a reply. It knows no HTTP library."""

import json
import random
from dataclasses import dataclass, field
from typing import Final, Protocol
from urllib.parse import urlsplit

from battery_travel.answers import Answer, ItineraryAnswer
from battery_travel.instants import Clock, Instant
from battery_travel.judging import OK, ReceiptState
from battery_travel.questions import AnyQuestion, ItineraryQuestion, Question, TripQuestion
from battery_travel.replies import Reply
from battery_travel.retrying import Patience, pause_after

VERSION: Final = "1.0.0"
LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
MAX_CONTENT_BYTES: Final = 4 * 1024 * 1024
"""More bytes than any answer has. A longer body is not read to its end, and is not an answer."""


class Keys(Protocol):
    """The judge of receipts: `battery_travel.receipts.ReceiptKeys`."""

    def signed(self, content: bytes, receipt: str) -> bool:
        """Return whether a receipt belongs to the body of an answer."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How questions are asked at one address. The partner key is not in `repr`."""

    root: str
    headers: dict[str, str] = field(repr=False)
    language: str
    sandbox: bool
    patience: Patience
    receipt_keys: Keys | None
    clock: Clock

    def address(self, question: AnyQuestion) -> str:
        """Return the address that a question is sent to."""
        match question:
            case Question():
                return f"{self.root}/api/verify"
            case TripQuestion():
                return f"{self.root}/api/trips/verify"
            case _:
                return f"{self.root}/api/itineraries/verify"

    def content(self, question: AnyQuestion) -> bytes:
        """Return the body of a question."""
        return json.dumps({**question.body(), "options": {"language": self.language}}).encode()

    def pause_after(self, reply: Reply, attempt: int, began: Instant) -> float | None:
        """Return the seconds to wait before the next attempt; None if there is none."""
        return pause_after(
            reply,
            attempt=attempt,
            spent=self.clock().monotonic - began.monotonic,
            patience=self.patience,
            # It spreads clients over time; it is not for security.
            jitter=random.random(),  # noqa: S311
        )

    def seconds_left(self, began: Instant) -> float:
        """Return how long the next attempt may take."""
        return self.patience.next_attempt_seconds(self.clock().monotonic - began.monotonic)

    def answer(self, reply: Reply, question: AnyQuestion) -> Answer:
        """Return the answer for a reply."""
        return Answer(
            reply, question, clock=self.clock, sandbox=self.sandbox, receipt=self._receipt_state(reply)
        )

    def itinerary_answer(self, reply: Reply, question: ItineraryQuestion) -> ItineraryAnswer:
        """Return the answer for a reply about an itinerary."""
        return ItineraryAnswer(
            reply, question, clock=self.clock, sandbox=self.sandbox, receipt=self._receipt_state(reply)
        )

    def _receipt_state(self, reply: Reply) -> ReceiptState:
        if self.receipt_keys is None or reply.status != OK:
            return "not_asked_for"
        receipt = reply.headers.get("x-service-receipt")
        if not receipt:
            return "missing"
        return "good" if self.receipt_keys.signed(reply.content, receipt) else "invalid"


def asking(
    base_url: str,
    *,
    key: str | None,
    language: str,
    sandbox: bool,
    patience: Patience,
    receipt_keys: Keys | None,
    allow_plain_http: bool,
    clock: Clock,
) -> Asking:
    """Return how to ask at an address. Raises `ValueError` if it cannot be trusted."""
    parts = urlsplit(base_url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("base_url is the address of the service, such as https://example.org")
    if "@" in parts.netloc:
        raise ValueError("base_url must not contain a user name or password: a partner key goes into `key`")
    # Settings may be texts, and the text `false` is true in Python.
    if parts.scheme == "http" and not (allow_plain_http is True or parts.hostname in LOOPBACK):
        # An attacker between client and service could answer instead, and read the key.
        raise ValueError("base_url must begin with https:// unless it is on this machine")
    headers = {
        "accept": "application/json",
        "content-type": "application/json",
        "user-agent": f"battery-travel-python/{VERSION}",
    }
    if key is not None:
        headers["x-service-key"] = key
    return Asking(
        root=base_url.rstrip("/"),
        headers=headers,
        language=language,
        sandbox=sandbox,
        patience=patience,
        receipt_keys=receipt_keys,
        clock=clock,
    )
