"""The pages of signing in. The middleware, not these pages, decides which of them a session may reach."""

import base64
import datetime
import math
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar, cast

import segno
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.urls import reverse, reverse_lazy
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET, require_POST
from django_otp.plugins.otp_totp.models import TOTPDevice, default_key
from django_otp_webauthn.models import WebAuthnCredential

from compliance.signin import actions, forms
from compliance.signin.lockout import forget_unless_wrong, locks, seconds_until_next_try
from compliance.signin.models import RecoveryCode, SecondFactor
from compliance.signin.pages import View, act_on, for_the_signed_in, next_address, page, signed_in_user
from compliance.signin.places import DESK, PARTNERS, place_of
from compliance.signin.recovery_codes import grouped
from compliance.signin.session_state import complete, sign_in_state
from compliance.signin.sessions import sessions_of
from compliance.signin.unlocking import lock_of

AnyResponse = TypeVar("AnyResponse", bound=HttpResponseBase)

NEW_KEY = "second_factor_new_key"
"""The session's key for the secret of an app that is not confirmed yet: a reload shows the same one."""


class _PartnersLogin(LoginView):
    """Ask a person of a partner for mail address and password."""

    template_name = PARTNERS.template("sign_in")
    authentication_form = forms.PartnerSignInForm

    def get_success_url(self) -> str:
        """Return the page that the person wanted."""
        return next_address(self.request)


_sign_in_of_partners = _PartnersLogin.as_view()


def sign_in(request: HttpRequest) -> HttpResponseBase:
    """Ask for name and password. After too many wrong ones the user must wait, whatever the name is."""
    return as_a_try(request, admin.site.login if place_of(request) is DESK else _sign_in_of_partners)


class _PasswordOfTheDesk(PasswordChangeView):
    """Ask a member of staff for the present and another password."""

    form_class = forms.DeskPasswordForm
    template_name = "registration/password_change_form.html"
    success_url = reverse_lazy("admin:password_change_done")

    def get_form_kwargs(self) -> dict[str, Any]:
        """Pass the request on, whose wrong passwords count."""
        return {**super().get_form_kwargs(), "request": self.request}

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        """Add what every page of the desk needs."""
        return {**admin.site.each_context(self.request), **super().get_context_data(**context)}


_password_of_the_desk = cast(View, _PasswordOfTheDesk.as_view())


@for_the_signed_in
def password(request: HttpRequest) -> HttpResponse:
    """Change the own password at the desk. A wrong present one counts as one at signing in does."""
    return as_a_try(request, _password_of_the_desk)


def as_a_try(request: HttpRequest, ask: Callable[[HttpRequest], AnyResponse]) -> AnyResponse | HttpResponse:
    """Let a page look at a password, unless there were too many wrong ones."""
    if request.method != "POST":
        return ask(request)
    if wait := seconds_until_next_try(request):
        return wait_page(request, wait)
    response = ask(request)
    forget_unless_wrong(request)
    if getattr(request, "axes_locked_out", False):
        return wait_page(request, int(settings.AXES_COOLOFF_TIME.total_seconds()))
    return response


@for_the_signed_in
def verify(request: HttpRequest) -> HttpResponse:
    """Ask for the code of the app."""
    return _ask_for_code(request, forms.VerifyForm, "verify")


@for_the_signed_in
def recover(request: HttpRequest) -> HttpResponse:
    """Ask for a recovery code, and show how many are left."""
    return _ask_for_code(request, forms.RecoverForm, "recover")


@for_the_signed_in
def second_factor(request: HttpRequest) -> HttpResponse:
    """Show users the state of their own second factor."""
    factor = SecondFactor.objects.filter(user=signed_in_user(request)).first()
    passkeys = WebAuthnCredential.objects.filter(user=signed_in_user(request)).count()
    context = {"factor": factor, "codes_left": _codes_left(request), "passkeys": passkeys}
    return page(request, "second_factor", "Second factor", context)


@for_the_signed_in
def set_up(request: HttpRequest) -> HttpResponse:
    """Show the secret of a new app and ask for its first code; then show the recovery codes once."""
    user = signed_in_user(request)
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
    return act_on(request, form, act, "set_up", "Set up your second factor", context)


def unlock(request: HttpRequest) -> HttpResponseBase:
    """Show the lock that a link from a mail ends, and end it when the button is pressed."""
    lock = lock_of(request.GET.get("link", ""))
    if lock is None:
        return page(request, "unlock", "Sign in later", {}, HTTPStatus.NOT_FOUND)
    if request.method == "POST":
        actions.unlock_by_link(lock)
        messages.success(request, "You can sign in again.")
        return HttpResponseRedirect(reverse(place_of(request).sign_in))
    return page(request, "unlock", "Sign in again", {"lock": lock, "ended": lock not in locks()})


@for_the_signed_in
def sessions(request: HttpRequest) -> HttpResponse:
    """Show users where they are signed in."""
    found = sessions_of(signed_in_user(request))
    context = {"sessions": found, "here": request.session.session_key}
    return page(request, "sessions", "Where you are signed in", context)


@require_GET
@admin.site.admin_view
def stay(request: HttpRequest) -> HttpResponse:
    """Return for how many seconds the session lasts, which this use prolongs, and the token of its forms."""
    return JsonResponse({"seconds": request.session.get_expiry_age(), "token": get_token(request)})


@require_POST
@for_the_signed_in
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """End all sessions of a user. The first page of the place then asks them to sign in."""
    actions.sign_out_everywhere(signed_in_user(request))
    request.session.flush()
    return HttpResponseRedirect(reverse(place_of(request).home))


@for_the_signed_in
def renew(request: HttpRequest) -> HttpResponse:
    """Ask for a code, then show new recovery codes, only this once."""
    form = forms.RenewForm(request.POST or None)

    def act(now: datetime.datetime) -> HttpResponse:
        codes = actions.renew_recovery_codes(user=signed_in_user(request), now=now, **form.cleaned_data)
        return _show_codes(request, codes)

    return act_on(request, form, act, "renew", "New recovery codes", {})


def _ask_for_code(request: HttpRequest, form_class: type[Form], template: str) -> HttpResponse:
    """Ask for a code, and when it is valid, go on to the page that the user wanted."""
    form = form_class(request.POST or None)
    user = signed_in_user(request)
    if sign_in_state(request.session, user) == "complete":
        return HttpResponseRedirect(next_address(request))

    def act(now: datetime.datetime) -> HttpResponse:
        actions.prove(user=user, now=now, code=form.cleaned_data["code"])
        complete(request.session, user)
        if form_class is forms.RecoverForm:
            left = _codes_left(request)
            messages.warning(request, f"You used a recovery code. You have {left} left.")
        return HttpResponseRedirect(next_address(request))

    query = f"?{request.GET.urlencode()}" if request.GET else ""
    context = {"query": query, "has_passkey": WebAuthnCredential.objects.filter(user=user).exists()}
    return act_on(request, form, act, template, "Second factor", context)


def _show_codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    """Show recovery codes. They are never shown again."""
    context = {"codes": codes, "go_on": next_address(request)}
    return page(request, "codes", "Your recovery codes", context)


def wait_page(request: HttpRequest, seconds: int) -> HttpResponse:
    """Ask the user to wait before the next try. The page is the same for names that do not exist."""
    context = {"minutes": math.ceil(seconds / 60)}
    status = HTTPStatus.TOO_MANY_REQUESTS
    return page(request, "locked", "Sign in later", context, status, seconds)


def _codes_left(request: HttpRequest) -> int:
    codes = RecoveryCode.objects.filter(second_factor__user=signed_in_user(request), used=None)
    return codes.count()


def _picture(address: str) -> SafeString:
    """Return a QR code as SVG, dark on light also on dark pages: few apps read light on dark."""
    drawn = segno.make(address, error="m", micro=False)
    # The picture consists of numbers alone; the address only decides them.
    return mark_safe(
        drawn.svg_inline(border=4, dark="#000", light="#fff", svgclass=None, lineclass=None, omitsize=True)
    )


def _base32(device: TOTPDevice) -> str:
    return base64.b32encode(device.bin_key).decode()
