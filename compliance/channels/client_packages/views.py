"""GET /developers/clients: the page that lists the packages, their hashes as a file, and the packages."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from aeo.web.caching import code_digest, tag
from compliance.channels.client_packages.packages import offered, sums

MAX_AGE_SECONDS = 300


def _page_etag(request: HttpRequest) -> str:
    """Return the tag of the page, of all that it is made from."""
    return tag(code_digest(), settings.SITE_URL, sums())


@require_safe
@cache_control(public=True, max_age=MAX_AGE_SECONDS)
@condition(etag_func=_page_etag)
def index(request: HttpRequest) -> HttpResponse:
    """Return the page. Its links end with the hashes, so pip takes it as `--find-links` and checks them."""
    python, javascript, kit, *_ = offered().values()
    return render(
        request,
        "client_packages.html",
        {
            "site": settings.SITE_URL,
            "files": offered().values(),
            "python": python,
            "javascript": javascript,
            "kit": kit,
        },
    )


@require_safe
@cache_control(public=True, max_age=MAX_AGE_SECONDS)
@condition(etag_func=lambda _: tag(sums()))
def hashes(request: HttpRequest) -> HttpResponse:
    """Return the hashes of all files."""
    return HttpResponse(sums(), content_type="text/plain; charset=utf-8")


def _etag(request: HttpRequest, name: str) -> str | None:
    found = offered().get(name)
    return None if found is None else f'"{found.sha256}"'


@require_safe
@cache_control(public=True, max_age=MAX_AGE_SECONDS)
@condition(etag_func=_etag)
def file(request: HttpRequest, name: str) -> HttpResponse:
    """Return a file. It may change with the version of the service, so no cache keeps it for long."""
    found = offered().get(name)
    if found is None:
        raise Http404
    response = HttpResponse(found.content, content_type=found.media_type)
    if found.media_type != "application/json":
        response["Content-Disposition"] = f'attachment; filename="{found.name}"'
    return response
