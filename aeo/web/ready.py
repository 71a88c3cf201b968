"""Documents that are served as ready bytes under the hash of their content. Called by the other views."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

from aeo.editions import Edition
from aeo.web.caching import Keeping, keep, release_key


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
    return keep(response, Keeping(edition.ends_at, revalidate=True), (release_key(edition),))
