"""The least that Django and Django REST framework can do: return a ready answer, or an empty page.

The answers are those of the service, by address, in the file that BENCH_ANSWERS names. The views read only
the address of the request.
"""

import functools
import os
from http import HTTPStatus
from pathlib import Path

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.views import APIView

from bench.http.requests import Kept


@functools.cache
def answers() -> dict[str, tuple[int, dict[str, str], bytes]]:
    """Return the answers: status, headers and body, read once."""
    kept = msgspec.json.decode(Path(os.environ["BENCH_ANSWERS"]).read_bytes(), type=dict[str, Kept])
    return {path: (answer.status, answer.headers, answer.body.encode()) for path, answer in kept.items()}


def bare(request: HttpRequest) -> HttpResponse:
    """Answer as a bare Django view."""
    status, headers, body = answers()[request.path]
    if status == HTTPStatus.NOT_MODIFIED:
        # Django's default: without the type that other answers have.
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(body, status=status, headers=headers)


def empty_page(request: HttpRequest) -> HttpResponse:
    """Show the frame of the service's pages with nothing in it."""
    return render(request, "base.html")


class EmptyView(APIView):
    """Answers as an empty view of the framework: it neither authenticates callers nor counts them."""

    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()
    content_negotiation_class = DefaultContentNegotiation

    def post(self, request: Request) -> HttpResponse:
        """Answer."""
        return bare(request._request)
