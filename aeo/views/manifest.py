"""/aeo-manifest.json, its schema and its preview: ready bytes, and the hash that tells of changes."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response

from aeo import editions, manifest
from aeo.editions import Edition
from aeo.http import address, max_age_seconds, not_ready, public
from aeo.manifest import Manifest, NothingIndexed
from aeo.schema import STALE_WHILE_REVALIDATE_SECONDS


@public
def show(request: HttpRequest) -> HttpResponseBase:
    """Give the manifest."""
    return _answer(
        request,
        lambda made: (made.body, made.content_hash),
        "application/json",
        lambda made: {
            "X-Service-Content-Hash": made.content_hash,
            "Link": f'<{address("/aeo-manifest.schema.json")}>; rel="describedby"',
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
    held = get_conditional_response(request, etag=f'"{tag}"')
    response = held or HttpResponse(body, content_type=content_type)
    for name, value in headers(made).items():
        response[name] = value
    response["ETag"] = f'"{tag}"'
    response["Cache-Control"] = _cache_control(edition)
    return response


def _cache_control(edition: Edition) -> str:
    """Return how long a copy may be kept, and used while a new one is fetched: never beyond the edition."""
    fresh, left = max_age_seconds(edition), edition.seconds_left(timezone.now())
    stale = min(STALE_WHILE_REVALIDATE_SECONDS, left - fresh)
    return f"public, max-age={fresh}, stale-while-revalidate={stale}"
