"""The least that Django and Django REST framework can do: answer with bytes that are ready, or an empty page.

The bytes are an answer of POST /api/verify, kept in the file that BENCH_ANSWER names. The request is not
looked at.
"""

import functools
import os
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.views import APIView


@functools.cache
def kept_answer() -> bytes:
    """Return the bytes to answer with, read once."""
    return Path(os.environ["BENCH_ANSWER"]).read_bytes()


def bare(request: HttpRequest) -> HttpResponse:
    """Answer as a bare Django view."""
    return HttpResponse(kept_answer(), content_type="application/json")


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
        return HttpResponse(kept_answer(), content_type="application/json")
