"""/aeo-manifest.json, its schema and its preview: ready bytes, and the hash that tells of changes."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.discovery import manifest
from aeo.discovery.manifest import Manifest, NothingIndexed
from aeo.web.addresses import address
from aeo.web.caching import not_ready, public
from aeo.web.documents import ready


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
    )


@public
def schema(request: HttpRequest) -> HttpResponseBase:
    """Give the schema of the manifest."""
    return _answer(
        request,
        lambda made: (made.schema, made.schema_hash),
        "application/schema+json",
        lambda made: {"X-Service-Schema-Hash": made.schema_hash},
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
) -> HttpResponseBase:
    edition = editions.current(timezone.now())
    try:
        made = manifest.current(edition)
    except NothingIndexed:
        return not_ready(request)
    body, tag = part(made)
    return ready(request, edition, body, tag=tag, content_type=content_type, headers=headers(made))
