"""/compare: airlines side by side. An address names two to four by code, in alphabetical order."""

from http import HTTPStatus
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.editions import Edition
from aeo.pages import parts
from aeo.pages.answers import page_as_preferred, send_page
from aeo.pages.paths import airline_path
from aeo.pages.record import Bullets, Line, Link, Page, Section, Shown
from aeo.reference.comparison import FEWEST, MOST, PATH, comparison_page, path_of
from aeo.texts import airline_name, model_name, say
from aeo.web.caching import public
from aeo.web.languages import localized
from aeo.web.parameters import takes, takes_any
from catalog.search.words import pieces


@public
@takes_any
def choose(request: HttpRequest) -> HttpResponseBase:
    """Lead from the boxes of the list of airlines to the comparison; else say what to do."""
    edition = editions.current(timezone.now())
    codes = [code.upper() for code in request.GET.getlist("airline")]
    if _fits(edition, codes):
        response: HttpResponse = HttpResponseRedirect(localized(path_of(codes)))
    else:
        response = _refused(request, edition, codes, HTTPStatus.BAD_REQUEST if codes else HTTPStatus.OK)
    response["Cache-Control"] = "no-store"
    return response


@public
@takes("model")
def compare(request: HttpRequest, codes: str) -> HttpResponseBase:
    """Show the airlines of an address side by side. Such pages are not for search engines."""
    edition = editions.current(timezone.now())
    named = sorted(code.upper() for code in codes.split("-"))
    if not _fits(edition, named):
        response = _refused(request, edition, named, HTTPStatus.NOT_FOUND)
        response["Cache-Control"] = "no-store"
        return response
    path, typed = path_of(named), " ".join(request.GET.get("model", "").split())
    model_id = _model(edition, typed)
    if request.path_info != path or (model_id and typed != model_id):
        given = f"?{urlencode({'model': model_id or typed})}" if typed else ""
        return HttpResponsePermanentRedirect(localized(path + given))
    airlines, unknown = sorted(set(named)), bool(typed) and model_id is None
    return send_page(
        request,
        edition,
        (model_id, unknown),
        lambda: Shown(page=comparison_page(edition, airlines, model_id, unknown=unknown), indexed=False),
    )


def _fits(edition: Edition, codes: list[str]) -> bool:
    """Tell whether codes name two to four airlines of the release, however often each."""
    chosen = set(codes)
    return FEWEST <= len(chosen) <= MOST and chosen <= edition.release.shelf.airlines.keys()


def _model(edition: Edition, typed: str) -> str | None:
    """Return the model that has exactly this id, or alone has exactly this name."""
    devices = edition.release.shelf.devices
    if typed.lower() in devices:
        return typed.lower()
    asked = pieces(typed)
    found = [one.model_id for one in devices.values() if asked and pieces(model_name(one)) == asked]
    return found[0] if len(found) == 1 else None


def _refused(request: HttpRequest, edition: Edition, codes: list[str], status: HTTPStatus) -> HttpResponse:
    """Say how airlines are chosen, and lead to those that were named."""
    shelf = edition.release.shelf
    named = [shelf.airlines[code] for code in dict.fromkeys(codes) if code in shelf.airlines]
    lines: list[Line] = [(Link(say("compare.choose.others"), "/airlines"),)]
    lines += [(Link(airline_name(one), airline_path(one.airline)),) for one in named[:MOST]]
    title = say("compare.none")
    page = Page(
        path=PATH,
        title=title,
        lead=say("compare.how"),
        sections=(Section(say("error.next"), (Bullets(tuple(lines)),)),),
        crumbs=parts.crumbs((say("airlines"), "/airlines"), (title, PATH)),
        about=parts.about(edition, (Link(say("programs.list"), "/api/airlines"),)),
    )
    response = page_as_preferred(request, Shown(page=page, indexed=False))
    response.status_code = status
    return response
