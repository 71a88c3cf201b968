"""/brands and /brands/<brand>: the models of a brand, each with its verdict pages."""

from collections import defaultdict
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from aeo import brands, editions, jsonld, register
from aeo.brands import brand_path
from aeo.editions import Edition
from aeo.http import address, public, unless_held
from aeo.jsonld import Crumb
from aeo.register import PageRecord, Register
from aeo.structured import embedded
from rules.engine.matching import plain

MOST_LINKS = 6
"""How many verdict pages are linked from each model."""


@public
def index(request: HttpRequest) -> HttpResponseBase:
    """List the brands."""
    edition = editions.current(timezone.now())

    def make() -> HttpResponse:
        context = {
            "brands": brands.brands(edition.release, edition.today),
            "url": address("/brands"),
            "indexed": True,
        }
        return render(request, "pages/brands.html", context)

    return unless_held(request, edition, (), make)


@public
def hub(request: HttpRequest, brand: str) -> HttpResponseBase:
    """Show one brand."""
    edition = editions.current(timezone.now())
    brand_id = brand.lower()
    if brand_id not in edition.release.shelf.brands:
        raise Http404
    if request.path != f"/brands/{brand_id}":
        return HttpResponsePermanentRedirect(f"/brands/{brand_id}")
    pages = register.current()

    def make() -> HttpResponse:
        return render(request, "pages/brand.html", _context(edition, brand_id, pages))

    return unless_held(request, edition, (pages.version,), make)


def _context(edition: Edition, brand_id: str, pages: Register) -> dict[str, Any]:
    shown = brands.brand(edition.release, brand_id, edition.today)
    shelf = edition.release.shelf
    links: dict[str, list[PageRecord]] = defaultdict(list)
    for record in pages.pages.values():
        links[record.model_id].append(record)
    url = address(brand_path(shown.name))
    crumbs = [Crumb("Brands", address("/brands")), Crumb(shown.name, url)]
    models = [
        {
            "device": device,
            "watt_hour": None if device.watt_hour is None else plain(device.watt_hour),
            "recalls": len(shelf.recalls_of(device.model_id)),
            "links": [_link(edition, record) for record in links[device.model_id][:MOST_LINKS]],
        }
        for device in shown.models
    ]
    return {
        "brand": shown,
        "models": models,
        "url": url,
        "crumbs": crumbs,
        "indexed": True,
        "ruleset_version": edition.release.ruleset_version,
        "structured": embedded([jsonld.breadcrumbs(crumbs)]),
    }


def _link(edition: Edition, record: PageRecord) -> dict[str, str]:
    airline = edition.release.shelf.airlines.get(record.airline)
    country = edition.release.corpus.countries.get(record.country)
    return {
        "path": record.path,
        "airline": record.airline if airline is None else airline.name,
        "country": record.country if country is None else country.name,
    }
