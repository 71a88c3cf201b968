"""/p/<model>/<airline>/<country>: may this model travel on this airline's flights that touch this country?

The page for people and crawlers, and the same answers as JSON beside it (`.json`). Codes in addresses are
lower case; other spellings are redirected, and what the release does not know is not found.
"""

import datetime
from collections.abc import Iterable, Iterator
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from aeo import editions, jsonld, register
from aeo.articles import KIND_WORDS, LANGUAGE, VERDICT_WORDS, Article, article, path
from aeo.brands import brand_path
from aeo.curation import Combination
from aeo.documents import ask, document, encode
from aeo.editions import Edition
from aeo.flights import Flight
from aeo.http import address, public, unless_held
from aeo.jsonld import Crumb, Node, Product
from aeo.structured import embedded, source_item
from rules import wording
from rules.corpus import Published
from rules.engine.errors import Unanswerable
from rules.engine.matching import plain
from rules.engine.vocabulary import STRICTNESS


@public
def page(request: HttpRequest, model: str, airline: str, country: str) -> HttpResponseBase:
    """Show the article as a page."""
    edition = editions.current(timezone.now())
    combination = _resolved(edition.release, model, airline, country)
    canonical = path(*combination)
    if request.path != canonical:
        return HttpResponsePermanentRedirect(canonical)
    record = register.current().pages.get(canonical)
    changed = None if record is None else record.last_changed

    def make() -> HttpResponse:
        return render(request, "pages/verdict.html", _context(_article(edition, combination), changed))

    return unless_held(request, edition, (changed,), make)


@public
def as_json(request: HttpRequest, model: str, airline: str, country: str) -> HttpResponseBase:
    """Give the answers of the page as JSON."""
    edition = editions.current(timezone.now())
    combination = _resolved(edition.release, model, airline, country)
    canonical = f"{path(*combination)}.json"
    if request.path != canonical:
        return HttpResponsePermanentRedirect(canonical)

    def make() -> HttpResponse:
        body = encode(document(_article(edition, combination)))
        return HttpResponse(body, content_type="application/json", headers={"X-Robots-Tag": "noindex"})

    return unless_held(request, edition, (), make)


def _resolved(release: Published, model: str, airline: str, country: str) -> Combination:
    """Return the ids and codes that an address names, whatever its letter case. Raises `Http404`."""
    found = Combination(model.lower(), airline.upper(), country.upper())
    known = (
        found.model_id in release.shelf.devices
        and found.airline in release.shelf.airlines
        and found.country in release.corpus.countries
    )
    if not known:
        raise Http404
    return found


def _article(edition: Edition, combination: Combination) -> Article:
    try:
        return article(edition, *combination)
    except Unanswerable as error:
        # An airline without a rule in force.
        raise Http404 from error


def _context(shown: Article, changed: datetime.datetime | None) -> dict[str, Any]:
    """Return what the template shows. `changed` is null for a page that is not indexed."""
    url = address(shown.path)
    crumbs = [
        Crumb("Brands", address("/brands")),
        Crumb(shown.device.brand, address(brand_path(shown.device.brand))),
        Crumb(shown.question, url),
    ]
    return {
        "article": shown,
        "url": url,
        "json_url": f"{url}.json",
        "indexed": changed is not None,
        "changed": changed,
        "day": shown.flights[0].answer.question.travel_date,
        "crumbs": crumbs,
        "verdict_word": VERDICT_WORDS[shown.verdict],
        "watt_hour": None if shown.device.watt_hour is None else plain(shown.device.watt_hour),
        "rows": [_row(shown, flight) for flight in shown.flights],
        "constraints": list(_said(shown.flights, wording.constraint_messages)),
        "warnings": list(_said(shown.flights, wording.warning_messages)),
        "sources": map(source_item, shown.citations),
        "structured": embedded([_structured(shown, url, changed), jsonld.breadcrumbs(crumbs)]),
    }


def _row(shown: Article, flight: Flight) -> dict[str, Any]:
    countries = shown.release.corpus.countries
    outcome = flight.answer.outcome
    other = flight.leg.destination if flight.kind == "departing" else flight.leg.origin
    return {
        "kind": KIND_WORDS[flight.kind],
        "origin": countries[flight.leg.origin].name,
        "destination": countries[flight.leg.destination].name,
        "verdict": outcome.verdict,
        "verdict_word": VERDICT_WORDS[outcome.verdict],
        "stands_for_others": flight.kind != "domestic" and other != shown.airline.country,
        "milder": flight.milder,
        "summary": wording.summary(flight.answer, LANGUAGE),
        "ask": encode(ask(flight)).decode(),
    }


def _said(shown: Iterable[Flight], worded: Any) -> Iterator[dict[str, Any]]:
    """Return each sentence once, those of the strictest flight first.

    `kinds` are the flights for which it holds, where it does not hold for all.
    """
    flights = sorted(shown, key=lambda flight: -STRICTNESS[flight.answer.outcome.verdict])
    kinds: dict[str, list[str]] = {}
    for flight in flights:
        for text in worded(flight.answer.outcome, LANGUAGE):
            kinds.setdefault(text, []).append(KIND_WORDS[flight.kind].lower())
    for text, those in kinds.items():
        in_order = [word for word in map(str.lower, KIND_WORDS.values()) if word in those]
        yield {"text": text, "kinds": [] if len(those) == len(flights) else in_order}


def _structured(shown: Article, url: str, changed: datetime.datetime | None) -> Node:
    device = shown.device
    return jsonld.article(
        site=address("/"),
        url=url,
        headline=shown.question,
        body=shown.body,
        language=LANGUAGE,
        ruleset_version=shown.release.ruleset_version,
        expires=shown.expires_at,
        date_modified=changed,
        about=Product(device.model_id, shown.model, device.brand, device.model_number),
        citations=shown.citations,
    )
