"""Model, airline, country and recall pages, and the lists of them.

Ids and codes in addresses are lower case; other spellings are redirected, and what the release does not hold
is not found. Each page is sent as HTML or as Markdown.
"""

import re
from collections.abc import Callable, Container

from django.http import Http404, HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions, register
from aeo.editions import Edition
from aeo.http import public
from aeo.pages.airline import airline_page
from aeo.pages.answers import page_unless_held
from aeo.pages.country import country_page
from aeo.pages.indexing import indexed_paths
from aeo.pages.lists import list_page, listing, page_path
from aeo.pages.model import model_page
from aeo.pages.paths import airline_path, country_path, model_path, recall_path
from aeo.pages.recall import recall_page
from aeo.pages.record import Page, Shown
from aeo.register import Register


@public
def model(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show a model."""
    edition, pages = _now()
    model_id = _known(name.lower(), edition.release.shelf.devices)
    return _show(
        request, edition, pages, model_path(model_id), lambda: model_page(edition, model_id, pages.indexed)
    )


@public
def airline(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show an airline."""
    edition, pages = _now()
    code = _known(name.upper(), edition.release.shelf.airlines)
    return _show(
        request, edition, pages, airline_path(code), lambda: airline_page(edition, code, pages.indexed)
    )


@public
def country(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show a country."""
    edition, pages = _now()
    code = _known(name.upper(), edition.release.corpus.countries)
    return _show(
        request, edition, pages, country_path(code), lambda: country_page(edition, code, pages.indexed)
    )


@public
def recall(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show a recall."""
    edition, pages = _now()
    recall_id = _known(name.lower(), edition.release.shelf.recalls)
    return _show(request, edition, pages, recall_path(recall_id), lambda: recall_page(edition, recall_id))


@public
def index(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show one page of a list. Raises `Http404` for a page that it does not have."""
    edition, asked = editions.current(timezone.now()), request.GET.get("page", "1")
    if re.fullmatch(r"[1-9][0-9]{0,5}", asked) is None:
        raise Http404
    if request.path != f"/{name}" or (asked == "1" and "page" in request.GET):
        return HttpResponsePermanentRedirect(page_path(name, int(asked)))

    def make() -> Shown:
        shown, number = listing(edition, name), int(asked)
        if number > shown.pages:
            raise Http404
        return Shown(page=list_page(edition, shown, number), indexed=number == 1)

    return page_unless_held(request, edition, (asked,), make)


def _now() -> tuple[Edition, Register]:
    return editions.current(timezone.now()), register.current()


def _known(name: str, records: Container[str]) -> str:
    if name not in records:
        raise Http404
    return name


def _show(
    request: HttpRequest, edition: Edition, pages: Register, path: str, make: Callable[[], Page]
) -> HttpResponseBase:
    if request.path != path:
        return HttpResponsePermanentRedirect(path)
    return page_unless_held(
        request,
        edition,
        (pages.version,),
        lambda: Shown(
            page=make(), indexed=path in indexed_paths(edition), changed=pages.references.get(path)
        ),
    )
