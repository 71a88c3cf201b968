"""Model, airline, country and recall pages, and the lists of them.

Ids and codes in addresses are lower case. Other spellings are redirected; a record that the release does not
contain is not found. Each page is sent as HTML or as Markdown.
"""

import re
from collections.abc import Callable, Container

from django.http import Http404, HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.editions import Edition
from aeo.page_records import register
from aeo.page_records.register import Indexed
from aeo.pages.answers import send_page
from aeo.pages.paths import airline_path, country_path, model_path, recall_path
from aeo.pages.record import Page, Shown
from aeo.reference import policy_news
from aeo.reference.airline import airline_page
from aeo.reference.country import country_page
from aeo.reference.indexing import indexed_paths
from aeo.reference.lists import list_page, listing, page_path
from aeo.reference.model import model_page
from aeo.reference.recall import recall_page
from aeo.web.caching import public
from aeo.web.languages import localized
from aeo.web.parameters import takes
from catalog.airports.selectors import airport_facts
from rules.corpus import Published
from rules.policy_history import selectors


@public
def model(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show a model."""
    edition = editions.current(timezone.now())
    return _show(
        request, edition, name.lower(), lambda release: release.shelf.devices, model_path, model_page
    )


@public
def airline(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show an airline."""
    edition = editions.current(timezone.now())
    news = selectors.newest(edition.release, name.upper())
    return _show(
        request,
        edition,
        name.upper(),
        lambda release: release.shelf.airlines,
        airline_path,
        lambda edition, code, indexed: airline_page(edition, code, indexed, news or ()),
        (policy_news.state(news),),
    )


@public
def country(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show a country."""
    edition = editions.current(timezone.now())
    return _show(
        request,
        edition,
        name.upper(),
        lambda release: release.corpus.countries,
        country_path,
        country_page,
        (airport_facts().digest,),
    )


@public
def recall(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show a recall."""
    edition = editions.current(timezone.now())
    return _show(
        request, edition, name.lower(), lambda release: release.shelf.recalls, recall_path, recall_page
    )


@public
@takes("page")
def index(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show one page of a list. Raises `Http404` if the list has no such page."""
    edition, asked = editions.current(timezone.now()), request.GET.get("page", "1")
    if re.fullmatch(r"[1-9][0-9]{0,5}", asked) is None:
        raise Http404
    if request.path_info != f"/{name}" or (asked == "1" and "page" in request.GET):
        return HttpResponsePermanentRedirect(localized(page_path(name, int(asked))))

    def make() -> Shown:
        shown, number = listing(edition, name), int(asked)
        if number > shown.pages:
            raise Http404
        return Shown(page=list_page(edition, shown, number), indexed=number == 1, entries=f"/{name}")

    return send_page(request, edition, (asked,), make)


def _show(
    request: HttpRequest,
    edition: Edition,
    key: str,
    records: Callable[[Published], Container[str]],
    path_of: Callable[[str], str],
    make: Callable[[Edition, str, Indexed], Page],
    more_state: tuple[object, ...] = (),
) -> HttpResponseBase:
    """Show the page of a record. Raises `Http404` if the release does not contain it.

    `more_state` is what the page depends on in addition.
    """
    pages = register.current()
    if key not in records(edition.release):
        raise Http404
    path = path_of(key)
    if request.path_info != path:
        return HttpResponsePermanentRedirect(localized(path))
    return send_page(
        request,
        edition,
        (pages.version, *more_state),
        lambda: Shown(
            page=make(edition, key, pages.indexed),
            indexed=path in indexed_paths(edition),
            changed=pages.references.get(path),
        ),
        # Such as `airlines-ek`.
        (path.strip("/").replace("/", "-"),),
    )
