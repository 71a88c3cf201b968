"""/aeo-manifest.json, its schema and its preview: ready bytes, and a hash that shows changes."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.discovery import manifest
from aeo.discovery.manifest import Manifest, NothingIndexed
from aeo.web.addresses import address
from aeo.web.caching import conditional, not_ready, of_body, public


@public
def show(request: HttpRequest) -> HttpResponseBase:
    """Give the manifest."""
    return _answer(
        request,
        lambda made: (made.body, made.content_hash),
        "application/json",
        lambda made: {
            "X-Service-Content-Hash": made.content_hash,
            "Link": (
                f'<{address("/aeo-manifest.schema.json")}>; rel="describedby", '
                f'<{address("/aeo-datasets.json")}>; rel="related"'
            ),
        },
        exact=True,
    )


@public
def schema(request: HttpRequest) -> HttpResponseBase:
    """Give the schema of the manifest."""
    return _answer(
        request,
        lambda made: (made.schema, made.schema_hash),
        "application/schema+json",
        lambda made: {"X-Service-Schema-Hash": made.schema_hash},
        exact=True,
    )


@public
def preview(request: HttpRequest) -> HttpResponseBase:
    """Give the first verdict pages of the manifest."""
    return _answer(
        request,
        lambda made: (made.preview, f"preview-{made.content_hash}"),
        "application/json",
        lambda made: {"Link": f'<{address("/aeo-manifest.json")}>; rel="collection"'},
    )


def _answer(
    request: HttpRequest,
    part: Callable[[Manifest], tuple[bytes, str]],
    content_type: str,
    headers: Callable[[Manifest], dict[str, str]],
    *,
    exact: bool = False,
) -> HttpResponseBase:
    edition = editions.current(timezone.now())
    try:
        made = manifest.current(edition)
    except NothingIndexed:
        return not_ready(request)
    body, digest = part(made)
    version = of_body(edition, digest, exact=exact)
    response = conditional(request, version, lambda: HttpResponse(body, content_type=content_type))
    for name, value in headers(made).items():
        response[name] = value
    return response
