"""/airlines and /airlines.csv: which airlines an address asks for."""

import re

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.editions import Edition
from aeo.pages.answers import send_page
from aeo.pages.record import Shown
from aeo.reference import airline_csv
from aeo.reference.airline_rows import MOST_CHARACTERS, ORDERS, Asked, chosen
from aeo.reference.airline_table import PATH, airlines_page, query
from aeo.web.caching import conditional, of_edition, public
from aeo.web.languages import localized
from aeo.web.parameters import takes, takes_any

PARAMETERS = frozenset({"q", "country", "units", "use", "sort", "picked"})
REDIRECT_SECONDS = 24 * 60 * 60


@public
@takes_any
def airlines(request: HttpRequest) -> HttpResponseBase:
    """Show the airlines that were asked for; only the whole list is for search engines.

    Ticked boxes send `airline`, perhaps several times: they lead to the one address with `picked`.
    """
    edition = editions.current(timezone.now())
    asked, given = _asked(edition, request.GET), request.GET
    known = given.keys() <= PARAMETERS and all(len(values) == 1 for _, values in given.lists())
    if request.path_info != PATH or not known:
        response = HttpResponsePermanentRedirect(localized(query(asked)))
        response["Cache-Control"] = f"public, max-age={REDIRECT_SECONDS}"
        return response
    return send_page(
        request,
        edition,
        (asked,),
        lambda: Shown(page=airlines_page(edition, asked), indexed=asked == Asked()),
    )


@public
@takes("q", "country", "units", "use", "sort")
def as_csv(request: HttpRequest) -> HttpResponseBase:
    """Give the airlines that were asked for as CSV, in the order of the page."""
    edition = editions.current(timezone.now())
    asked = _asked(edition, request.GET)
    return conditional(
        request,
        of_edition(request, edition, asked),
        lambda: HttpResponse(
            airline_csv.written(chosen(edition, asked)),
            content_type="text/csv; charset=utf-8",
            headers={"X-Robots-Tag": "noindex"},
        ),
    )


def _asked(edition: Edition, given: QueryDict) -> Asked:
    """Return what an address asks for. Raises `Http404` for a value that no link of the list has."""
    picked = [*filter(None, given.get("picked", "").split("-")), *given.getlist("airline")]
    asked = Asked(
        q=" ".join(given.get("q", "").split()),
        country=given.get("country", ""),
        one_unit=given.get("units", "") == "1",
        no_use=given.get("use", "") == "no",
        sort=given.get("sort", ""),
        picked=tuple(dict.fromkeys(code.upper() for code in picked)),
    )
    known = (
        len(asked.q) <= MOST_CHARACTERS
        and re.search(r"[\x00-\x1f]", asked.q) is None
        and (not asked.country or asked.country in edition.release.corpus.countries)
        and given.get("units", "") in ("", "1")
        and given.get("use", "") in ("", "no")
        and (not asked.sort or asked.sort in ORDERS)
        and edition.release.shelf.airlines.keys() >= {*asked.picked}
    )
    if not known:
        raise Http404
    return asked
