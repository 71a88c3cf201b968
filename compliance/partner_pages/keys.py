"""Own keys and origins: see, make, replace, end, change."""

import datetime
from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from catalog.screens.confirmation import Consent, Step
from compliance.partner_pages.forms import origins_form
from compliance.partner_pages.pages import ask_before, for_people, led_to, shown
from compliance.partners.actions.keys import MAX_LIVE_KEYS, IssuedKey, issue_key, revoke_key, rotate_key
from compliance.partners.actions.partners import change_origins
from compliance.partners.admin.forms import IssueForm, RotateForm
from compliance.partners.people.actions import note
from compliance.partners.people.models import PartnerPerson


@for_people
def keys(request: HttpRequest, person: PartnerPerson) -> HttpResponse:
    """Show the keys of the partner, by their public ids."""
    now = timezone.now()
    rows = [(key, key.state(now)) for key in person.partner.keys.all()]
    live = sum(state == "live" for _, state in rows)
    return shown(request, "keys", "Keys", person, rows=rows, live=live, most=MAX_LIVE_KEYS)


@for_people
def new(request: HttpRequest, person: PartnerPerson) -> HttpResponse:
    """Ask, then make a key and show it once."""

    def act(consent: Consent) -> HttpResponse:
        issued = issue_key(
            by=consent.by, now=consent.now, partner=person.partner_id, valid_until=_end(consent)
        )
        note(person, f"Made the key {issued.row}.")
        return _show_once(request, person, issued)

    step = Step(
        title="Make a key",
        consequence="The key is shown once, on the next page. Present keys stay valid. At most "
        f"{MAX_LIVE_KEYS} keys are live at a time.",
        button="Make the key",
        once=True,
        form_class=IssueForm,
    )
    return ask_before(step, act, request=request, person=person, back=reverse("partners:keys"))


@for_people
def replace(request: HttpRequest, person: PartnerPerson) -> HttpResponse:
    """Ask, then make a key that replaces the present ones, and show it once."""

    def act(consent: Consent) -> HttpResponse:
        issued = rotate_key(
            by=consent.by,
            now=consent.now,
            partner=person.partner_id,
            overlap=datetime.timedelta(days=consent.answers["overlap_days"]),
            valid_until=_end(consent),
        )
        note(person, f"Made the key {issued.row} in place of the present ones.")
        return _show_once(request, person, issued)

    step = Step(
        title="Replace the key",
        consequence="A new key is shown once, on the next page. The present key stays valid for the days "
        "that you choose: change your programs, and your pages with a frame, before they are over.",
        button="Make the new key",
        once=True,
        form_class=RotateForm,
        dangerous=True,
    )
    return ask_before(step, act, request=request, person=person, back=reverse("partners:keys"))


@for_people
def end(request: HttpRequest, person: PartnerPerson, public_id: str) -> HttpResponse:
    """Ask, then revoke a key."""
    key = person.partner.keys.filter(pk=public_id).first()
    if key is None:
        raise Http404

    def act(consent: Consent) -> HttpResponse:
        revoke_key(by=consent.by, now=consent.now, public_id=key.public_id)
        note(person, f"Ended the key {key}.")
        messages.success(request, f"The key {key} is ended.")
        return led_to("keys")

    step = Step(
        title=f"End the key {key}",
        consequence="Requests with this key are refused within seconds, and pages that name it no longer "
        "show the check. This cannot be undone.",
        button="End this key",
        dangerous=True,
    )
    return ask_before(step, act, request=request, person=person, back=reverse("partners:keys"))


@for_people
def origins(request: HttpRequest, person: PartnerPerson) -> HttpResponse:
    """Show the origins whose pages may use a key and show the check, and change them."""

    def act(consent: Consent) -> HttpResponse:
        changed = change_origins(
            by=consent.by,
            now=consent.now,
            slug=person.partner_id,
            allowed_origins=consent.answers["allowed_origins"],
            seen=consent.answers["seen"].split(),
        )
        note(person, _difference(person.partner.allowed_origins, changed.allowed_origins))
        messages.success(request, "The origins are changed. Every process knows them within seconds.")
        return led_to("origins")

    step = Step(
        title="Origins",
        consequence="The web pages that may use your keys in browsers and show the check in a frame. A page "
        "whose origin you remove loses both within seconds.",
        button="Save the origins",
        form_class=origins_form(person.partner),
    )
    return ask_before(step, act, request=request, person=person, back=reverse("partners:home"))


def _difference(before: Sequence[str], after: Sequence[str]) -> str:
    """Return which origins came and went, as a sentence."""
    came, went = [sorted({*one} - {*other}) for one, other in ((after, before), (before, after))]
    said = [f"{did} {', '.join(origins)}" for did, origins in (("added", came), ("removed", went)) if origins]
    what = "; ".join(said) or "nothing changed"
    return f"Origins: {what}."


def _show_once(request: HttpRequest, person: PartnerPerson, issued: IssuedKey) -> HttpResponse:
    return shown(request, "key_shown", "Your new key", person, issued=issued)


def _end(consent: Consent) -> datetime.datetime | None:
    days = consent.answers["days"]
    return None if days is None else consent.now + datetime.timedelta(days=days)
