"""Who asks: anybody, a partner with a key, or a member of staff who is signed in.

A caller sets limits, allowed origins, support terms and how deep two of the lists go. The verdict never
depends on one. Whoever sends a key is that partner or is refused, and never anonymous.

`views` asks who calls once for each request, by `identify`; everybody else asks `caller_of`. A key is read
from the request, looked up and forgotten: no variable, error or log of ours holds it longer.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import Literal

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest
from django.utils import timezone

from compliance.api.protocol.errors import ApiError
from compliance.partners.register import KnownKey, partner_for
from compliance.signin.session_state import standing

CallerKind = Literal["anonymous", "partner", "staff"]


@dataclass(frozen=True)
class Caller:
    """Who asks. Everybody who is not `anonymous` sees policies and their changes in full.

    `name` tells callers of a kind apart: the public id of the key, the number of the member of staff, and
    nothing for anybody. `key` is what was agreed with a partner.
    """

    kind: CallerKind
    name: str = ""
    key: KnownKey | None = None

    @property
    def sees_everything(self) -> bool:
        """Tell whether active rules, change history and source watch are shown."""
        return self.kind != "anonymous"


ANONYMOUS = Caller("anonymous")

_KEY = "compliance.caller"


def identify(request: HttpRequest) -> Caller:
    """Find out who sent a request, and return it. Raises `ApiError` for a wrong key."""
    caller = _partner(request) or _staff(request) or ANONYMOUS
    request.META[_KEY] = caller
    return caller


def caller_of(request: HttpRequest) -> Caller:
    """Return who sent a request. Whoever sent a wrong key is refused, and counted as anybody."""
    caller: Caller = request.META.get(_KEY, ANONYMOUS)
    return caller


def check_origin(request: HttpRequest, caller: Caller) -> None:
    """Let the pages of a partner's own origins use the key, and programs, which send no origin.

    Raises `ApiError` for any other page.
    """
    key, origin = caller.key, request.META.get("HTTP_ORIGIN")
    if key is None or origin is None or origin in key.allowed_origins:
        return
    # Our own pages. Not by scheme: behind a proxy that speaks TLS it is not known here.
    if origin.partition("://")[2] != request.get_host():
        raise ApiError("ORIGIN_NOT_ALLOWED")


def partner_headers(caller: Caller) -> dict[str, str]:
    """Return the headers that all answers to a caller carry: where a partner's support terms are."""
    if caller.key is None:
        return {}
    return {"Link": f'<{caller.key.terms_url}>; rel="terms-of-service"'}


def _partner(request: HttpRequest) -> Caller | None:
    """Recognize a key in `x-service-key` or `Authorization: Bearer`, or the same key in both.

    Returns none where no key was sent. Raises `ApiError` for a wrong one.
    """
    if "HTTP_X_SERVICE_KEY" not in request.META and "HTTP_AUTHORIZATION" not in request.META:
        return None
    # No name of a frame is given to it: reports of errors show what frames hold.
    known = partner_for(_sent_key(request), timezone.now())
    if known is None:
        raise ApiError("INVALID_KEY")
    return Caller("partner", known.public_id, known)


def _staff(request: HttpRequest) -> Caller | None:
    """Recognize a member of staff who is signed in to the admin by the same browser, second factor and all.

    Nothing is looked up for a request without the session's cookie. Only reads look: a verdict is the same
    for all.
    """
    if request.method not in {"GET", "HEAD"} or "HTTP_COOKIE" not in request.META:
        return None
    cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if cookie is None:
        return None
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(cookie)
    user = get_user(request)
    if not (user.is_active and user.is_staff and standing(request.session, user) == "complete"):
        return None
    return Caller("staff", str(user.pk))


def _sent_key(request: HttpRequest) -> str:
    """Return the key in the headers; an empty text, which is none, where they hold two or something else."""
    found = set()
    if (sent := request.META.get("HTTP_X_SERVICE_KEY")) is not None:
        found.add(sent.strip())
    if (sent := request.META.get("HTTP_AUTHORIZATION")) is not None:
        scheme, _, credentials = sent.strip().partition(" ")
        found.add(credentials.strip() if scheme.lower() == "bearer" else "")
    return found.pop() if len(found) == 1 else ""
