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
from typing import Any, NamedTuple

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
from rules.corpus import CorpusUnavailable
from rules.verdicts import Answer, TripAnswer

MAX_AGE_SECONDS = 300

STALE_WHILE_REVALIDATE_SECONDS = 3600

STALE_IF_ERROR_SECONDS = 3600
"""So long after its age a cache may give an answer again where we answer nothing."""

LONGEST_SECONDS = MAX_AGE_SECONDS + max(STALE_IF_ERROR_SECONDS, STALE_WHILE_REVALIDATE_SECONDS)

RETRY_SECONDS = 5

SHOWN_BY = ("aeo", "templates", "rules/wording", "compliance/channels/embed", "compliance/static", "locale")
"""The folders whose files decide how a release reads."""

View = Callable[..., HttpResponseBase]


class Keeping(NamedTuple):
    """How long an answer may be cached that is the same for everyone: `compliance.middleware.page_cache`.

    `ends_at` is the end of its edition, none where it has no end; `changed` is since when it is so, in
    seconds. `revalidate` lets a cache give it while it fetches another one.
    """

    ends_at: datetime.datetime | None
    changed: int | None = None
    revalidate: bool = False


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
    request: HttpRequest,
    edition: Edition,
    parts: tuple[object, ...],
    make: Callable[[], HttpResponseBase],
    about: tuple[str, ...] = (),
) -> HttpResponseBase:
    """Answer with what `make` makes, or with 304 where the reader holds it already; then nothing is made.

    `parts` are what else the answer depends on, beside the edition, the address and this code; `about` is
    what it is about, by the keys under which caches may be told to drop it.
    """
    etag = tag(
        edition.release.sha256, edition.opened_at, code_digest(), settings.SITE_URL, request.path, *parts
    )
    keeping = Keeping(edition.ends_at, int(edition.changed_at.timestamp()))
    return unless_tagged(request, etag, keeping, make, (release_key(edition), *about))


def unless_tagged(
    request: HttpRequest,
    etag: str,
    keeping: Keeping,
    make: Callable[[], HttpResponseBase],
    about: tuple[str, ...],
) -> HttpResponseBase:
    """Answer with what `make` makes, or with 304 where the reader holds what has this entity tag."""
    held = get_conditional_response(request, etag=etag, last_modified=keeping.changed)
    response: HttpResponseBase = held or make()
    response["ETag"] = etag
    if keeping.changed is not None:
        response["Last-Modified"] = http_date(keeping.changed)
    return keep(response, keeping, about)


def keep(response: HttpResponseBase, keeping: Keeping, about: tuple[str, ...]) -> HttpResponseBase:
    """Say on an answer how long it may be kept, and under which keys caches may be told to drop it."""
    response["Cache-Control"] = cache_control(keeping, timezone.now())
    # One name is understood by Fastly and Varnish, the other one by Cloudflare and others.
    response["Surrogate-Key"] = " ".join(about)
    response["Cache-Tag"] = ",".join(about)
    response.keeping = keeping  # type: ignore[attr-defined]
    return response


def release_key(edition: Edition) -> str:
    """Return the key of everything that is made from the release of an edition."""
    return f"release-{edition.release.ruleset_version}"


def cache_control(keeping: Keeping, now: datetime.datetime) -> str:
    """Return how long a copy may be kept: never beyond the edition, so never beyond its `expires_at`."""
    left = LONGEST_SECONDS
    if keeping.ends_at is not None:
        left = min(left, max(0, int((keeping.ends_at - now).total_seconds())))
    fresh = min(MAX_AGE_SECONDS, left)
    stale = ""
    if keeping.revalidate:
        stale = f", stale-while-revalidate={min(STALE_WHILE_REVALIDATE_SECONDS, left - fresh)}"
    return f"public, max-age={fresh}{stale}, stale-if-error={min(STALE_IF_ERROR_SECONDS, left - fresh)}"


def tag(*parts: object) -> str:
    """Return a strong entity tag of some parts."""
    return f'"{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"'


@functools.cache
def code_digest() -> str:
    """Return a digest of the files that decide how a release reads."""
    digest = hashlib.sha256()
    for folder in SHOWN_BY:
        files = sorted((Path(settings.BASE_DIR) / folder).rglob("*.*"))
        if not files:
            raise FileNotFoundError(folder)
        for path in files:
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.read_bytes())
    return digest.hexdigest()
