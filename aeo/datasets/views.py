"""/aeo-datasets.json and /datasets: which datasets there are, their files, and what each release changed."""

import base64
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response

from aeo import editions
from aeo.datasets import cache, history, overview, ranges
from aeo.datasets.files import CONTENT_TYPES, FORMATS
from aeo.datasets.jsonld import Described, Download, catalog
from aeo.datasets.models import DatasetFile, DatasetRelease
from aeo.datasets.page import datasets_page
from aeo.datasets.rows import DATASETS, Dataset
from aeo.pages.answers import in_form
from aeo.pages.record import Page
from aeo.texts import say
from aeo.web import caching, jsonld
from aeo.web.addresses import address, site_address
from aeo.web.caching import MAX_AGE_SECONDS, CacheLife, Version, conditional, not_ready, of_body, public
from aeo.web.documents import encode
from aeo.web.jsonld import Crumb
from aeo.web.languages import tag
from aeo.web.negotiation import preferred
from aeo.web.parameters import takes
from aeo.web.structured_data import embedded

IMMUTABLE = "public, max-age=31536000, immutable"


@public
def describe(request: HttpRequest) -> HttpResponseBase:
    """Describe the datasets."""
    edition = editions.current(timezone.now())
    made = overview.current(edition)
    response = conditional(
        request,
        of_body(edition, made.content_hash),
        lambda: HttpResponse(made.body, content_type="application/json"),
    )
    response["X-Service-Content-Hash"] = made.content_hash
    response["Link"] = f'<{address("/aeo-manifest.json")}>; rel="related"'
    return response


@public
def index(request: HttpRequest) -> HttpResponseBase:
    """Show the files of the newest release."""
    newest = cache.newest()
    if newest is None:
        return not_ready(request)
    return conditional(
        request,
        of_release(request, newest, preferred(request), vary=("Accept",)),
        lambda: in_form(
            request,
            lambda: render(request, "pages/datasets.html", _context(newest)),
            lambda: _record(newest),
        ),
    )


@public
@takes("before")
def changes(request: HttpRequest) -> HttpResponseBase:
    """List the releases with their files and what each changed; `before` leads to older ones."""
    before = None
    if "before" in request.GET:
        before = cache.release_of(request.GET["before"])
        if before is None:
            raise Http404
    newest = cache.newest()
    if newest is None:
        return not_ready(request)
    return conditional(
        request,
        of_release(request, newest),
        lambda: HttpResponse(encode(history.listing(before)), content_type="application/json"),
    )


@public
def newest_file(request: HttpRequest, name: str, file_format: str) -> HttpResponseBase:
    """Redirect to the file of the newest release."""
    newest = cache.newest()
    if name not in DATASETS or file_format not in FORMATS:
        raise Http404
    # A release from before this dataset existed has no file of it.
    if newest is None or cache.file_of(newest.pk, name, file_format) is None:
        return not_ready(request)
    response = HttpResponseRedirect(f"/datasets/{newest.pk}/{name}.{file_format}")
    response["Cache-Control"] = f"public, max-age={MAX_AGE_SECONDS}"
    return response


@public
def file(request: HttpRequest, version: str, name: str, file_format: str) -> HttpResponseBase:
    """Give a file. It never changes, so caches may keep it for ever."""
    known = cache.file_of(version, name, file_format)
    if known is None:
        raise Http404
    etag = f'"{known.sha256}"'
    not_modified = get_conditional_response(request, etag=etag)
    response: HttpResponseBase = not_modified or ranges.part(
        request,
        HttpResponse(
            cache.body_of(version, name, file_format),
            content_type=CONTENT_TYPES[file_format],
            headers={"ETag": etag},
        ),
    )
    response["ETag"] = etag
    response["Cache-Control"] = IMMUTABLE
    response["X-Service-Content-Hash"] = known.sha256
    response["Repr-Digest"] = f"sha-256=:{base64.b64encode(bytes.fromhex(known.sha256)).decode()}:"
    response["X-Robots-Tag"] = "noindex"
    if not_modified is None:
        response["Content-Disposition"] = f'attachment; filename="{known}"'
    return response


def of_release(
    request: HttpRequest, newest: DatasetRelease, *parts: object, vary: tuple[str, ...] = ()
) -> Version:
    """Return the version of a page that depends only on the stored datasets and on `parts`.

    It is current until a newer release has files. Called by the feeds as well.
    """
    etag = caching.tag(
        newest.release_sha256, caching.code_digest(), settings.SITE_URL, request.get_full_path(), *parts
    )
    life = CacheLife(None, int(newest.published.timestamp()))
    return Version(etag, life, (f"release-{newest.pk}",), vary)


def _record(newest: DatasetRelease) -> Page:
    return datasets_page(newest, _described(cache.files_of(newest.pk)), cache.latest())


def _described(files: list[DatasetFile]) -> list[tuple[Dataset, list[DatasetFile]]]:
    return [(dataset, [one for one in files if one.name == dataset.name]) for dataset in _with_files(files)]


def _context(newest: DatasetRelease) -> dict[str, Any]:
    url = address("/datasets")
    files = cache.files_of(newest.pk)
    crumbs = [Crumb(say("datasets.heading"), url)]
    shown = [{"dataset": dataset, "files": own} for dataset, own in _described(files)]
    return {
        "url": url,
        "indexed": True,
        "newest": newest,
        "datasets": shown,
        "releases": cache.latest(),
        "structured": embedded([_structured(newest, files, url), jsonld.breadcrumbs(crumbs)]),
    }


def _structured(newest: DatasetRelease, files: list[DatasetFile], url: str) -> jsonld.Node:
    return catalog(
        site=site_address(),
        url=url,
        name=say("datasets.catalog"),
        language=tag(),
        reuse_url=f"{url}#reuse",
        version=newest.pk,
        published=history.instant(newest.published),
        datasets=[
            Described(
                url=f"{url}#{dataset.name}",
                name=dataset.title,
                description=dataset.description,
                downloads=[
                    Download(
                        address(one.path),
                        CONTENT_TYPES[one.file_format].partition(";")[0],
                        one.sha256,
                        one.size_bytes,
                    )
                    for one in files
                    if one.name == dataset.name
                ],
            )
            for dataset in _with_files(files)
        ],
    )


def _with_files(files: list[DatasetFile]) -> list[Dataset]:
    """Return the datasets with files in a release: an earlier release may lack some."""
    names = {one.name for one in files}
    return [dataset for dataset in DATASETS.values() if dataset.name in names]
