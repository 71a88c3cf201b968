"""Documents that are served as ready bytes under the hash of their content. Called by the other views."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response

from aeo.editions import Edition
from aeo.http import max_age_seconds
from aeo.schema import STALE_WHILE_REVALIDATE_SECONDS


def ready(
    request: HttpRequest,
    edition: Edition,
    body: bytes,
    *,
    tag: str,
    content_type: str,
    headers: dict[str, str],
) -> HttpResponseBase:
    """Answer with bytes, or with 304 to whoever names their tag; both with the same headers."""
    response: HttpResponseBase = get_conditional_response(request, etag=f'"{tag}"') or HttpResponse(
        body, content_type=content_type
    )
    for name, value in headers.items():
        response[name] = value
    response["ETag"] = f'"{tag}"'
    response["Cache-Control"] = _cache_control(edition)
    return response


def _cache_control(edition: Edition) -> str:
    """Return how long a copy may be kept, and used while a new one is fetched: never beyond the edition."""
    fresh, left = max_age_seconds(edition), edition.seconds_left(timezone.now())
    stale = min(STALE_WHILE_REVALIDATE_SECONDS, left - fresh)
    return f"public, max-age={fresh}, stale-while-revalidate={stale}"
