"""The least that Django and Django REST framework can do: give an answer that is ready, or an empty page.

The answers are those of the service, kept in the file that BENCH_ANSWERS names, by address. Of the request
nothing but the address is looked at.
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
    """Return what to answer with: status, headers and body, read once."""
    kept = msgspec.json.decode(Path(os.environ["BENCH_ANSWERS"]).read_bytes(), type=dict[str, Kept])
    return {path: (answer.status, answer.headers, answer.body.encode()) for path, answer in kept.items()}


def bare(request: HttpRequest) -> HttpResponse:
    """Answer as a bare Django view."""
    status, headers, body = answers()[request.path]
    if status == HTTPStatus.NOT_MODIFIED:
        # As Django has it: without the type that other answers have.
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(body, status=status, headers=headers)


def empty_page(request: HttpRequest) -> HttpResponse:
    """Show the frame of the service's pages with nothing in it."""
    return render(request, "base.html")


class EmptyView(APIView):
    """Answers as a view of the framework that does nothing: it neither asks who calls nor counts them."""

    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()
    content_negotiation_class = DefaultContentNegotiation

    def post(self, request: Request) -> HttpResponse:
        """Answer."""
        return bare(request._request)
