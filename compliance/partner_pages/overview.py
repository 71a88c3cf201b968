"""The first page, and the page of what was used."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from compliance.partner_pages.pages import for_people, shown
from compliance.partner_pages.usage import usage_of
from compliance.partners.actions.keys import MAX_LIVE_KEYS
from compliance.partners.models import PartnerKey
from compliance.partners.people.models import PartnerPerson
from compliance.partners.webhooks.actions import MAX_LIVE_WEBHOOKS
from compliance.records.verdict_log.models import USE_DAYS


@for_people
def home(request: HttpRequest, person: PartnerPerson) -> HttpResponse:
    """Show the agreement and what there is of it: limits, keys, webhooks, watches, use."""
    partner, now = person.partner, timezone.now()
    return shown(
        request,
        "home",
        partner.name,
        person,
        keys=(PartnerKey.objects.live(now).filter(partner=partner).count(), MAX_LIVE_KEYS),
        webhooks=(partner.webhooks.filter(ended=None).count(), MAX_LIVE_WEBHOOKS),
        watches=(partner.trip_watches.filter(ends__gt=now).count(), settings.PARTNER_WATCHES),
        used=usage_of(partner, now).total,
        days=USE_DAYS,
    )


@for_people
def usage(request: HttpRequest, person: PartnerPerson) -> HttpResponse:
    """Show how many verdicts the keys of the partner got, by day and by key."""
    used = usage_of(person.partner, timezone.now())
    return shown(request, "usage", "Usage", person, used=used, days=USE_DAYS)
