"""What the pages of signing in share: their frame, their forms, and where they lead."""

import datetime
import functools
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.forms import CheckboxSelectMultiple, Form, Widget
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views.decorators.csrf import csrf_protect

from catalog.errors import Refused
from compliance.operations.accounting import is_for_partners
from compliance.signin.actions import TooManyCodes
from compliance.signin.places import DESK, place_of

View = Callable[..., HttpResponse]


def for_the_signed_in(view: View) -> View:
    """Let only people of the place of a request reach a view; send others to sign in there.

    Which steps of signing in they must have completed is checked by the middleware.
    """
    at_the_desk: View = admin.site.admin_view(view)
    of_partners = csrf_protect(view)

    @functools.wraps(view)
    def answer(request: HttpRequest, *args: Any, **path: Any) -> HttpResponse:
        place = place_of(request)
        if place is DESK:
            return at_the_desk(request, *args, **path)
        # The middleware has left the user out who does not belong here.
        if not request.user.is_authenticated:
            return to_sign_in(request)
        return of_partners(request, *args, **path)

    return answer


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """Send a stranger to sign in, and back to this page afterwards."""
    heading_for = urlencode({"next": request.get_full_path()}) if request.method == "GET" else ""
    return HttpResponseRedirect("?".join(filter(None, [reverse(place_of(request).sign_in), heading_for])))


def act_on(
    request: HttpRequest,
    form: Form,
    act: Callable[[datetime.datetime], HttpResponse],
    template: str,
    title: str,
    context: dict[str, Any],
) -> HttpResponse:
    """Show a form, and act when it is filled in. The form shows at its top why an action was refused.

    `template` is a name of `Place.template`.
    """
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
    """Return a page in the style of its place, and how long to wait before the next try."""
    headers = {"Retry-After": str(wait_seconds)} if wait_seconds else None
    place = place_of(request)
    whole = {"title": title} | context
    if place is DESK:
        whole = admin.site.each_context(request) | whole
    elif isinstance(form := context.get("form"), Form):
        dress(form)
    return HttpResponse(
        render_to_string(place.template(template), whole, request), status=status, headers=headers
    )


def dress(form: Form) -> None:
    """Give the fields of a form the look of the site, instead of that of the desk."""
    for field in form.fields.values():
        widget: Any = field.widget
        plain: Any = next(kind for kind in type(widget).__mro__ if kind.__module__ == Widget.__module__)
        widget.template_name = plain.template_name
        if isinstance(widget, CheckboxSelectMultiple):
            widget.option_template_name = plain.option_template_name
            widget.attrs.pop("class", None)
        else:
            widget.attrs["class"] = "input"


def signed_in_user(request: HttpRequest) -> User:
    """Return the signed-in user. `for_the_signed_in` lets no one else reach a view."""
    return cast(User, request.user)


def next_address(request: HttpRequest) -> str:
    """Return the page that the user wanted before signing in, if it is one of ours, at the same place."""
    address, place = request.GET.get("next", ""), place_of(request)
    ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    here = place is DESK or is_for_partners(address.partition("?")[0])
    return address if ours and here else reverse(place.home)


def sentence(refusal: Refused) -> str:
    """Return why an action was refused, as a sentence."""
    return f"{refusal.reason[0].upper()}{refusal.reason[1:]}."
