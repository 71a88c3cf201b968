"""Callers of the API: from a unique address, with a partner's key, from a page."""

import itertools
import json
import uuid
from typing import TYPE_CHECKING, Any

from django.test import Client

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

_numbers = itertools.count(1)
# Counters outlive a test, and Redis outlives a test run, so each run has new addresses.
_run = uuid.uuid4().hex[:8]


def new_address() -> str:
    """Return an IPv6 address in a network of its own."""
    return f"2001:db8:{_run[:4]}:{next(_numbers):x}::1"


def a_client(**environ: str) -> Client:
    """Return a client that calls from a new address."""
    return Client(REMOTE_ADDR=new_address(), **environ)  # type: ignore[arg-type]


def ask(client: Client, method: str, path: str, body: Any = None, **headers: str) -> "Response":
    """Send a request. Headers are named with underscores."""
    content = b"" if body is None else json.dumps(body).encode()
    return client.generic(
        method,
        path,
        content,
        "application/json",
        headers={name.replace("_", "-"): text for name, text in headers.items()},
    )
