"""/feeds/…: Atom feeds of rulesets, airlines and recalls, and the calendar of effective dates."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.brands import hubs
from aeo.datasets import cache
from aeo.datasets.views import of_release
from aeo.feeds import atom, calendar
from aeo.texts import model_name
from aeo.web.caching import conditional, not_ready, of_edition, public
from rules import corpus

ATOM = atom.Feed.content_type


@public
def rulesets(request: HttpRequest) -> HttpResponseBase:
    """Feed the releases."""
    return _feed(request, atom.rulesets)


@public
def airline(request: HttpRequest, code: str) -> HttpResponseBase:
    """Feed what each release changed about an airline."""
    if code != code.lower():
        return HttpResponsePermanentRedirect(f"/feeds/airlines/{code.lower()}.atom")
    record = corpus.current().shelf.airlines.get(code.upper())
    if record is None:
        raise Http404
    return _feed(request, lambda: atom.airline(record.airline, record.name))


@public
def recalls_of_brand(request: HttpRequest, brand: str) -> HttpResponseBase:
    """Feed the recalls of a brand's exact models."""
    if brand != brand.lower():
        return HttpResponsePermanentRedirect(f"/feeds/recalls/brands/{brand.lower()}.atom")
    edition = editions.current(timezone.now())
    if brand not in edition.release.shelf.brands:
        raise Http404
    name = hubs.brand(edition.release, brand, edition.today).name
    return _feed(request, lambda: atom.recalls_of_brand(brand, name))


@public
def recalls_of_model(request: HttpRequest, model: str) -> HttpResponseBase:
    """Feed the recalls of one model."""
    if model != model.lower():
        return HttpResponsePermanentRedirect(f"/feeds/recalls/models/{model.lower()}.atom")
    device = corpus.current().shelf.devices.get(model)
    if device is None:
        raise Http404
    return _feed(request, lambda: atom.recalls_of_model(model, model_name(device)))


@public
def effective_dates(request: HttpRequest) -> HttpResponseBase:
    """Give the calendar of the days on which rules start and end."""
    edition = editions.current(timezone.now())
    newest = cache.newest()

    def make() -> HttpResponse:
        rule_ids = {day.rule.rule_id for day in calendar.days(edition)}
        body = calendar.effective_dates(edition, cache.last_changed("rules", rule_ids))
        return HttpResponse(body, content_type="text/calendar; charset=utf-8")

    return conditional(request, of_edition(request, edition, None if newest is None else newest.pk), make)


def _feed(request: HttpRequest, make: Callable[[], str]) -> HttpResponseBase:
    newest = cache.newest()
    if newest is None:
        return not_ready(request)
    return conditional(request, of_release(request, newest), lambda: HttpResponse(make(), content_type=ATOM))
