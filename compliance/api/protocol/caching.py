"""How long an answer to a GET may be cached, and how a caller checks it again (RFC 9110, section 13).

The content of a list depends only on the release, the contract of this code, the address, the day (rules
start and end), how much the caller may see and, for a few lists, on a state that changes without a release.
So its entity tag is known, and a 304 is sent, before any lookup. Conditions that do not name that tag are
judged after the work, because the address may not exist. Called by `views`.
"""

import datetime
import functools
import hashlib
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.http import http_date, parse_etags, parse_http_date_safe

from compliance.api.protocol.callers import Caller
from rules.corpus import Published

CONTRACT = Path(settings.BASE_DIR) / "docs" / "contract" / "openapi.yaml"

MAX_AGE_SECONDS = 60
STALE_WHILE_REVALIDATE_SECONDS = 600

VARY = "Accept, Accept-Encoding, Authorization, X-Service-Key, Cookie, origin"
"""What an answer may depend on apart from its address.

The key and the sign-in decide how much is shown. The origin, under the name that
`compliance.middleware.response_headers` uses for it, decides which pages may read it.
"""

VARY_OF_SIGNED = VARY.replace(", origin", ", Prefer, Accept-Signature, origin")
"""The same of an operation whose answers have a receipt when the request asks for one."""


@dataclass(frozen=True)
class ExtraState:
    """The state of data that changes without a release, for the few answers that show some of it.

    `order` names what lists are made of: a cursor is valid as long as it does not change. `shown` names all
    other shown data, and `moved_at` is the time of the last change.
    """

    order: str = ""
    shown: str = ""
    moved_at: datetime.datetime | None = None


UNMOVED = ExtraState()
"""The state of answers that depend only on the release."""


@dataclass(frozen=True)
class Stamp:
    """The state that an answer shows: its strong entity tag, and the time since when it is valid."""

    etag: str
    last_modified: int

    def is_current(self, request: HttpRequest) -> bool:
        """Say, before any work, whether the caller names the tag of this exact answer."""
        # Most callers send back exactly the tag that they received.
        if request.META.get("HTTP_IF_NONE_MATCH") == self.etag:
            return True
        # Proxies that compress mark a tag as weak; for reading that is the same state.
        return self.etag in {tag.removeprefix("W/") for tag in _tags(request)}

    def is_old(self, request: HttpRequest) -> bool:
        """Say whether the caller already has an existing answer: by `*`, or by a date alone."""
        if "HTTP_IF_NONE_MATCH" in request.META:
            return "*" in _tags(request)
        since = parse_http_date_safe(request.META.get("HTTP_IF_MODIFIED_SINCE", ""))
        return since is not None and self.last_modified <= since

    def put_on(self, response: HttpResponse, caller: Caller) -> HttpResponse:
        """Put on an answer, or on a 304, how long and by whom it may be cached; return it."""
        kept_by = "public" if caller.kind == "anonymous" else "private"
        response.headers["Cache-Control"] = (
            f"{kept_by}, max-age={MAX_AGE_SECONDS}, stale-while-revalidate={STALE_WHILE_REVALIDATE_SECONDS}"
        )
        response.headers["ETag"] = self.etag
        response.headers["Last-Modified"] = _date(self.last_modified)
        return response


def stamp(
    request: HttpRequest,
    published: Published,
    caller: Caller,
    now: datetime.datetime,
    extra_state: ExtraState = UNMOVED,
) -> Stamp:
    """Return the stamp of any request by a release today, and by the state that changes without a release."""
    midnight = now.astimezone(datetime.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    parts = (
        published.sha256,
        contract_digest(),
        request.path,
        request.META.get("QUERY_STRING", ""),
        midnight.date().isoformat(),
        "everything" if caller.sees_everything else "preview",
        extra_state.order,
        extra_state.shown,
    )
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    since = max(published.published_at, midnight, extra_state.moved_at or midnight)
    return Stamp(f'"{digest[:32]}"', int(since.timestamp()))


def not_modified() -> HttpResponse:
    """Return a 304: it has no body, and so no content type."""
    response = HttpResponse(status=HTTPStatus.NOT_MODIFIED)
    del response["Content-Type"]
    return response


@functools.cache
def contract_digest() -> str:
    """Return the SHA-256 of the published contract: other code may show the same release differently."""
    return hashlib.sha256(CONTRACT.read_bytes()).hexdigest() if CONTRACT.exists() else ""


# A release and a day have one, or a few.
@functools.lru_cache(maxsize=64)
def _date(seconds: int) -> str:
    return http_date(seconds)


def _tags(request: HttpRequest) -> list[str]:
    return parse_etags(request.META.get("HTTP_IF_NONE_MATCH", ""))
