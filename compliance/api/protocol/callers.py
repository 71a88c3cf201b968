"""The caller: anonymous, a partner with a key, or a signed-in member of staff.

The caller decides limits, allowed origins, support terms and the depth of two of the lists. The verdict never
depends on the caller. A request with a key is from that partner or is refused; it is never anonymous.

`views` identifies the caller once for each request, by `identify`; all other code uses `caller_of`. A key is
read from the request, looked up and forgotten: no variable, error or log of ours keeps it longer.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import Literal

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest
from django.utils import timezone

from compliance.api.protocol.errors import ApiError
from compliance.operations.accounting import READS
from compliance.partners.register import KnownKey, partner_for
from compliance.signin.session_state import sign_in_state

CallerKind = Literal["anonymous", "partner", "staff"]


@dataclass(frozen=True)
class Caller:
    """The caller. All callers that are not `anonymous` see policies and their changes in full.

    `name` distinguishes callers of one kind: the public id of the key, the number of the member of staff, and
    empty for anonymous callers. `key` has the terms that were agreed with a partner.
    """

    kind: CallerKind
    name: str = ""
    key: KnownKey | None = None

    @property
    def sees_everything(self) -> bool:
        """Whether active rules, change history and source watch are shown."""
        return self.kind != "anonymous"


ANONYMOUS = Caller("anonymous")

_KEY = "compliance.caller"


def identify(request: HttpRequest) -> Caller:
    """Identify the sender of a request and return it. Raises `ApiError` for a wrong key."""
    caller = _partner(request) or _staff(request) or ANONYMOUS
    request.META[_KEY] = caller
    return caller


def caller_of(request: HttpRequest) -> Caller:
    """Return the sender of a request. A sender with a wrong key is refused, and counted as anonymous."""
    caller: Caller = request.META.get(_KEY, ANONYMOUS)
    return caller


def check_origin(request: HttpRequest, caller: Caller) -> None:
    """Let pages of a partner's own origins use the key, and also programs, which send no origin.

    Raises `ApiError` for any other page.
    """
    key, origin = caller.key, request.META.get("HTTP_ORIGIN")
    if key is None or origin is None or origin in key.allowed_origins:
        return
    if not is_own_page(request, origin):
        raise ApiError("ORIGIN_NOT_ALLOWED")


def is_own_page(request: HttpRequest, origin: str) -> bool:
    """Return whether an `Origin` is the address of this service: as it was asked, or as its pages name it."""
    return origin in (f"{request.scheme}://{request.get_host()}", settings.SITE_URL)


def is_of_another_site(request: HttpRequest) -> bool:
    """Return whether a browser says that a page of another site sent a request.

    Programs send neither header, and no page can change them. `null` is the origin of a page that hides its
    own, also of ours where no address may be passed on; the other header then says which it is.
    """
    site = request.META.get("HTTP_SEC_FETCH_SITE")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = request.META.get("HTTP_ORIGIN")
    return origin is not None and not is_own_page(request, origin)


def partner_headers(caller: Caller) -> dict[str, str]:
    """Return the headers of all answers to a caller: the address of a partner's support terms."""
    if caller.key is None:
        return {}
    return {"Link": f'<{caller.key.terms_url}>; rel="terms-of-service"'}


def _partner(request: HttpRequest) -> Caller | None:
    """Recognize a key in `x-service-key` or `Authorization: Bearer`, or the same key in both.

    Returns none if no key was sent. Raises `ApiError` for a wrong one.
    """
    if "HTTP_X_SERVICE_KEY" not in request.META and "HTTP_AUTHORIZATION" not in request.META:
        return None
    # The key gets no local name: error reports show the variables of a frame.
    known = partner_for(_sent_key(request), timezone.now())
    if known is None:
        raise ApiError("INVALID_KEY")
    return Caller("partner", known.public_id, known)


def _staff(request: HttpRequest) -> Caller | None:
    """Recognize a member of staff who is signed in to the admin by the same browser, with second factor.

    A request without the session's cookie causes no lookup. Only reads look: a verdict is the same for all.
    """
    if request.method not in READS or "HTTP_COOKIE" not in request.META:
        return None
    cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if cookie is None:
        return None
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(cookie)
    user = get_user(request)
    if not (user.is_active and user.is_staff and sign_in_state(request.session, user) == "complete"):
        return None
    return Caller("staff", str(user.pk))


def _sent_key(request: HttpRequest) -> str:
    """Return the key in the headers, or an empty text, which is no key: for two keys or another form."""
    found = set()
    if (sent := request.META.get("HTTP_X_SERVICE_KEY")) is not None:
        found.add(sent.strip())
    if (sent := request.META.get("HTTP_AUTHORIZATION")) is not None:
        scheme, _, credentials = sent.strip().partition(" ")
        found.add(credentials.strip() if scheme.lower() == "bearer" else "")
    return found.pop() if len(found) == 1 else ""
