"""What both clients share: what they send, and how they read a reply. It knows no HTTP library."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from battery_travel.answers import Answer, ItineraryAnswer
from battery_travel.batches import batch_signed, replies_in
from battery_travel.instants import Clock, Instant
from battery_travel.judging import OK, ReceiptState, looked_up
from battery_travel.lookups import ListedCode, Lookup, Model, Recall, Result
from battery_travel.questions import AnyQuestion, ItineraryQuestion, Question, TripQuestion
from battery_travel.reading import codes_found, models_found, recalls_checked, recalls_found
from battery_travel.replies import Reply
from battery_travel.retrying import Patience, pause_after

VERSION: Final = "1.1.0"
A = TypeVar("A", bound=Answer)

LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
MOST_RECALLS: Final = 200
"""The most recalls that the service lists at once. A longer list is not whole, so it is not a result."""

MAX_CONTENT_BYTES: Final = 4 * 1024 * 1024
"""More bytes than any answer has. A longer body is not read to its end, and is not an answer."""


class Call(NamedTuple):
    """One request: a question by POST, or a look-up by GET."""

    url: str
    content: bytes | None = None

    @property
    def method(self) -> str:
        """The HTTP method."""
        return "GET" if self.content is None else "POST"


class Keys(Protocol):
    """The judge of receipts: `battery_travel.receipts.ReceiptKeys`."""

    def signed(self, content: bytes, receipt: str) -> bool:
        """Return whether a receipt belongs to the body of an answer."""
        ...


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

    def call(self, question: AnyQuestion) -> Call:
        """Return the request that asks a question."""
        match question:
            case Question():
                path = "verify"
            case TripQuestion():
                path = "trips/verify"
            case _:
                path = "itineraries/verify"
        return self._call(path, question.body())

    def batch_call(self, questions: Sequence[Question] | Sequence[ItineraryQuestion]) -> Call:
        """Return the request that asks several questions of one kind."""
        kind = "verify" if isinstance(questions[0], Question) else "itineraries/verify"
        return self._call(f"{kind}/batch", {"items": [question.body() for question in questions]})

    def search_call(self, words: str, limit: int) -> Call:
        """Return the request that searches models."""
        return Call(f"{self.root}/api/devices?{urlencode({'q': words, 'limit': limit})}")

    def codes_call(self, kind: str | None) -> Call:
        """Return the request for the codes, of all kinds or of one."""
        asked = {"language": self.language} | ({} if kind is None else {"kind": kind})
        return Call(f"{self.root}/api/codes?{urlencode(asked)}")

    def recalls_call(self, model_id: str, serial: str | None, serial_hash: str | None) -> Call:
        """Return the request for the recalls of a model or of a unit, which no address names."""
        named = {"serial": serial, "serial_hash": serial_hash}
        unit = {name: value for name, value in named.items() if value is not None}
        if not unit:
            return Call(f"{self.root}/api/devices/{quote(model_id, safe='')}/recalls")
        asked = {"model_id": model_id, **unit, "limit": MOST_RECALLS}
        return Call(f"{self.root}/api/recalls/check", json.dumps(asked).encode())

    def _call(self, path: str, body: dict[str, Any]) -> Call:
        content = json.dumps({**body, "options": {"language": self.language}}).encode()
        return Call(f"{self.root}/api/{path}", content)

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

    def answer(self, reply: Reply, question: Question | TripQuestion) -> Answer:
        """Return the answer for a reply."""
        return self._answer(Answer, reply, question, self._receipt_state(reply, reply.content))

    def itinerary_answer(self, reply: Reply, question: ItineraryQuestion) -> ItineraryAnswer:
        """Return the answer for a reply about an itinerary."""
        return self._answer(ItineraryAnswer, reply, question, self._receipt_state(reply, reply.content))

    def answers(self, reply: Reply, questions: Sequence[Question]) -> list[Answer]:
        """Return the answers for a reply about several flights."""
        receipt = self._receipt_state(reply, batch_signed(reply.content))
        replies = replies_in(reply, len(questions))
        return [
            self._answer(Answer, one, asked, receipt) for one, asked in zip(replies, questions, strict=True)
        ]

    def itinerary_answers(
        self, reply: Reply, questions: Sequence[ItineraryQuestion]
    ) -> list[ItineraryAnswer]:
        """Return the answers for a reply about several itineraries."""
        receipt = self._receipt_state(reply, batch_signed(reply.content))
        replies = replies_in(reply, len(questions))
        return [
            self._answer(ItineraryAnswer, one, asked, receipt)
            for one, asked in zip(replies, questions, strict=True)
        ]

    def models(self, reply: Reply) -> Lookup[Model]:
        """Return what a search found."""
        return looked_up(reply, models_found, sandbox=self.sandbox)

    def codes(self, reply: Reply) -> Lookup[ListedCode]:
        """Return the codes."""
        return looked_up(reply, lambda body: codes_found(body, self.language), sandbox=self.sandbox)

    def recalls(
        self, reply: Reply, model_id: str, serial: str | None, serial_hash: str | None
    ) -> Lookup[Recall]:
        """Return the recalls of a model, or what they say about a unit."""

        def read(body: Any) -> Result[Recall]:
            if serial is None and serial_hash is None:
                return recalls_found(body, model_id)
            return recalls_checked(body, model_id, serial)

        return looked_up(reply, read, sandbox=self.sandbox)

    def _answer(self, kind: type[A], reply: Reply, question: AnyQuestion, receipt: ReceiptState) -> A:
        return kind(reply, question, clock=self.clock, sandbox=self.sandbox, receipt=receipt)

    def _receipt_state(self, reply: Reply, signed: bytes) -> ReceiptState:
        if self.receipt_keys is None or reply.status != OK:
            return "not_asked_for"
        receipt = reply.headers.get("x-service-receipt")
        if not receipt:
            return "missing"
        return "good" if self.receipt_keys.signed(signed, receipt) else "invalid"


def asking(
    base_url: str,
    *,
    key: str | None,
    language: str,
    sandbox: bool,
    patience: Patience,
    receipts: bool,
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
    if receipts or receipt_keys is not None:
        headers["prefer"] = "receipt"
    return Asking(
        root=base_url.rstrip("/"),
        headers=headers,
        language=language,
        sandbox=sandbox,
        patience=patience,
        receipt_keys=receipt_keys,
        clock=clock,
    )
