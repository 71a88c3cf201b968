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
from django.db.models import Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from aeo.coverage import admin as reading
from catalog.models import Country, Device
from compliance.partners.models import Partner, PartnerKey
from compliance.records.use import counting
from compliance.records.use.models import DailyUse, MostAsked
from compliance.records.verdict_log.labels import CHANNELS
from compliance.records.verdict_log.models import USE_DAYS, KeyUsage
from rules.engine.vocabulary import Verdict

VIEW_PERMISSION = "compliance.view_verdictrecord"
PARTNERS_PERMISSION = "compliance.view_partner"


VERDICTS: tuple[Verdict, ...] = ("allowed", "conditional", "banned", "insufficient")
"""The order in which verdicts are listed."""


class Figures(NamedTuple):
    """The verdicts of a channel or a partner in the days that count, and in as many days before.

    `before` is None if nothing at all was counted in the days before: zero would say that no one asked.
    """

    name: str
    verdicts: int
    before: int | None
    each: str = ""
    link: str = ""


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
        "may_read_next": request.user.has_perm(reading.VIEW_PERMISSION),
    }
    if counted is not None:
        now, before = _given(counted)
        first = DailyUse.objects.order_by("day").values_list("day", flat=True).first()
        context |= {
            "counted_since": first if first and first > counted.day - 2 * _days(counted) else None,
            "nothing_given": not now.total(),
            "nothing_insufficient": not any(now[channel, "insufficient"] for channel in CHANNELS),
            "channels": list(_by_channel(now, before)),
            "routes": list(_routes(counted)),
            "models": list(_models(counted, linked=request.user.has_perm("catalog.view_device"))),
        }
        if context["may_see_partners"]:
            context |= {"partners": list(_by_partner()), "partner_days": USE_DAYS}
    return TemplateResponse(request, "admin/compliance/use.html", context)


def _given(counted: MostAsked) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """Return the verdicts of each channel and kind in the days that count, and of each channel before."""
    first, rows = _span(counted, DailyUse.objects.order_by())
    now, before = Counter[tuple[str, str]](), Counter[str]()
    sums = rows.values_list("channel", "verdict").annotate(**_now_and_before("answers", first))
    for channel, verdict, answers, earlier in sums:
        now[channel, verdict] += answers
        before[channel] += earlier
    return now, before


def _by_channel(now: Counter[tuple[str, str]], before: Counter[str]) -> Iterator[Figures]:
    for channel, name in CHANNELS.items():
        kinds = {verdict: now[channel, verdict] for verdict in VERDICTS if now[channel, verdict]}
        each = ", ".join(f"{number:,} {verdict}" for verdict, number in kinds.items())
        yield Figures(name[0].upper() + name[1:], sum(kinds.values()), _or_none(before, channel), each)


def _or_none(before: Counter[str], name: str) -> int | None:
    return before[name] if before.total() else None


def _by_partner() -> Iterator[Figures]:
    """Yield the partners that are not closed, and those that asked, the busiest first.

    Each with the figure that it sees itself: with the verdicts of today, which no job has to count.
    """
    days = datetime.timedelta(days=USE_DAYS)
    first = timezone.now().astimezone(datetime.UTC).date() + datetime.timedelta(days=1) - days
    rows = KeyUsage.objects.order_by().filter(day__gte=first - days)
    owners = dict(PartnerKey.objects.values_list("public_id", "partner_id"))
    now, before = Counter[str](), Counter[str]()
    for key, verdicts, earlier in rows.values_list("key").annotate(**_now_and_before("verdicts", first)):
        now[owners[key]] += verdicts
        before[owners[key]] += earlier
    shown = [
        Figures(
            partner.name,
            now[partner.pk],
            _or_none(before, partner.pk),
            link=reverse("admin:compliance_partner_change", args=[partner.pk]),
        )
        for partner in Partner.objects.all()
        if partner.closed_at is None or partner.pk in now
    ]
    yield from sorted(shown, key=lambda one: (-one.verdicts, one.name.casefold()))


def _span(counted: MostAsked, rows: QuerySet[DailyUse]) -> tuple[datetime.date, QuerySet[DailyUse]]:
    """Return the first day that counts, and the rows from as many days before it to the last one."""
    days = _days(counted)
    first = counted.day - days
    return first, rows.filter(day__gte=first - days, day__lt=counted.day)


def _days(counted: MostAsked) -> datetime.timedelta:
    return datetime.timedelta(days=counted.days)


def _now_and_before(field: str, first: datetime.date) -> dict[str, Sum]:
    """Return the sums of a field from a day on, and before it."""
    return {
        "now": Sum(field, filter=Q(day__gte=first), default=0),
        "before": Sum(field, filter=Q(day__lt=first), default=0),
    }


def _routes(counted: MostAsked) -> Iterator[Line]:
    asked = [counting.Route(*row) for row in counted.routes]
    codes = {code for one in asked for code in (one.origin, one.destination)}
    names = dict(Country.objects.filter(pk__in=codes).values_list("code", "name"))
    for one in asked:
        ends = " to ".join(names.get(code, code) for code in (one.origin, one.destination))
        yield Line(ends, "", f"{one.flights:,} flights or more")


def _models(counted: MostAsked, *, linked: bool) -> Iterator[Line]:
    asked = [counting.Unanswered(*row) for row in counted.unanswered]
    known = Device.objects.select_related("brand").in_bulk([one.model_id for one in asked])
    for one in asked:
        device = known.get(one.model_id)
        yield Line(
            one.model_id if device is None else f"{device.brand} {device.model_name} ({one.model_id})",
            "" if device is None or not linked else reverse("admin:catalog_device_change", args=[device.pk]),
            f"{one.insufficient:,} or more of {one.answers:,} answers are insufficient",
        )
