"""What the pages of partners share: who reaches them, how they look, and the question before a step."""

import functools
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from catalog.screens.confirmation import Asked, Consent, Step, ask
from compliance.partners.people.models import PartnerPerson
from compliance.signin.pages import dress, for_the_signed_in, sentence
from compliance.signin.places import person_of

View = Callable[..., HttpResponse]

MENU = (
    ("partners:home", "Overview"),
    ("partners:keys", "Keys"),
    ("partners:origins", "Origins"),
    ("partners:usage", "Usage"),
    ("partners:webhooks", "Webhooks"),
    ("partners:watches", "Watches"),
    ("partners:account", "Account"),
)
"""The main menu: names of addresses, and their labels."""


def for_people(view: View) -> View:
    """Let only people of an open partner reach a view, which gets the person after the request."""

    @functools.wraps(view)
    def answer(request: HttpRequest, **path: Any) -> HttpResponse:
        person = person_of(request.user)
        if person is None:
            # Removed within this request.
            return HttpResponseRedirect(reverse("partners:sign-in"))
        return view(request, person, **path)

    return for_the_signed_in(answer)


def shown(
    request: HttpRequest,
    name: str,
    title: str,
    person: PartnerPerson,
    status: HTTPStatus = HTTPStatus.OK,
    **context: Any,
) -> HttpResponse:
    """Return a page of a partner. `name` is that of its template."""
    whole = {"title": title, "person": person, "partner": person.partner, "menu": MENU, **context}
    return render(request, f"partners/{name}.html", whole, status=status)


def ask_before(
    step: Step,
    act: Callable[[Consent], HttpResponse],
    *,
    request: HttpRequest,
    person: PartnerPerson,
    back: str,
) -> HttpResponse:
    """Ask about a step, and do it by `act` once the button is pressed. A refusal keeps what was typed.

    `back` is the address of the page that the step belongs to. `act` notes what was done.
    """
    asked = ask(step, act, request=request, page_of_subject=back, sentence=sentence)
    if not isinstance(asked, Asked):
        return asked
    dress(asked.form)
    return shown(
        request,
        "step",
        step.title,
        person,
        asked.status,
        step=step,
        form=asked.form,
        once=asked.once,
        back=back,
    )


def led_to(name: str, *args: str) -> HttpResponse:
    """Return the redirect to a page after a step."""
    return HttpResponseRedirect(reverse(f"partners:{name}", args=args), status=HTTPStatus.SEE_OTHER)
