"""/coverage: what can be decided, how it was read, and what to read first."""

from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.coverage import asked
from aeo.coverage.page import coverage as coverage_page
from aeo.pages.answers import send_page
from aeo.pages.record import Shown
from aeo.web.caching import public
from aeo.web.languages import localized


@public
def coverage(request: HttpRequest) -> HttpResponseBase:
    """Show what can be decided, how it was read, and what to read first."""
    if request.path_info != "/coverage":
        return HttpResponsePermanentRedirect(localized("/coverage"))
    edition = editions.current(timezone.now())
    counted = asked.newest()

    def make() -> Shown:
        return Shown(page=coverage_page(edition, counted), indexed=True)

    return send_page(request, edition, (counted and counted.day,), make)
