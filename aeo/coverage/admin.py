"""What to read next: airlines and authorities, ordered by how much an editor's hour helps.

The order is that of the public list (`aeo.coverage.queue`); only this page shows the exact numbers of
flights. It follows from the current release, so a new reading of a source counts from the next release on.
"""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from aeo import editions
from aeo.coverage import asked
from aeo.coverage.models import AskedFlights
from aeo.coverage.queue import Waiting, queue, sources_of
from aeo.editions import Edition
from catalog.models import Source
from catalog.records import POINTER
from catalog.sources.evidence_columns import age, caption
from rules.corpus import CorpusUnavailable
from rules.selectors.readings import HowRead

VIEW_PERMISSION = "catalog.view_source"

PER_PAGE = 25

MOST_SOURCES = 4
"""How many sources of each are shown, its own pages first; its record has all of them."""

EVIDENCE: Mapping[HowRead, str] = {
    "own_page": "its own page was read",
    "dated_copy": "a dated copy of its page was read",
    "reports": "only reports were read",
    "nothing": "nothing was read",
}


class Shown(NamedTuple):
    """A source as the list shows it. `again` is where to record a new reading, if it was ever read."""

    row: Source
    caption: str
    link: str
    again: str | None


@dataclass(frozen=True)
class Place:
    """An airline or authority with its place in the list, the reason for it, and the possible actions."""

    rank: int
    one: Waiting
    reason: str
    record: str
    page: str
    sources: list[Shown]
    more: int


def show(request: HttpRequest) -> HttpResponse:
    """Show the list page by page. Reads the sources of a page in one query."""
    if not request.user.has_perm(VIEW_PERMISSION):
        raise PermissionDenied
    counted = asked.newest()
    context = admin.site.each_context(request) | {
        "title": "Read next",
        "counted": counted,
        "days": asked.DAYS if counted is None else counted.days,
        "total": "" if counted is None else f"{counted.flights:,}",
        "may_read_again": request.user.has_perm("catalog.change_source"),
    }
    try:
        edition = editions.current(timezone.now())
    except CorpusUnavailable:
        return TemplateResponse(request, "admin/aeo/read_next.html", context)
    found = list(enumerate(queue(edition.release, edition.today, counted), start=1))
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context |= {
        "page": page,
        "release": edition.release,
        "places": _places(edition, counted, page.object_list),
    }
    return TemplateResponse(request, "admin/aeo/read_next.html", context)


def first(now: datetime.datetime, most: int) -> list[tuple[Waiting, str]]:
    """Return the first entries, each with the reason for its place; empty if no release is published."""
    try:
        edition = editions.current(now)
    except CorpusUnavailable:
        return []
    counted = asked.newest()
    return [(one, _reason(one, counted)) for one in queue(edition.release, edition.today, counted)[:most]]


def _places(
    edition: Edition, counted: AskedFlights | None, found: Iterable[tuple[int, Waiting]]
) -> list[Place]:
    release = edition.release
    names = {rank: sources_of(release, one) for rank, one in found}
    rows = Source.objects.in_bulk({name for each in names.values() for name in each})
    places = []
    for rank, one in found:
        of_one = sorted(
            (rows[name] for name in names[rank] if name in rows), key=lambda row: _order(one, row)
        )
        places.append(
            Place(
                rank=rank,
                one=one,
                reason=_reason(one, counted),
                record=record_of(one),
                page=_official_page(edition, one),
                sources=list(map(_shown, of_one[:MOST_SOURCES])),
                more=len(of_one[MOST_SOURCES:]),
            )
        )
    return places


def record_of(one: Waiting) -> str:
    """Return the address of the record of an airline, or of an authority's country."""
    if one.issuer == "airline":
        return reverse("admin:catalog_airline_change", args=[one.code])
    return reverse("admin:catalog_jurisdiction_change", args=[one.code])


def _order(one: Waiting, row: Source) -> tuple[bool, bool, datetime.date, str]:
    """Sort own pages first: those that were never read, then the oldest reading."""
    return row.kind != one.issuer, row.basis != POINTER, row.read_on, row.pk


def _shown(row: Source) -> Shown:
    again = None if row.basis == POINTER else reverse("admin:catalog_source_read_again", args=[row.pk])
    return Shown(row, caption(row), reverse("admin:catalog_source_change", args=[row.pk]), again)


def _official_page(edition: Edition, one: Waiting) -> str:
    shelf = edition.release.shelf
    if one.issuer == "airline":
        return shelf.airlines[one.code].policy_url
    return shelf.jurisdictions[one.code].regulator_url


def _reason(one: Waiting, counted: AskedFlights | None) -> str:
    """Return why an airline or authority has its place, with the exact number of flights."""
    if counted is None:
        flights = "flights are not counted yet"
    else:
        count = asked.flights_of(counted, one.issuer, one.code)
        flights = f"{count:,} flight{'' if count == 1 else 's'} asked about in {counted.days} days"
    read = EVIDENCE[one.read.how]
    if one.read.on is not None:
        read = f"{read}, last {age(one.read.on)}"
    rules = "" if one.rules else ", and no rule is in force"
    return f"Demand {one.demand} ({flights}) times weakness {one.weakness} ({read}{rules}) is {one.weight}"
