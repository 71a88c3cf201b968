"""What all addresses of the public site share: conditional requests, caching, and a missing release.

The content of an address depends on the release, the edition, this code and, for some, the page records. All
of these, and so the entity tag, are known before anything is computed. Called by the views.
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
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import http_date
from django.views.decorators.http import require_safe

from aeo.editions import Edition
from rules.corpus import CorpusUnavailable
from rules.verdicts import AnyAnswer

MAX_AGE_SECONDS = 300

STALE_WHILE_REVALIDATE_SECONDS = 3600

STALE_IF_ERROR_SECONDS = 3600
"""How long after its age a cache may repeat an answer if we do not answer."""

LONGEST_SECONDS = MAX_AGE_SECONDS + max(STALE_IF_ERROR_SECONDS, STALE_WHILE_REVALIDATE_SECONDS)

RETRY_SECONDS = 5

SHOWN_BY = ("aeo", "templates", "rules/wording", "compliance/channels/embed", "compliance/static", "locale")
"""The folders whose files decide the text of a release."""

View = Callable[..., HttpResponseBase]


class CacheLife(NamedTuple):
    """How long a cache may keep an answer that is the same for all: `compliance.middleware.page_cache`.

    `ends_at` is the end of its edition, None if it has no end. `changed` is the time of its last change, in
    seconds. `revalidate` lets a cache serve it while it fetches a new one. `exact`: its tag is a published
    hash, so it has one form only, and nothing on the way may compress it. `fresh` is for how many seconds a
    copy is used without asking.
    """

    ends_at: datetime.datetime | None
    changed: int | None = None
    revalidate: bool = False
    exact: bool = False
    fresh: int = MAX_AGE_SECONDS


class Version(NamedTuple):
    """The current version of an answer, so that a reader who has it gets 304.

    `about` is its subject, as the keys for purging caches. `vary` names the request headers that it depends
    on.
    """

    etag: str
    life: CacheLife
    about: tuple[str, ...] = ()
    vary: tuple[str, ...] = ()


def public(view: View) -> View:
    """Let a view answer GET and HEAD, and answer in its place if no release can be read."""

    @require_safe
    @functools.wraps(view)
    def answer(request: HttpRequest, *args: Any, **path: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **path)
        except (CorpusUnavailable, DatabaseFailure):
            return not_ready(request)

    return answer


def not_ready(request: HttpRequest) -> HttpResponse:
    """Answer that there is no release yet."""
    response = render(request, "pages/unavailable.html", status=HTTPStatus.SERVICE_UNAVAILABLE)
    response["Retry-After"] = str(RETRY_SECONDS)
    response["Cache-Control"] = "no-store"
    return response


def shows(answer: AnyAnswer, response: HttpResponse) -> HttpResponse:
    """Mark a page as showing a verdict with its id, so that the sender can record that."""
    response.given = answer  # type: ignore[attr-defined]
    return response


def of_edition(
    request: HttpRequest,
    edition: Edition,
    *parts: object,
    about: tuple[str, ...] = (),
    vary: tuple[str, ...] = (),
) -> Version:
    """Return the version of the content at a request's address, in an edition.

    `parts` are what the answer depends on in addition to the edition, the address and this code.
    """
    etag = tag(
        edition.release.sha256, edition.opened_at, code_digest(), settings.SITE_URL, request.path, *parts
    )
    life = CacheLife(edition.ends_at, int(edition.changed_at.timestamp()))
    return Version(etag, life, (release_key(edition), *about), vary)


def of_body(edition: Edition, digest: str, *, exact: bool = False) -> Version:
    """Return the version of a document of an edition, from the digest of its content."""
    life = CacheLife(edition.ends_at, revalidate=True, exact=exact)
    return Version(f'"{digest}"', life, (release_key(edition),))


def conditional(
    request: HttpRequest, version: Version, make: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """Answer with what `make` builds, or with 304 if the reader has this version; then nothing is built."""
    life = version.life
    cached = get_conditional_response(request, etag=version.etag, last_modified=life.changed)
    response: HttpResponseBase = cached or make()
    response["ETag"] = version.etag
    if life.changed is not None:
        response["Last-Modified"] = http_date(life.changed)
    response["Cache-Control"] = cache_control(life, timezone.now())
    # Fastly and Varnish understand one name, Cloudflare and others the other one.
    response["Surrogate-Key"] = " ".join(version.about)
    response["Cache-Tag"] = ",".join(version.about)
    if version.vary:
        patch_vary_headers(response, version.vary)
    response.keeping = life  # type: ignore[attr-defined]
    return response


def release_key(edition: Edition) -> str:
    """Return the key of everything that is built from the release of an edition."""
    return f"release-{edition.release.ruleset_version}"


def cache_control(life: CacheLife, now: datetime.datetime) -> str:
    """Return how long a copy may be kept: never beyond the edition, so never beyond its `expires_at`."""
    left = LONGEST_SECONDS
    if life.ends_at is not None:
        left = min(left, max(0, int((life.ends_at - now).total_seconds())))
    fresh = min(life.fresh, left)
    stale = ""
    if life.revalidate:
        stale = f", stale-while-revalidate={min(STALE_WHILE_REVALIDATE_SECONDS, left - fresh)}"
    exact = ", no-transform" if life.exact else ""
    on_error = min(STALE_IF_ERROR_SECONDS, left - fresh)
    return f"public, max-age={fresh}{stale}, stale-if-error={on_error}{exact}"


def tag(*parts: object) -> str:
    """Return a strong entity tag of some parts."""
    return f'"{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"'


@functools.cache
def code_digest() -> str:
    """Return a digest of the files that decide the text of a release."""
    digest = hashlib.sha256()
    for folder in SHOWN_BY:
        files = sorted((Path(settings.BASE_DIR) / folder).rglob("*.*"))
        if not files:
            raise FileNotFoundError(folder)
        for path in files:
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.read_bytes())
    return digest.hexdigest()
