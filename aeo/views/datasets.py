"""/aeo-datasets.json: which datasets there are."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.datasets import overview
from aeo.http import address, public
from aeo.views.ready import ready


@public
def describe(request: HttpRequest) -> HttpResponseBase:
    """Describe the datasets."""
    edition = editions.current(timezone.now())
    made = overview.current(edition)
    return ready(
        request,
        edition,
        made.body,
        tag=made.content_hash,
        content_type="application/json",
        headers={
            "X-Service-Content-Hash": made.content_hash,
            "Link": f'<{address("/aeo-manifest.json")}>; rel="related"',
        },
    )
