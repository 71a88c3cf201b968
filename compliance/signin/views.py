"""The pages of signing in. The middleware, not these pages, decides which of them a session may reach."""

import base64
import datetime
import math
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

import segno
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString, mark_safe
from django_otp.plugins.otp_totp.models import TOTPDevice, default_key

from catalog.errors import Refused
from compliance.signin import actions, forms
from compliance.signin.lockout import seconds_until_next_try
from compliance.signin.models import RecoveryCode, SecondFactor
from compliance.signin.recovery_codes import grouped
from compliance.signin.session_state import complete, sign_in_state

NEW_KEY = "second_factor_new_key"
"""The session's key for the secret of an app that is not confirmed yet: a reload shows the same one."""


def sign_in(request: HttpRequest) -> HttpResponseBase:
    """Ask for name and password. After too many tries the user must wait, whatever the name is."""
    if request.method == "POST" and (wait := seconds_until_next_try(request)):
        return _wait(request, wait)
    response = admin.site.login(request)
    if getattr(request, "axes_locked_out", False):
        return _wait(request, int(settings.AXES_COOLOFF_TIME.total_seconds()))
    return response


@admin.site.admin_view
def verify(request: HttpRequest) -> HttpResponse:
    """Ask for the code of the app."""
    return _ask_for_code(request, forms.VerifyForm, "admin/sign_in/verify.html")


@admin.site.admin_view
def recover(request: HttpRequest) -> HttpResponse:
    """Ask for a recovery code, and show how many are left."""
    return _ask_for_code(request, forms.RecoverForm, "admin/sign_in/recover.html")


@admin.site.admin_view
def second_factor(request: HttpRequest) -> HttpResponse:
    """Show users the state of their own second factor."""
    factor = SecondFactor.objects.filter(user=_user(request)).first()
    context = {"factor": factor, "codes_left": _codes_left(request)}
    return _page(request, "admin/sign_in/second_factor.html", "Second factor", context)


@admin.site.admin_view
def set_up(request: HttpRequest) -> HttpResponse:
    """Show the secret of a new app and ask for its first code; then show the recovery codes once."""
    user = _user(request)
    replaces = SecondFactor.objects.filter(user=user).exists()
    key: str = request.session.setdefault(NEW_KEY, default_key())
    form = (forms.ReplaceForm if replaces else forms.SetUpForm)(request.POST or None)

    def act(now: datetime.datetime) -> HttpResponse:
        codes = actions.set_up_second_factor(user=user, now=now, key=key, **form.cleaned_data)
        del request.session[NEW_KEY]
        complete(request.session, user)
        return _show_codes(request, codes)

    device = TOTPDevice(user=user, key=key)
    context = {
        "replaces": replaces,
        "required": settings.DESK_SECOND_FACTOR,
        "picture": _picture(device.config_url),
        "link": device.config_url,
        "secret": grouped(_base32(device)),
    }
    return _act_on(request, form, act, "admin/sign_in/set_up.html", "Set up your second factor", context)


@admin.site.admin_view
def renew(request: HttpRequest) -> HttpResponse:
    """Ask for a code, then show new recovery codes, only this once."""
    form = forms.RenewForm(request.POST or None)

    def act(now: datetime.datetime) -> HttpResponse:
        codes = actions.renew_recovery_codes(user=_user(request), now=now, **form.cleaned_data)
        return _show_codes(request, codes)

    return _act_on(request, form, act, "admin/sign_in/renew.html", "New recovery codes", {})


def _ask_for_code(request: HttpRequest, form_class: type[Form], template: str) -> HttpResponse:
    """Ask for a code, and when it is valid, go on to the page that the user wanted."""
    form = form_class(request.POST or None)
    user = _user(request)
    if sign_in_state(request.session, user) == "complete":
        return HttpResponseRedirect(_next_address(request))

    def act(now: datetime.datetime) -> HttpResponse:
        actions.prove(user=user, now=now, code=form.cleaned_data["code"])
        complete(request.session, user)
        if form_class is forms.RecoverForm:
            left = _codes_left(request)
            messages.warning(request, f"You used a recovery code. You have {left} left.")
        return HttpResponseRedirect(_next_address(request))

    query = f"?{request.GET.urlencode()}" if request.GET else ""
    return _act_on(request, form, act, template, "Second factor", {"query": query})


def _act_on(
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
            except actions.TooManyCodes as refusal:
                status, wait_seconds = HTTPStatus.TOO_MANY_REQUESTS, refusal.wait_seconds
                form.add_error(None, _sentence(refusal))
            except Refused as refusal:
                form.add_error(None, _sentence(refusal))
    return _page(request, template, title, context | {"form": form}, status, wait_seconds)


def _page(
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


def _show_codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    """Show recovery codes. They are never shown again."""
    context = {"codes": codes, "go_on": _next_address(request)}
    return _page(request, "admin/sign_in/codes.html", "Your recovery codes", context)


def _wait(request: HttpRequest, seconds: int) -> HttpResponse:
    """Ask the user to wait before the next try. The page is the same for names that do not exist."""
    context = {"minutes": math.ceil(seconds / 60)}
    status = HTTPStatus.TOO_MANY_REQUESTS
    return _page(request, "admin/sign_in/locked.html", "Sign in later", context, status, seconds)


def _user(request: HttpRequest) -> User:
    """Return the signed-in user. The admin lets no one else reach a view."""
    return cast(User, request.user)


def _next_address(request: HttpRequest) -> str:
    """Return the page that the user wanted before signing in, if it is one of ours."""
    address = request.GET.get("next", "")
    ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if ours else reverse("admin:index")


def _codes_left(request: HttpRequest) -> int:
    codes = RecoveryCode.objects.filter(second_factor__user=_user(request), used=None)
    return codes.count()


def _sentence(refusal: Refused) -> str:
    return f"{refusal.reason[0].upper()}{refusal.reason[1:]}."


def _picture(address: str) -> SafeString:
    """Return a QR code as SVG, dark on light also on dark pages: few apps read light on dark."""
    drawn = segno.make(address, error="m", micro=False)
    # The picture consists of numbers alone; the address only decides them.
    return mark_safe(
        drawn.svg_inline(border=4, dark="#000", light="#fff", svgclass=None, lineclass=None, omitsize=True)
    )


def _base32(device: TOTPDevice) -> str:
    return base64.b32encode(device.bin_key).decode()
