"""GET /developers: the quick start, with the addresses of this installation in its code."""

import functools
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from compliance.api.verdicts.batch_request import MAX_BATCH_BYTES, OF_FLIGHTS

SNIPPETS = Path(__file__).parent / "snippets"

WRITTEN_FOR = "http://127.0.0.1:8000"
"""The address in the files."""


@require_safe
def developers(request: HttpRequest) -> HttpResponse:
    """Return the page."""
    return render(
        request,
        "developers.html",
        {
            "site": settings.SITE_URL,
            "snippets": snippets(settings.SITE_URL),
            "most_questions": f"{OF_FLIGHTS.questions:,}",
            "most_megabytes": MAX_BATCH_BYTES // 2**20,
        },
    )


@functools.lru_cache(maxsize=4)
def snippets(site: str) -> dict[str, str]:
    """Return all code of the page by file name, with the address of a site."""
    return {file.stem: file.read_text().strip().replace(WRITTEN_FOR, site) for file in SNIPPETS.glob("*.txt")}
