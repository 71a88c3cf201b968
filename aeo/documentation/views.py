"""/developers and the pages below it: the documentation, and the search in it."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from aeo.documentation import rendering
from aeo.documentation.documents import INDEX, Document, digest, documents
from aeo.documentation.searching import MOST_CHARACTERS, Found, search
from aeo.pages import html
from aeo.pages.markdown import escaped
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.caching import CacheLife, Version, code_digest, conditional, public, tag
from aeo.web.jsonld import Crumb
from aeo.web.negotiation import MARKDOWN, preferred
from aeo.web.parameters import takes
from aeo.web.structured_data import embedded, publisher

PURGED_AS = "developers"
"""The key for purging caches."""

LANGUAGE = "en"

FEWEST_HEADINGS = 4
"""A document with fewer parts has no list of them."""


@public
def document(request: HttpRequest, name: str = INDEX) -> HttpResponseBase:
    """Show a document, as HTML or as Markdown. Raises `Http404` if there is none of this name."""
    shown = _named(name)
    if request.path_info != shown.path:
        return HttpResponsePermanentRedirect(shown.path)
    version = _version(shown, preferred(request), vary=("Accept",))
    as_markdown = preferred(request) == MARKDOWN
    return conditional(request, version, lambda: _markdown(shown) if as_markdown else _page(request, shown))


@public
def markdown(request: HttpRequest, name: str) -> HttpResponseBase:
    """Give a document as Markdown at an address of its own, for readers who send no headers."""
    shown = _named(name)

    def make() -> HttpResponse:
        response = _markdown(shown)
        response["X-Robots-Tag"] = "noindex"
        return response

    return conditional(request, _version(shown, "file"), make)


@public
@takes("q")
def find(request: HttpRequest) -> HttpResponseBase:
    """Show which sections have the words of a query."""
    query = request.GET.get("q", "")[:MOST_CHARACTERS].strip()
    found = search(query)
    if preferred(request) == MARKDOWN:
        response = HttpResponse(_found_markdown(query, found), content_type=f"{MARKDOWN}; charset=utf-8")
    else:
        context = {"query": query, "found": found, "documents": documents().values()}
        response = render(request, "documentation/search.html", context)
    patch_vary_headers(response, ["Accept"])
    response["X-Robots-Tag"] = "noindex"
    response["Cache-Control"] = "private, no-cache"
    return response


@public
@takes("q")
def without_language(request: HttpRequest, rest: str = "") -> HttpResponseBase:
    """Redirect an address of another language to the only one."""
    query = request.META["QUERY_STRING"]
    return HttpResponsePermanentRedirect(f"/developers{rest}?{query}" if query else f"/developers{rest}")


def _named(name: str) -> Document:
    try:
        return documents()[name.lower()]
    except KeyError:
        raise Http404 from None


def _version(shown: Document, form: str, vary: tuple[str, ...] = ()) -> Version:
    etag = tag(code_digest(), digest(), settings.SITE_URL, shown.name, form)
    return Version(etag, CacheLife(None), (PURGED_AS,), vary)


def _markdown(shown: Document) -> HttpResponse:
    response = HttpResponse(shown.markdown, content_type=f"{MARKDOWN}; charset=utf-8")
    response["Content-Language"] = LANGUAGE
    response["Link"] = f'<{address(shown.path)}>; rel="canonical"'
    return response


def _page(request: HttpRequest, shown: Document) -> HttpResponse:
    parts = [one for one in rendering.headings(shown.body) if one.level == 2]
    first = documents()[INDEX]
    crumbs = [Crumb(one.title, address(one.path)) for one in dict.fromkeys((first, shown))]
    node = jsonld.technical_article(
        publisher=publisher(), url=address(shown.path), headline=shown.title, description=shown.lead
    )
    context = {
        "document": shown,
        "documents": documents().values(),
        "body": rendering.html(shown.body),
        "parts": parts if len(parts) >= FEWEST_HEADINGS else (),
        "url": address(shown.path),
        "indexed": True,
        "crumbs": html.crumbs(crumbs, named=True),
        "structured": embedded([node, jsonld.breadcrumbs(crumbs)]),
    }
    response = render(request, "documentation/document.html", context)
    response["Content-Language"] = LANGUAGE
    return response


def _found_markdown(query: str, found: list[Found]) -> str:
    lines = [f"- [{escaped(one.title)}]({address(one.path)}): {escaped(one.excerpt)}" for one in found]
    return "\n".join([f"# Search: {escaped(query)}", "", *(lines or ["Nothing has these words."])]) + "\n"
