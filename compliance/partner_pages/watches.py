"""Own watches: see those that the partner's keys made, and end one."""

import uuid

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from catalog.screens.confirmation import Consent, Step
from compliance.partner_pages.pages import ask_before, for_people, led_to, shown
from compliance.partners.people.actions import note
from compliance.partners.people.models import PartnerPerson
from compliance.trip_watch.actions import end_watch_of
from compliance.trip_watch.models import TripWatch
from compliance.trip_watch.reading import watches_of

AT_ONCE = 50
"""How many watches a page lists."""


@for_people
def watches(request: HttpRequest, person: PartnerPerson, after: uuid.UUID | None = None) -> HttpResponse:
    """Show the watches of the partner, in the order of their ids."""
    listed = watches_of(
        person.partner_id, now=timezone.now(), after=str(after) if after else None, most=AT_ONCE
    )
    more = listed.watches[-1].watch.watch_id if len(listed.watches) == AT_ONCE else None
    return shown(
        request, "watches", "Watches", person, listed=listed, more=more, quota=settings.PARTNER_WATCHES
    )


@for_people
def end(request: HttpRequest, person: PartnerPerson, watch_id: uuid.UUID) -> HttpResponse:
    """Ask, then end a watch."""
    if not TripWatch.objects.filter(partner=person.partner_id, watch_id=watch_id).exists():
        raise Http404

    def act(consent: Consent) -> HttpResponse:
        end_watch_of(person.partner_id, str(watch_id))
        note(person, f"Ended the watch {watch_id}.")
        messages.success(request, f"The watch {watch_id} is ended.")
        return led_to("watches")

    step = Step(
        title="End a watch",
        consequence=f"The watch {watch_id} is deleted with its page, its feed and its calendar, also for the "
        "traveler who follows them. This cannot be undone.",
        button="End this watch",
        dangerous=True,
    )
    return ask_before(step, act, request=request, person=person, back=reverse("partners:watches"))
