"""/compare: airlines side by side. An address names two to four by code, in alphabetical order.

Of more, the first four are compared, and the page says which were left out.
"""

from http import HTTPStatus
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.asking import meaning
from aeo.asking.names.suggestions import Suggestion
from aeo.editions import Edition
from aeo.pages import parts
from aeo.pages.answers import page_as_preferred, send_page
from aeo.pages.paths import airline_path
from aeo.pages.record import Bullets, Line, Link, Page, Section, Shown
from aeo.reference.airline_rows import Asked
from aeo.reference.airline_table import query
from aeo.reference.comparison import FEWEST, MOST, PATH, comparison_page, path_of
from aeo.texts import airline_name, say
from aeo.web.caching import public
from aeo.web.languages import localized
from aeo.web.parameters import takes, takes_any


@public
@takes_any
def choose(request: HttpRequest) -> HttpResponseBase:
    """Lead from the boxes of the list of airlines to the comparison; else say what to do."""
    edition = editions.current(timezone.now())
    codes = [code.upper() for code in request.GET.getlist("airline")]
    if _fits(edition, codes):
        response: HttpResponse = HttpResponseRedirect(localized(_leads_to(codes)))
    else:
        response = _refused(request, edition, codes, HTTPStatus.BAD_REQUEST if codes else HTTPStatus.OK)
    response["Cache-Control"] = "no-store"
    return response


@public
@takes("model", "left_out")
def compare(request: HttpRequest, codes: str) -> HttpResponseBase:
    """Show the airlines of an address side by side. Such pages are not for search engines."""
    edition = editions.current(timezone.now())
    named = list(dict.fromkeys(code.upper() for code in codes.split("-")))
    left_out = [*filter(None, request.GET.get("left_out", "").upper().split("-"))]
    if not _fits(edition, named) or not edition.release.shelf.airlines.keys() >= {*left_out}:
        response = _refused(request, edition, named, HTTPStatus.NOT_FOUND)
        response["Cache-Control"] = "no-store"
        return response
    if len(named) > MOST:
        return HttpResponsePermanentRedirect(localized(_leads_to(named)))
    path, typed = path_of(named), " ".join(request.GET.get("model", "").split())
    model_id, offered = _model(edition, typed)
    if request.path_info != path or (model_id and typed != model_id):
        given = f"?{urlencode({'model': model_id or typed})}" if typed else ""
        return HttpResponsePermanentRedirect(localized(path + given))
    return send_page(
        request,
        edition,
        (model_id, offered, left_out),
        lambda: Shown(
            page=comparison_page(edition, sorted(named), model_id, offered=offered, left_out=left_out),
            indexed=False,
        ),
    )


def _fits(edition: Edition, codes: list[str]) -> bool:
    """Tell whether codes name two or more airlines of the release, however often each."""
    chosen = set(codes)
    return len(chosen) >= FEWEST and chosen <= edition.release.shelf.airlines.keys()


def _leads_to(codes: list[str]) -> str:
    """Return the address that compares the first airlines, and says which others were chosen."""
    every = list(dict.fromkeys(codes))
    left_out = "-".join(every[MOST:]).lower()
    return path_of(every[:MOST]) + (f"?left_out={left_out}" if left_out else "")


def _model(edition: Edition, typed: str) -> tuple[str | None, tuple[Suggestion, ...] | None]:
    """Return the model that a text means, or the models that it may mean; neither for no text."""
    if not typed:
        return None, None
    if typed.lower() in edition.release.shelf.devices:
        return typed.lower(), None
    found = meaning.model(edition.release, typed)
    return (found.value, None) if found.value else (None, found.choices)


def _refused(request: HttpRequest, edition: Edition, codes: list[str], status: HTTPStatus) -> HttpResponse:
    """Say how airlines are chosen, and lead to those that were named."""
    shelf = edition.release.shelf
    named = [shelf.airlines[code] for code in dict.fromkeys(codes) if code in shelf.airlines]
    picked = tuple(one.airline for one in named)
    lines: list[Line] = [(Link(say("compare.choose.others"), query(Asked(picked=picked))),)]
    lines += [(Link(airline_name(one), airline_path(one.airline)),) for one in named[:MOST]]
    title = say("compare.none") if codes else say("compare.choose")
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
