"""robots.txt, llms.txt and the sitemaps: what crawlers and agents read first."""

import gzip
from collections.abc import Callable, Iterator
from itertools import islice

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from aeo import editions, guides
from aeo.brands import hubs
from aeo.discovery import indexnow, sitemap_shards, sitemaps
from aeo.discovery.prepared import Prepared
from aeo.discovery.sitemap_shards import place
from aeo.discovery.sitemaps import MOST_IN_SHARD, Place
from aeo.documentation.documents import digest, documents
from aeo.editions import Edition
from aeo.guides import in_force
from aeo.page_records import register
from aeo.page_records.register import Register
from aeo.pages.paths import brand_path
from aeo.reference.lists import LISTS
from aeo.service import INDEXED
from aeo.web.addresses import address
from aeo.web.caching import Version, conditional, of_edition, public
from aeo.web.codings import wanted

ROBOTS = """\
User-agent: *
{admin}Disallow: /healthz
Disallow: /metrics
Disallow: /readyz
Disallow: /sandbox/

Sitemap: {sitemap}
"""

XML = "application/xml; charset=utf-8"

_PREPARED = Prepared()


@public
def robots(request: HttpRequest) -> HttpResponseBase:
    """Say what crawlers may read: all but desk and sandbox. A desk at its own address is not named."""
    admin = "Disallow: /admin\n" if settings.ADMIN_PATH == "admin" else ""
    body = ROBOTS.format(admin=admin, sitemap=address("/sitemap.xml"))
    return HttpResponse(
        body, content_type="text/plain; charset=utf-8", headers={"Cache-Control": "max-age=3600"}
    )


@public
def indexnow_key(request: HttpRequest, key: str) -> HttpResponseBase:
    """Prove to search engines that an announcement with this key comes from this site."""
    if not indexnow.is_on() or key != settings.INDEXNOW_KEY:
        raise Http404
    return HttpResponse(key, content_type="text/plain; charset=utf-8", headers={"X-Robots-Tag": "noindex"})


@public
def llms(request: HttpRequest) -> HttpResponseBase:
    """Describe to language models what this site knows, and where."""
    edition = editions.current(timezone.now())

    def make() -> HttpResponse:
        context = {
            "site": address(""),
            "ruleset_version": edition.release.ruleset_version,
            "languages": [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE],
            "documents": documents().values(),
            "guides": [one for one in guides.check(edition).values() if one.holds],
        }
        return render(request, "pages/llms.txt", context, content_type="text/plain; charset=utf-8")

    return conditional(request, of_edition(request, edition, digest(), in_force.current().rows), make)


@public
def sitemap_index(request: HttpRequest) -> HttpResponseBase:
    """List the sitemaps."""
    edition, pages = editions.current(timezone.now()), register.current()
    counted = sitemap_shards.counted()

    def places() -> Iterator[Place]:
        yield Place(address("/sitemaps/pages.xml"))
        changes = list(pages.references.values())
        for number in range(1, sitemaps.shards(len(changes)) + 1):
            newest = max(changes[(number - 1) * MOST_IN_SHARD : number * MOST_IN_SHARD])
            yield Place(address(f"/sitemaps/references-{number}.xml"), newest)
        for number, newest in counted.newest_by_shard.items():
            yield Place(address(f"/sitemaps/verdicts-{number}.xml"), newest)

    version = of_edition(request, edition, counted.version, pages.version)
    return _sitemap(request, version, lambda: sitemaps.index(places()))


@public
def sitemap_of_pages(request: HttpRequest) -> HttpResponseBase:
    """List guides, brands, the datasets, the documentation and the lists of all other records."""
    edition = editions.current(timezone.now())
    version = of_edition(request, edition, in_force.current().rows)
    return _sitemap(request, version, lambda: sitemaps.urlset(_pages(edition)))


@public
def sitemap_of_verdicts(request: HttpRequest, number: int) -> HttpResponseBase:
    """List one shard of the indexed verdict pages."""
    edition = editions.current(timezone.now())
    counted = sitemap_shards.counted()
    if not 1 <= number <= sitemaps.shards(counted.pages):
        raise Http404
    version = of_edition(request, edition, counted.version)
    return _sitemap(request, version, lambda: sitemaps.urlset(sitemap_shards.shard(number)))


@public
def sitemap_of_references(request: HttpRequest, number: int) -> HttpResponseBase:
    """List one shard of the indexed model, airline, country and recall pages."""
    edition, pages = editions.current(timezone.now()), register.current()
    if not 1 <= number <= sitemaps.shards(len(pages.references)):
        raise Http404
    version = of_edition(request, edition, pages.version)
    return _sitemap(request, version, lambda: sitemaps.urlset(_references(pages, number)))


def _pages(edition: Edition) -> Iterator[Place]:
    yield place("/guides")
    for checked in guides.check(edition).values():
        if checked.holds:
            yield place(checked.guide.path)
    yield place("/datasets")
    # In English alone.
    for document in documents().values():
        yield Place(address(document.path))
    yield place("/brands")
    for brand in hubs.brands(edition.release, edition.today):
        yield place(brand_path(brand.name))
    for name in ("airlines", *LISTS, *INDEXED):
        yield place(f"/{name}")


def _references(pages: Register, number: int) -> Iterator[Place]:
    first = (number - 1) * MOST_IN_SHARD
    for path, changed in islice(pages.references.items(), first, first + MOST_IN_SHARD):
        yield place(path, changed)


def _sitemap(request: HttpRequest, version: Version, write: Callable[[], str]) -> HttpResponseBase:
    """Give a sitemap, which is made once for each version, to readers who do not have it."""
    takes_gzip = wanted(request.META.get("HTTP_ACCEPT_ENCODING", ""), "gzip") > 0

    def make() -> HttpResponse:
        body = _PREPARED.gzipped(version.etag, write)
        headers = {"Content-Encoding": "gzip"} if takes_gzip else None
        return HttpResponse(body if takes_gzip else gzip.decompress(body), XML, headers=headers)

    response = conditional(request, version, make)
    # The cache of pages has no room for these.
    del response.keeping  # type: ignore[attr-defined]
    patch_vary_headers(response, ["Accept-Encoding"])
    return response
