"""What all addresses of the public face share: conditions, caching, and what happens without a release.

What is at an address depends on the release, the edition, this code and, for some, the page records. All of
that is known before anything is evaluated, and so is the entity tag. Called by the views.
"""

import datetime
import functools
import hashlib
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseFailure
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from django.views.decorators.http import require_safe

from aeo.editions import Edition
from aeo.languages import alternates, localized
from aeo.sitemaps import Place
from rules.corpus import CorpusUnavailable
from rules.verdicts import Answer, TripAnswer

MAX_AGE_SECONDS = 300

RETRY_SECONDS = 5

SHOWN_BY = ("aeo", "templates", "rules/wording", "compliance/static", "locale")
"""The folders whose files decide how a release reads."""

View = Callable[..., HttpResponseBase]


def address(path: str) -> str:
    """Return the full address of a path of this site; that of a page is in the active language."""
    return f"{settings.SITE_URL}{localized(path)}"


def place(path: str, changed: datetime.datetime | None = None) -> Place:
    """Return a page as sitemaps list it: in every language, with the instant at which it last changed."""
    languages = [(one.tag, f"{settings.SITE_URL}{one.path}") for one in alternates(path)]
    return Place(f"{settings.SITE_URL}{path}", changed, languages)


def site_address() -> str:
    """Return the full address of this site, the same in every language: who speaks has one."""
    return f"{settings.SITE_URL}/"


def public(view: View) -> View:
    """Let a view answer GET and HEAD, and answer for it where no release can be read."""

    @require_safe
    @functools.wraps(view)
    def answer(request: HttpRequest, *args: Any, **path: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **path)
        except (CorpusUnavailable, DatabaseFailure):
            return not_ready(request)

    return answer


def not_ready(request: HttpRequest) -> HttpResponse:
    """Answer that there is nothing to answer from yet."""
    response = render(request, "pages/unavailable.html", status=HTTPStatus.SERVICE_UNAVAILABLE)
    response["Retry-After"] = str(RETRY_SECONDS)
    response["Cache-Control"] = "no-store"
    return response


def shows(answer: Answer | TripAnswer, response: HttpResponse) -> HttpResponse:
    """Say of a page that it gives a verdict under its id, so that whoever sends it can record that."""
    response.given = answer  # type: ignore[attr-defined]
    return response


def unless_held(
    request: HttpRequest, edition: Edition, parts: tuple[object, ...], make: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """Answer with what `make` makes, or with 304 where the reader holds it already; then nothing is made.

    `parts` are what else the answer depends on, beside the edition, the address and this code.
    """
    etag = tag(
        edition.release.sha256, edition.opened_at, code_digest(), settings.SITE_URL, request.path, *parts
    )
    return unless_tagged(request, etag, edition.changed_at, max_age_seconds(edition), make)


def unless_tagged(
    request: HttpRequest,
    etag: str,
    changed_at: datetime.datetime,
    max_age: int,
    make: Callable[[], HttpResponseBase],
) -> HttpResponseBase:
    """Answer with what `make` makes, or with 304 where the reader holds what has this entity tag.

    `max_age` is in seconds.
    """
    changed = int(changed_at.timestamp())
    response: HttpResponseBase = get_conditional_response(request, etag=etag, last_modified=changed) or make()
    response["ETag"] = etag
    response["Last-Modified"] = http_date(changed)
    response["Cache-Control"] = f"public, max-age={max_age}"
    return response


def tag(*parts: object) -> str:
    """Return a strong entity tag of some parts."""
    return f'"{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"'


def max_age_seconds(edition: Edition) -> int:
    """Return how long an answer may be kept: never beyond the edition, so never beyond its `expires_at`."""
    return min(MAX_AGE_SECONDS, edition.seconds_left(timezone.now()))


@functools.cache
def code_digest() -> str:
    """Return a digest of the files that decide how a release reads."""
    digest = hashlib.sha256()
    for folder in SHOWN_BY:
        for path in sorted((Path(settings.BASE_DIR) / folder).rglob("*.*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.read_bytes())
    return digest.hexdigest()
