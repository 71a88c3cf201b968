"""Checks the receipt of every verdict that a test gets from the API.

`tests/conftest.py` puts `judged` around Django's test client. A verdict without the receipt that was asked
for, with one that nobody asked for, or with one that a JOSE library does not accept, fails its test.
"""

import functools
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from joserfc.jwk import KeySet

from catalog.signing_keys import signing_key
from tests.support.codings import plain
from tests.support.receipt_judge import HEADER, is_proven

VERDICTS = (
    "/api/verify",
    "/api/verify/batch",
    "/api/trips/verify",
    "/api/itineraries/verify",
    "/api/itineraries/verify/batch",
)

KEYS = {"HTTP_X_SERVICE_KEY", "HTTP_AUTHORIZATION"}
"""A partner may get receipts without asking for each."""


def judged(request: Callable[..., Any]) -> Callable[..., Any]:
    """Return the test client's `request` with the check after it."""

    @functools.wraps(request)
    def request_and_judge(client: Any, **asked: Any) -> Any:
        response: HttpResponse = request(client, **asked)
        gives = asked.get("REQUEST_METHOD") == "POST" and asked.get("PATH_INFO") in VERDICTS
        if gives and response.status_code == 200 and settings.RECEIPT_KEYS:
            sent = {**client.defaults, **asked}
            if HEADER not in response:
                assert "receipt" not in sent.get("HTTP_PREFER", ""), "a verdict left without a receipt"
                return response
            assert KEYS.intersection(sent) or "HTTP_PREFER" in sent, "a receipt that nobody asked for"
            proven = is_proven(plain(response), response[HEADER], _keys(settings.RECEIPT_KEYS))
            assert proven, "a verdict left with a receipt that does not prove it"
        return response

    return request_and_judge


@functools.lru_cache(maxsize=8)
def _keys(seeds: tuple[str, ...]) -> KeySet:
    keys: list[Any] = [dict(signing_key(seed).public.as_jwk()) for seed in seeds]
    for key in keys:
        # A receipt has one of two names for its algorithm.
        del key["alg"]
    return KeySet.import_key_set({"keys": keys})
