"""Faults between service and client, and answers that no service should give: a client must handle both.

Each fault takes an answer that resembles a permission and returns what arrives in its place. Only the slow
one returns the answer unchanged. Called by `environment`.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from errno import ECONNRESET
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import Any

import msgspec
from django.http import HttpResponse

from compliance.api.protocol.errors import ApiError

Fields = dict[str, Any]
Fault = Callable[[Fields], HttpResponse]

SLOW_SECONDS = 8
"""Longer than a client should wait, but short enough for a test."""

_JSON = "application/json"
_NOT_STORED = {"Cache-Control": "no-store"}

_slow_one = BoundedSemaphore()
"""One slow answer at a time in a process: many requests must not occupy the threads of the service."""


def bad_gateway(answer: Fields) -> HttpResponse:
    """A proxy answers in place of the service, with a page."""
    return _page("502 Bad Gateway", HTTPStatus.BAD_GATEWAY)


def not_json(answer: Fields) -> HttpResponse:
    """A system in between, such as the Wi-Fi of a hotel, answers 200 with its own page."""
    return _page("Welcome", HTTPStatus.OK)


def half_json(answer: Fields) -> HttpResponse:
    """The answer ends in the middle, as if that were its end."""
    return HttpResponse(_half(answer), content_type=_JSON, headers=_NOT_STORED)


def unknown_verdict(answer: Fields) -> HttpResponse:
    """The verdict is a word that the contract does not have."""
    return _given({**answer, "verdict": "permitted"})


def no_expiry(answer: Fields) -> HttpResponse:
    """The answer has no expiry."""
    return _given({name: value for name, value in answer.items() if name != "expires_at"})


def other_model(answer: Fields) -> HttpResponse:
    """The answer belongs to another caller's question."""
    for one in answer.get("items", [answer]):
        if "device_resolved" in one:
            one["device_resolved"]["model_id"] = "sandbox-allowed"
    return _given(answer)


def cut_off(answer: Fields) -> HttpResponse:
    """The connection ends in the middle of the answer."""
    return _CutOff(msgspec.json.encode(answer), content_type=_JSON, headers=_NOT_STORED)


def slow(answer: Fields) -> HttpResponse:
    """Make the client wait. Raises `ApiError` if another client is already waiting."""
    if not _slow_one.acquire(blocking=False):
        raise ApiError(
            "SERVICE_UNAVAILABLE",
            "Sandbox: another client is waiting for a slow answer. Only one slow answer is given at a time.",
            headers={"Retry-After": str(SLOW_SECONDS)},
        )
    try:
        time.sleep(SLOW_SECONDS)
    finally:
        _slow_one.release()
    return _given(answer)


FAULTS: Mapping[str, Fault] = {
    fault.__name__: fault
    for fault in (bad_gateway, not_json, half_json, unknown_verdict, no_expiry, other_model, cut_off, slow)
}
"""Every fault, by its name in the list of outcomes."""


class _CutOff(HttpResponse):
    """An answer of which the first half is sent."""

    def __iter__(self) -> Iterator[bytes]:
        yield self.content[: len(self.content) // 2]
        # The server treats this as a client that disconnected, and ends the connection without a line in its
        # log.
        raise ConnectionResetError(ECONNRESET, "cut off, as asked for")


def _given(answer: Fields) -> HttpResponse:
    return HttpResponse(msgspec.json.encode(answer), content_type=_JSON, headers=_NOT_STORED)


def _half(answer: Fields) -> bytes:
    content = msgspec.json.encode(answer)
    return content[: len(content) // 2]


def _page(title: str, status: HTTPStatus) -> HttpResponse:
    text = f"<!doctype html><title>{title}</title><p>Sandbox: a page in place of an answer. Allowed."
    page = HttpResponse(text, status=status, headers=_NOT_STORED)
    page.as_from_elsewhere = True  # type: ignore[attr-defined]
    return page
