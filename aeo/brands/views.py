"""/brands and /brands/<brand>: the models of a brand, each with its verdict pages."""

from django.http import Http404, HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.brands import hubs
from aeo.brands.page import brand_page, brands_page
from aeo.page_records import register
from aeo.pages.answers import send_page
from aeo.pages.record import Shown
from aeo.web.caching import public
from aeo.web.languages import localized


@public
def index(request: HttpRequest) -> HttpResponseBase:
    """List the brands."""
    edition = editions.current(timezone.now())

    def make() -> Shown:
        return Shown(page=brands_page(edition, hubs.brands(edition.release, edition.today)), indexed=True)

    return send_page(request, edition, (), make)


@public
def hub(request: HttpRequest, brand: str) -> HttpResponseBase:
    """Show one brand."""
    edition = editions.current(timezone.now())
    brand_id = brand.lower()
    if brand_id not in edition.release.shelf.brands:
        raise Http404
    if request.path_info != f"/brands/{brand_id}":
        return HttpResponsePermanentRedirect(localized(f"/brands/{brand_id}"))
    pages = register.current()

    def make() -> Shown:
        shown = hubs.brand(edition.release, brand_id, edition.today)
        return Shown(page=brand_page(edition, shown, pages.indexed), indexed=True)

    return send_page(request, edition, (pages.version,), make)
