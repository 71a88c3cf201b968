"""Steps that need a confirmation: a page with a question, and a button that POSTs.

Called by the admin of the catalog and of every room above it.
"""

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple, cast

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import get_random_string

from catalog.errors import ChangedSinceSeen, ReasonMissing, Refused

_NAMED = re.compile(r"`(\w+)`: (.+)", re.DOTALL)
"""A reason that names its field."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """The question: a title, the effect, the label of the button, and the fields to fill in.

    `differences` are fields before and after, shown below the effect. A step that is done `once` is not done
    again by sending the same form a second time, such as by reloading its answer.
    """

    title: str
    consequence: str
    button: str
    form_class: type[forms.Form] = forms.Form
    dangerous: bool = False
    differences: Sequence[tuple[str, str, str]] = ()
    once: bool = False


@dataclass(frozen=True)
class Consent:
    """The confirmation: who, when, and the filled-in fields."""

    by: User
    now: datetime.datetime
    answers: dict[str, Any]


class Asked(NamedTuple):
    """A question that is shown, for the first time or again after a refusal: what its page needs."""

    form: forms.Form
    status: HTTPStatus
    refusal: Refused | None
    once: str


def ask(
    step: Step,
    act: Callable[[Consent], HttpResponse],
    *,
    request: HttpRequest,
    page_of_subject: str,
    sentence: Callable[[Refused], str] = str,
) -> HttpResponse | Asked:
    """Do a step by `act` once its button is pressed, or return the question for the page of the caller.

    `page_of_subject` is the address to which a step leads that was done already. `sentence` words a refusal.
    What was typed stays.
    """
    pressed = request.method == "POST"
    form = step.form_class(request.POST if pressed else None)
    status, refused = HTTPStatus.BAD_REQUEST if pressed else HTTPStatus.OK, None
    if pressed and form.is_valid():
        try:
            with transaction.atomic():
                if step.once and not _use(request):
                    messages.warning(request, "This was done already, and is not done twice.")
                    return HttpResponseRedirect(page_of_subject)
                return act(Consent(acting_user(request), timezone.now(), form.cleaned_data))
        except Refused as refusal:
            if step.once:
                _give_back(request)
            _show_refusal(form, refusal, sentence)
            status, refused = status_of(refusal), refusal
            if isinstance(refusal, ChangedSinceSeen):
                # The next time it is what is shown now that was seen.
                form.data = {**request.POST.dict(), "seen": form.fields["seen"].initial}
    return Asked(form, status, refused, _unused(request) if step.once else "")


def _show_refusal(form: forms.Form, refusal: Refused, sentence: Callable[[Refused], str]) -> None:
    """Show why a step was refused: at the field that the reason names first, or else above all fields."""
    named = _NAMED.fullmatch(refusal.reason)
    if named is not None and named[1] in form.fields:
        form.add_error(named[1], f"{named[2][:1].upper()}{named[2][1:]}.")
    else:
        form.add_error(None, sentence(refusal))


def ask_before(
    step: Step,
    act: Callable[[Consent], HttpResponse],
    *,
    admin: "ModelAdmin[Any]",
    request: HttpRequest,
    subject: Model,
) -> HttpResponse:
    """Ask about a step, and do it by `act` once the button is pressed. A refusal is shown on the page.

    If the subject has changed since it was seen, the page leads to it.
    """
    asked = ask(step, act, request=request, page_of_subject=change_address(admin, subject))
    if not isinstance(asked, Asked):
        return asked
    look_again = isinstance(asked.refusal, ChangedSinceSeen)
    context = page_context(admin, request, subject, step.title)
    context |= {"step": step, "form": asked.form, "look_again": look_again, "once": asked.once}
    return TemplateResponse(request, "admin/catalog/confirm.html", context, status=asked.status)


def change_address(admin: "ModelAdmin[Any]", subject: Model) -> str:
    """Return the address of the page of a row."""
    return reverse(f"admin:{admin.opts.app_label}_{admin.opts.model_name}_change", args=[subject.pk])


UNUSED = "unused_once"
"""The session's key for the numbers of forms that are done once and were not sent yet."""
MOST_UNUSED = 20
"""How many such forms may be open at a time; the oldest ones have to be opened again."""


def _unused(request: HttpRequest) -> str:
    """Return a new number for a form that is done once."""
    number = get_random_string(22)
    request.session[UNUSED] = [*request.session.get(UNUSED, []), number][-MOST_UNUSED:]
    return number


def _use(request: HttpRequest) -> bool:
    """Tell whether the number of a form was not used yet, and use it.

    The row of the session is locked, so of two requests at once only one does. Call it inside a transaction.
    """
    key = request.session.session_key
    Session.objects.select_for_update().filter(pk=key).first()
    unused = type(request.session)(key).get(UNUSED, [])
    number = request.POST.get("once", "")
    request.session[UNUSED] = [other for other in unused if other != number]
    if number not in unused:
        return False
    request.session.save()
    return True


def _give_back(request: HttpRequest) -> None:
    """Let a form that was refused be sent again, also from the page before."""
    request.session[UNUSED] = [*request.session.get(UNUSED, []), request.POST.get("once", "")]


def status_of(refusal: Exception) -> HTTPStatus:
    """Return the status of a page that shows a refusal: 400 if what was sent lacks something, else 409."""
    return HTTPStatus.BAD_REQUEST if isinstance(refusal, ReasonMissing) else HTTPStatus.CONFLICT


def page_context(
    admin: "ModelAdmin[Any]", request: HttpRequest, subject: Model, title: str
) -> dict[str, Any]:
    """Return the context that every page about one row needs."""
    return {
        **admin.admin_site.each_context(request),
        "opts": admin.opts,
        "original": subject,
        "title": title,
    }


def acting_user(request: HttpRequest) -> User:
    """Return the signed-in user. The admin lets no one else reach a view."""
    return cast(User, request.user)
