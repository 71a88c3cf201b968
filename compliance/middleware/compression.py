"""Compresses pages and their files, the API and the contract, and gives each form its entity tag.

Views and other middleware know only the tags of plain answers: a tag that names a compression is made plain
before them. The desk and the pages of partners are not compressed: their forms have tokens that the length
could reveal.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_sequence, compress_string

from aeo.web.codings import (
    QUICK,
    WORTH_COMPRESSING,
    coding_of,
    compressed,
    is_compressible,
    plain_tags,
    tag_of,
    tag_sent,
    wanted,
)
from compliance.operations.accounting import is_for_the_signed_in

CONDITIONS = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MATCH")

PADDING_BYTES = 100
"""A page that is made for one visitor gets up to so many random bytes, so that its length says less."""


class Compression:
    """Sends an answer in the form that its reader accepts."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        meta = request.META
        sent = meta.get("HTTP_IF_NONE_MATCH", "")
        for name in CONDITIONS:
            if name in meta:
                meta[name] = plain_tags(meta[name])
        response = self.get_response(request)
        if is_for_the_signed_in(request.path_info):
            return response
        accepted = meta.get("HTTP_ACCEPT_ENCODING", "")
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            # It names what the answer itself depends on.
            patch_vary_headers(response, ["Accept-Encoding"])
            if "ETag" in response.headers:
                response.headers["ETag"] = tag_sent(response.headers["ETag"], sent, coding_of(accepted))
            return response
        if "Content-Encoding" not in response.headers:
            if not _is_worth_it(response):
                return response
            _compress(response, accepted)
        patch_vary_headers(response, ["Accept-Encoding"])
        coding = response.headers.get("Content-Encoding", "")
        if "ETag" in response.headers:
            response.headers["ETag"] = tag_of(response.headers["ETag"], coding)
        return response


def _is_worth_it(response: HttpResponseBase) -> bool:
    """Return whether to compress an answer.

    Errors, parts of files, what the sandbox answers in place of a proxy, and what may have only one form stay
    as they are.
    """
    headers = response.headers
    if response.status_code not in {HTTPStatus.OK, HTTPStatus.CREATED}:
        return False
    if not is_compressible(headers.get("Content-Type", "")):
        return False
    if "no-transform" in headers.get("Cache-Control", "") or hasattr(response, "as_from_elsewhere"):
        return False
    return response.streaming or (
        isinstance(response, HttpResponse) and len(response.content) >= WORTH_COMPRESSING
    )


def _compress(response: Any, accepted: str) -> None:
    """Compress an answer if its reader accepts that."""
    if response.streaming:
        if wanted(accepted, "gzip") > 0:
            response.streaming_content = compress_sequence(response.streaming_content)
            response.headers["Content-Encoding"] = "gzip"
            del response.headers["Content-Length"]
        return
    if "ETag" in response.headers:
        coding = coding_of(accepted)
        # A tag stands for exact bytes, which the cache of pages makes too.
        pack: Callable[[bytes, str], bytes] = compressed
    elif response.headers["Content-Type"].startswith("text/html"):
        coding, pack = ("gzip" if wanted(accepted, "gzip") > 0 else ""), _padded
    else:
        coding, pack = coding_of(accepted), _quickly
    if coding:
        response.content = pack(response.content, coding)
        response.headers["Content-Encoding"] = coding
        response.headers["Content-Length"] = str(len(response.content))


def _quickly(body: bytes, coding: str) -> bytes:
    return compressed(body, coding, QUICK)


def _padded(body: bytes, coding: str) -> bytes:
    """Return a body as gzip, the only coding that has room for bytes that mean nothing."""
    return compress_string(body, max_random_bytes=PADDING_BYTES)
