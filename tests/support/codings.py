"""Answers as they are before they are compressed."""

import gzip
from collections.abc import Callable
from typing import TYPE_CHECKING

import brotli
from django.http import HttpResponse

if TYPE_CHECKING:
    # The stubs' name for the client's response, which has more attributes than an `HttpResponse`.
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

UNPACK: dict[str, Callable[[bytes], bytes]] = {"": bytes, "gzip": gzip.decompress, "br": brotli.decompress}


def plain(response: "HttpResponse | Response") -> bytes:
    """Return the content of an answer without its compression."""
    return UNPACK[response.headers.get("Content-Encoding", "")](response.content)
