"""What the pages of signing in share: their frame, their forms, and where they lead."""

import datetime
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from catalog.errors import Refused
from compliance.signin.actions import TooManyCodes


def act_on(
    request: HttpRequest,
    form: Form,
    act: Callable[[datetime.datetime], HttpResponse],
    template: str,
    title: str,
    context: dict[str, Any],
) -> HttpResponse:
    """Show a form, and act when it is filled in. The form shows at its top why an action was refused."""
    status = HTTPStatus.OK
    wait_seconds = 0
    if request.method == "POST":
        status = HTTPStatus.BAD_REQUEST
        if form.is_valid():
            try:
                return act(timezone.now())
            except TooManyCodes as refusal:
                status, wait_seconds = HTTPStatus.TOO_MANY_REQUESTS, refusal.wait_seconds
                form.add_error(None, sentence(refusal))
            except Refused as refusal:
                form.add_error(None, sentence(refusal))
    return page(request, template, title, context | {"form": form}, status, wait_seconds)


def page(
    request: HttpRequest,
    template: str,
    title: str,
    context: dict[str, Any],
    status: HTTPStatus = HTTPStatus.OK,
    wait_seconds: int = 0,
) -> HttpResponse:
    """Return a page in the style of the admin, and how long to wait before the next try."""
    headers = {"Retry-After": str(wait_seconds)} if wait_seconds else None
    whole = admin.site.each_context(request) | {"title": title} | context
    return HttpResponse(render_to_string(template, whole, request), status=status, headers=headers)


def signed_in_user(request: HttpRequest) -> User:
    """Return the signed-in user. The admin lets no one else reach a view."""
    return cast(User, request.user)


def next_address(request: HttpRequest) -> str:
    """Return the page that the user wanted before signing in, if it is one of ours."""
    address = request.GET.get("next", "")
    ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if ours else reverse("admin:index")


def sentence(refusal: Refused) -> str:
    """Return why an action was refused, as a sentence."""
    return f"{refusal.reason[0].upper()}{refusal.reason[1:]}."
