"""Coming and going: the link of an invitation, signing out, the own account, another password."""

import datetime
from contextlib import suppress
from http import HTTPStatus

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_POST

from catalog.errors import NotRecorded
from compliance.partner_pages.forms import FirstPasswordForm
from compliance.partner_pages.pages import for_people, led_to, shown
from compliance.partners.people.actions import accept, invitation_of, note
from compliance.partners.people.models import PartnerPerson
from compliance.signin.actions import change_password, reset_second_factor
from compliance.signin.forms import OwnPasswordForm
from compliance.signin.lockout import forget_try, seconds_until_next_try
from compliance.signin.models import SecondFactor
from compliance.signin.pages import act_on, dress, page
from compliance.signin.views import as_a_try, wait_page

BACKEND = "compliance.signin.rights.People"


def invitation(request: HttpRequest, secret: str) -> HttpResponseBase:
    """Ask an invited person for a password, make the account, and sign them in.

    Opening the link changes nothing: mail programs open links by themselves. A link that is not known counts
    as a wrong password does.
    """
    if request.method == "POST" and (wait := seconds_until_next_try(request)):
        return wait_page(request, wait)
    invited = invitation_of(secret, now=timezone.now())
    if invited is None:
        return page(request, "invitation_over", "This link is not valid", {}, HTTPStatus.NOT_FOUND)
    form = FirstPasswordForm(invited.email, request.POST or None)

    def act(now: datetime.datetime) -> HttpResponse:
        user = _accepted(secret, form.cleaned_data["new_password1"], now)
        login(request, user, backend=BACKEND)
        note(PartnerPerson.objects.select_related("partner").get(user=user), "Accepted the invitation.")
        return led_to("home")

    if request.method == "POST":
        forget_try(request)
    context = {"invited": invited, "required": settings.DESK_SECOND_FACTOR}
    return act_on(request, form, act, "invitation", "Choose a password", context)


@transaction.atomic
def _accepted(secret: str, password: str, now: datetime.datetime) -> User:
    """Make the account. One that was there before begins again, without its second factor."""
    user = accept(secret=secret, password=password, now=now)
    with suppress(NotRecorded):
        reset_second_factor(by=user, user=user)
    return user


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    logout(request)
    messages.success(request, "You are signed out.")
    return led_to("sign-in")


@for_people
def account(request: HttpRequest, person: PartnerPerson) -> HttpResponse:
    """Show the own account, with the pages that change it."""
    factor = SecondFactor.objects.filter(user=person.user).first()
    return shown(request, "account", "Your account", person, factor=factor)


@for_people
def password(request: HttpRequest, person: PartnerPerson) -> HttpResponse:
    """Ask for the present and another password. All other sessions of the person end."""
    return as_a_try(request, lambda asked: _ask_for_password(asked, person))


def _ask_for_password(request: HttpRequest, person: PartnerPerson) -> HttpResponse:
    form = OwnPasswordForm(person.user, request.POST or None, request=request)
    if request.method == "POST" and form.is_valid():
        change_password(user=person.user, password=form.cleaned_data["new_password1"])
        update_session_auth_hash(request, person.user)
        messages.success(request, "The password is changed. Your other sessions ended.")
        return led_to("account")
    dress(form)
    status = HTTPStatus.BAD_REQUEST if request.method == "POST" else HTTPStatus.OK
    return shown(request, "password", "Change your password", person, status, form=form)
