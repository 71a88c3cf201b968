"""The pages of passkeys: one's own list, a new one, and giving one in place of a code."""

import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_POST
from django_otp_webauthn.models import WebAuthnCredential

from catalog.errors import Refused
from catalog.screens.ids import as_key
from compliance.signin import actions as factors
from compliance.signin.models import SecondFactor
from compliance.signin.pages import act_on, for_the_signed_in, next_address, page, sentence, signed_in_user
from compliance.signin.passkeys import actions
from compliance.signin.passkeys.ceremony import Ceremony, can_be_used, where_usable
from compliance.signin.passkeys.forms import AnswerForm, BeginForm
from compliance.signin.places import place_of
from compliance.signin.session_state import complete, sign_in_state

NEW, ASKED = "passkey_new", "passkey_asked"
"""The session's keys for a ceremony that has begun. Each is used once."""


@for_the_signed_in
def passkeys(request: HttpRequest) -> HttpResponse:
    """Show users their passkeys. With a name and a code, begin to add one."""
    user = signed_in_user(request)
    form = BeginForm(request.POST or None)

    def act(now: datetime.datetime) -> HttpResponse:
        factors.prove(user=user, now=now, code=form.cleaned_data["proof"])
        return _ask_browser_for_new(request, form.cleaned_data["name"])

    context = {
        "passkeys": WebAuthnCredential.objects.filter(user=user).order_by("pk"),
        "has_app": SecondFactor.objects.filter(user=user).exists(),
        **_where(request),
    }
    return act_on(request, form, act, "passkeys", "Passkeys", context)


@require_POST
@for_the_signed_in
def add(request: HttpRequest) -> HttpResponse:
    """Add the passkey that the browser has made, and lead to the list."""
    begun = request.session.pop(NEW, None) or {}
    form = AnswerForm(request.POST)

    def act(now: datetime.datetime) -> HttpResponse:
        name = begun.get("name", "")
        actions.add_passkey(
            user=signed_in_user(request),
            ceremony=Ceremony(request),
            state=begun.get("state"),
            answer=form.cleaned_data["answer"],
            name=name,
        )
        messages.success(request, f"The passkey “{name}” was added.")
        return HttpResponseRedirect(place_of(request).page("passkeys"))

    return act_on(request, form, act, "passkey_refused", "Passkeys", {})


@require_POST
@for_the_signed_in
def remove(request: HttpRequest) -> HttpResponse:
    """Remove a passkey, and lead to the list."""
    number = as_key(WebAuthnCredential, request.POST.get("passkey", ""))
    try:
        actions.remove_passkey(user=signed_in_user(request), number=number or 0)
    except Refused as refusal:
        messages.error(request, sentence(refusal))
    else:
        messages.success(request, "The passkey was removed.")
    return HttpResponseRedirect(place_of(request).page("passkeys"))


@for_the_signed_in
def give(request: HttpRequest) -> HttpResponse:
    """Ask the browser for a passkey in place of a code, and go on to the page that the user wanted."""
    user = signed_in_user(request)
    if sign_in_state(request.session, user) == "complete":
        return HttpResponseRedirect(next_address(request))
    state = request.session.pop(ASKED, None)
    form = AnswerForm(request.POST or None)

    def act(now: datetime.datetime) -> HttpResponse:
        actions.prove_by_passkey(
            user=user, ceremony=Ceremony(request), state=state, answer=form.cleaned_data["answer"]
        )
        complete(request.session, user)
        return HttpResponseRedirect(next_address(request))

    options, request.session[ASKED] = Ceremony(request).authenticate_begin(
        user, require_user_verification=False
    )
    context = {
        "options": options,
        "query": f"?{request.GET.urlencode()}" if request.GET else "",
        **_where(request),
    }
    return act_on(request, form, act, "passkey", "Passkey", context)


def _ask_browser_for_new(request: HttpRequest, name: str) -> HttpResponse:
    options, state = Ceremony(request).register_begin(signed_in_user(request))
    request.session[NEW] = {"state": state, "name": name}
    context = {"options": options, "name": name, "form": AnswerForm()}
    return page(request, "passkey_new", "Add a passkey", context)


def _where(request: HttpRequest) -> dict[str, Any]:
    """Return whether browsers know passkeys here, and where they would."""
    return {"works_here": can_be_used(request), "works_at": where_usable(request)}
