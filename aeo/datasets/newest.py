"""Answers that follow from the kept datasets alone: they hold until a newer release has files.

Called by the other views.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from aeo.datasets import kept
from aeo.datasets.models import DatasetRelease
from aeo.web import caching
from aeo.web.caching import Keeping, not_ready


def of_newest(request: HttpRequest, make: Callable[[DatasetRelease], HttpResponseBase]) -> HttpResponseBase:
    """Answer with what `make` makes of the newest release with files, or with 304 to who holds that."""
    newest = kept.newest()
    if newest is None:
        return not_ready(request)
    etag = caching.tag(
        newest.release_sha256, caching.code_digest(), settings.SITE_URL, request.get_full_path()
    )
    keeping = Keeping(None, int(newest.published.timestamp()))
    return caching.unless_tagged(request, etag, keeping, lambda: make(newest), (f"release-{newest.pk}",))
