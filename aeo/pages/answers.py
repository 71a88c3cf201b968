"""Sends a page as HTML or as Markdown, as the reader prefers. Called by the views."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from aeo.editions import Edition
from aeo.pages import html, markdown
from aeo.pages.parts import dated
from aeo.pages.pictures import HEIGHT, WIDTH
from aeo.pages.record import Page, Shown
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.caching import Version, conditional, of_edition
from aeo.web.negotiation import MARKDOWN, preferred
from aeo.web.structured_data import embedded


def send_page(
    request: HttpRequest,
    edition: Edition,
    parts: tuple[object, ...],
    make: Callable[[], Shown],
    about: tuple[str, ...] = (),
) -> HttpResponseBase:
    """Answer with the page that `make` builds, or with 304 if the reader has this version already.

    `parts` are what the page depends on in addition to the edition, the address, its form and the code;
    `about` is as in `Version`.
    """
    version = of_edition(request, edition, preferred(request), *parts, about=about, vary=("Accept",))
    return send_version(request, version, make)


def send_version(request: HttpRequest, version: Version, make: Callable[[], Shown]) -> HttpResponseBase:
    """Answer with the page that `make` builds, or with 304 if the reader has this version already."""
    return conditional(request, version, lambda: page_as_preferred(request, make()))


def page_as_preferred(request: HttpRequest, shown: Shown) -> HttpResponse:
    """Return a page in the form that the reader prefers, even if the reader has a copy."""
    response = as_markdown(shown) if preferred(request) == MARKDOWN else _as_html(request, shown)
    patch_vary_headers(response, ["Accept"])
    return response


def in_form(
    request: HttpRequest,
    page: Callable[[], HttpResponse],
    record: Callable[[], Page],
    *,
    indexed: bool = True,
) -> HttpResponse:
    """Return a page that has a template of its own, or its record as Markdown, as the reader prefers."""
    if preferred(request) == MARKDOWN:
        return as_markdown(Shown(page=record(), indexed=indexed))
    return page()


def _as_html(request: HttpRequest, shown: Shown) -> HttpResponse:
    page = shown.page
    nodes = [jsonld.breadcrumbs(page.crumbs)]
    if page.node is not None:
        nodes.insert(0, jsonld.dated(page.node, shown.changed, shown.published))
    context = {
        "page": page,
        "description": page.description or page.lead,
        "url": address(page.path),
        "indexed": shown.indexed,
        "entries": shown.entries,
        "crumbs": html.crumbs(page.crumbs),
        "glance": html.blocks(page.glance),
        "sections": html.sections(page.sections),
        "picture_width": WIDTH,
        "picture_height": HEIGHT,
        "about": html.facts(dated(shown)),
        "structured": embedded(nodes),
    }
    return render(request, "pages/page.html", context)


def as_markdown(shown: Shown) -> HttpResponse:
    """Return a page as Markdown."""
    response = HttpResponse(markdown.text(shown), content_type="text/markdown; charset=utf-8")
    response["Link"] = f'<{address(shown.page.path)}>; rel="canonical"'
    if not shown.indexed:
        response["X-Robots-Tag"] = "noindex"
    return response
