"""/guides and /guides/<slug>: frequent questions, answered in prose that the engine confirms.

A guide that differs from the engine's answers is not shown: its address says so, and is not indexed. Editors
change guides without a release, so caches ask for them after some seconds.
"""

from django.http import Http404, HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions, guides
from aeo.editions import Edition
from aeo.guides import in_force
from aeo.guides.in_force import GuidesInForce
from aeo.guides.page import guide_page, guides_page
from aeo.pages.answers import send_version
from aeo.pages.record import Shown
from aeo.web.caching import Version, of_edition, public
from aeo.web.languages import localized
from aeo.web.negotiation import preferred

FRESH_SECONDS = 5
"""How long a cache may show a guide without asking whether it has changed."""

PURGED_AS = "guides"
"""The key by which operators purge all guides from a CDN."""


@public
def index(request: HttpRequest) -> HttpResponseBase:
    """List the guides that are shown, also those that are not translated."""
    edition = editions.current(timezone.now())

    def make() -> Shown:
        shown = [one for one in guides.check(edition).values() if one.holds]
        return Shown(page=guides_page(edition, shown), indexed=True)

    return send_version(request, _version(request, edition, in_force.current()), make)


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

    return send_version(request, _version(request, edition, present), make)


def _version(request: HttpRequest, edition: Edition, shown: GuidesInForce) -> Version:
    """Return the version of a page that changes with its edition, and with each approval of a guide."""
    version = of_edition(
        request, edition, preferred(request), shown.rows, about=(PURGED_AS,), vary=("Accept",)
    )
    changed = max(one for one in (edition.changed_at, shown.changed_at) if one is not None)
    return version._replace(life=version.life._replace(changed=int(changed.timestamp()), fresh=FRESH_SECONDS))
