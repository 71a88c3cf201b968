"""/guides and /guides/<slug>: frequent questions, answered in prose that the engine confirms.

A guide that differs from the engine's answers is not shown: its address says so, and is not indexed.
"""

from django.http import Http404, HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions, guides
from aeo.guides import in_force
from aeo.guides.page import guide_page, guides_page
from aeo.pages.answers import send_page
from aeo.pages.record import Shown
from aeo.web.caching import public
from aeo.web.languages import localized


@public
def index(request: HttpRequest) -> HttpResponseBase:
    """List the guides that are shown."""
    edition = editions.current(timezone.now())

    def make() -> Shown:
        shown = [one for one in guides.check(edition).values() if one.holds and one.is_translated]
        return Shown(page=guides_page(edition, shown), indexed=True)

    return send_page(request, edition, (in_force.current().rows,), make)


@public
def guide(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show one guide, or say that it is being revised."""
    present = in_force.current()
    if slug.lower() not in {one.slug for one in present.guides}:
        raise Http404
    if request.path_info != f"/guides/{slug.lower()}":
        return HttpResponsePermanentRedirect(localized(f"/guides/{slug.lower()}"))
    edition = editions.current(timezone.now())

    def make() -> Shown:
        checked = guides.check(edition)[slug]
        return Shown(page=guide_page(edition, checked), indexed=checked.holds and checked.is_translated)

    return send_page(request, edition, (present.rows,), make)
