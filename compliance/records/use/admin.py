"""The screen of the desk that says what the service is used for.

It reads the daily counts and never the log. Everyone at the desk sees what was asked about; figures of
partners are for partner managers.
"""

import datetime
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q, Sum
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse

from catalog.models import Country, Device
from compliance.partners.models import Partner
from compliance.records.use import counting
from compliance.records.use.models import DailyUse, MostAsked
from compliance.records.verdict_log.labels import CHANNELS
from rules.engine.vocabulary import Verdict

VIEW_PERMISSION = "compliance.view_verdictrecord"
PARTNERS_PERMISSION = "compliance.view_partner"

VERDICTS: tuple[Verdict, ...] = ("allowed", "conditional", "banned", "insufficient")
"""The order in which verdicts are listed."""


class Figures(NamedTuple):
    """The verdicts of a partner or a channel in the days that count, and in as many days before."""

    name: str
    link: str
    verdicts: int
    each: str
    before: int


class Sums(NamedTuple):
    """Verdicts by their word: of the days that count, and of as many days before them."""

    now: Counter[str]
    before: Counter[str]


class Line(NamedTuple):
    """A route or a model with its figures."""

    name: str
    link: str
    says: str


def show(request: HttpRequest) -> HttpResponse:
    """Show the newest counts."""
    if not request.user.has_perm(VIEW_PERMISSION):
        raise PermissionDenied
    counted = MostAsked.objects.first()
    context = admin.site.each_context(request) | {
        "title": "Use of the service",
        "counted": counted,
        "fewest_answers": counting.FEWEST_ANSWERS,
        "fewest_days": counting.FEWEST_DAYS,
        "may_see_partners": request.user.has_perm(PARTNERS_PERMISSION),
    }
    if counted is not None:
        context |= {
            "channels": list(_by_channel(counted)),
            "routes": list(_routes(counted)),
            "models": list(_models(counted)),
        }
        if context["may_see_partners"]:
            context["partners"] = list(_by_partner(counted))
    return TemplateResponse(request, "admin/compliance/use.html", context)


def _by_channel(counted: MostAsked) -> Iterator[Figures]:
    sums = _sums(counted, "channel")
    for channel, name in CHANNELS.items():
        yield _figures(sums, channel, name[0].upper() + name[1:])


def _by_partner(counted: MostAsked) -> Iterator[Figures]:
    """Yield the partners that are not closed, and those that asked, the busiest first."""
    sums = _sums(counted, "partner")
    shown = [
        _figures(
            sums, partner.pk, partner.name, reverse("admin:compliance_partner_change", args=[partner.pk])
        )
        for partner in Partner.objects.all()
        if partner.closed_at is None or partner.pk in sums
    ]
    yield from sorted(shown, key=lambda one: (-one.verdicts, one.name.casefold()))


def _sums(counted: MostAsked, field: str) -> dict[str, Sums]:
    """Return the sums of each partner or channel, in one query."""
    first = counted.day - datetime.timedelta(days=counted.days)
    rows = (
        DailyUse.objects.filter(day__gte=first - datetime.timedelta(days=counted.days), day__lt=counted.day)
        .order_by()
        .values_list(field, "verdict")
        .annotate(
            now=Sum("answers", filter=Q(day__gte=first)), before=Sum("answers", filter=Q(day__lt=first))
        )
    )
    found: dict[str, Sums] = {}
    for name, verdict, now, before in rows:
        sums = found.setdefault(name, Sums(Counter(), Counter()))
        sums.now[verdict] += now or 0
        sums.before[verdict] += before or 0
    return found


def _figures(sums: dict[str, Sums], key: str, name: str, link: str = "") -> Figures:
    now, before = sums.get(key, Sums(Counter(), Counter()))
    each = ", ".join(f"{now[verdict]:,} {verdict}" for verdict in VERDICTS if now[verdict])
    return Figures(name, link, now.total(), each, before.total())


def _routes(counted: MostAsked) -> Iterator[Line]:
    asked = [counting.Route(*row) for row in counted.routes]
    codes = {code for one in asked for code in (one.origin, one.destination)}
    names = dict(Country.objects.filter(pk__in=codes).values_list("code", "name"))
    for one in asked:
        ends = " to ".join(names.get(code, code) for code in (one.origin, one.destination))
        yield Line(ends, "", f"{one.flights:,} flights or more")


def _models(counted: MostAsked) -> Iterator[Line]:
    asked = [counting.Unanswered(*row) for row in counted.unanswered]
    known = Device.objects.select_related("brand").in_bulk([one.model_id for one in asked])
    for one in asked:
        device = known.get(one.model_id)
        yield Line(
            one.model_id if device is None else f"{device.brand} {device.model_name} ({one.model_id})",
            "" if device is None else reverse("admin:catalog_device_change", args=[device.pk]),
            f"{one.insufficient:,} or more of {one.answers:,} answers are insufficient",
        )
