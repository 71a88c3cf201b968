"""Middleware that only the pages of people who sign in need: sessions, sign-in and their protection.

These are the pages of the admin (ADMIN_PATH) and those of partners (`/partners`). For the API these classes
would cost more than a verdict, and for all other pages they would make an answer depend on a cookie. So each
class is Django's own or django-csp's, or ours if neither has it, and ignores every other request. The
settings list them.
"""

from http import HTTPStatus
from typing import Any, cast

import pghistory
from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.contrib.admin.exceptions import DisallowedModelAdminToField
from django.contrib.admin.options import TO_FIELD_VAR
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseForbidden, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode

from catalog.bulk.files import MAX_BYTES
from compliance.operations.accounting import ADMIN_PREFIX, is_for_partners, is_for_the_signed_in
from compliance.signin.kept import kept_page
from compliance.signin.places import DESK, place_of
from compliance.signin.session_state import SignInState, note_use, sign_in_state

MOST_BYTES_OF_OTHERS = 64 * 1024
"""The size limit of a body before signing in, and of partners: a name, a password, a code, a list."""
MOST_BYTES_OF_STAFF = MAX_BYTES + 1024 * 1024
"""The size limit for staff: a file to import, and the other fields."""


def _needs_a_session(request: HttpRequest) -> bool:
    return is_for_the_signed_in(request.path_info)


class _OnlyForTheSignedIn(MiddlewareMixin):
    """Ignores requests for anything else."""

    def __call__(self, request: HttpRequest) -> Any:
        return super().__call__(request) if _needs_a_session(request) else self.get_response(request)


class AdminHeaders(_OnlyForTheSignedIn, CSPMiddleware):
    """The browser rules for a page of people who sign in: load only from here, cache nothing, no frames."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """Return the admin's own policy, or for partners the stricter one of the public pages."""
        if report_only:
            return PolicyParts()
        if is_for_partners(request.path_info):
            return PolicyParts(config=settings.PAGES_CONTENT_SECURITY_POLICY)
        return PolicyParts(config=settings.ADMIN_CONTENT_SECURITY_POLICY)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Add the headers."""
        response.headers["Cache-Control"] = "private, no-store"
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        return super().process_response(request, response)


class AdminSessions(_OnlyForTheSignedIn, SessionMiddleware):
    """Sessions."""


class AdminCsrf(_OnlyForTheSignedIn, CsrfViewMiddleware):
    """Protection from forged requests."""

    def process_view(
        self, request: HttpRequest, callback: Any, callback_args: Any, callback_kwargs: Any
    ) -> HttpResponseForbidden | None:
        """Refuse a forged request. Django calls this directly, whatever `__call__` did."""
        if not _needs_a_session(request):
            return None
        return super().process_view(request, callback, callback_args, callback_kwargs)


class AdminAuthentication(_OnlyForTheSignedIn, AuthenticationMiddleware):
    """The signed-in user."""


class AdminBodies(_OnlyForTheSignedIn):
    """A limit on the size of a body, by the sender's needs.

    The search for the CSRF token reads a whole form with its files, onto the disk if they are large, before
    any view checks the sender.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Refuse a body by its declared length; a body without one is not read at all."""
        most = MOST_BYTES_OF_STAFF if DESK.admits(request.user) else MOST_BYTES_OF_OTHERS
        try:
            length = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            length = 0
        if length <= most:
            return None
        return HttpResponse(
            f"This is too large: at most {most // 1024} KiB can be sent here.",
            status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            content_type="text/plain; charset=utf-8",
        )


class AdminText(_OnlyForTheSignedIn):
    """Refuses what no browser sends and these pages fail at.

    That is the character U+0000 in addresses and fields, which no database stores, and an empty name of the
    field that identifies a row. Files are checked where they are read.
    """

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Answer 404 for such an address, 400 for such a query or form."""
        if not _needs_a_session(request):
            return None
        if "\x00" in request.path_info:
            raise Http404
        fields = (request.GET, request.POST)
        if any("\x00" in text for sent in fields for name in sent for text in (name, *sent.getlist(name))):
            return HttpResponse(
                "This contains the character U+0000, which cannot be stored.",
                status=HTTPStatus.BAD_REQUEST,
                content_type="text/plain; charset=utf-8",
            )
        if any(sent.get(TO_FIELD_VAR) == "" for sent in fields):
            raise DisallowedModelAdminToField("The field that identifies a row has a name.")
        return None


class AdminHistory(_OnlyForTheSignedIn):
    """Puts the sender into the history of the changes of a request."""

    def __call__(self, request: HttpRequest) -> Any:
        """Give the events of this request their user."""
        if not _needs_a_session(request) or request.user.pk is None:
            return self.get_response(request)
        with pghistory.context(user=request.user.pk):
            return self.get_response(request)


class AdminMessages(_OnlyForTheSignedIn, MessageMiddleware):
    """One-time notices."""


class AdminSecondFactor(_OnlyForTheSignedIn):
    """Allows only the pages of signing in until a session has completed it (`signin.session_state`).

    A session of the desk is none on the pages of partners, and the other way round.
    """

    def process_request(self, request: HttpRequest) -> HttpResponseRedirect | None:
        """Send a session that is not complete to its next page, and end one that is over."""
        user, place = request.user, place_of(request)
        if not place.admits(user):
            request.user = AnonymousUser()
            return None
        came = sign_in_state(request.session, cast(User, user))
        if came == "over":
            request.session.flush()
            request.user = AnonymousUser()
            return None
        note_use(request.session)
        if came == "complete":
            return None
        pages = [place.page(name) for name in LEADING_ON[came]]
        if request.path_info in {*pages, reverse(place.sign_out), reverse(place.sign_in)}:
            return None
        heading_for = {"next": request.get_full_path()} if request.method == "GET" else {}
        return HttpResponseRedirect("?".join(filter(None, [pages[0], urlencode(heading_for)])))


class AdminKept(_OnlyForTheSignedIn):
    """Keeps the fields of a form whose sender is signed out, on the page that says so (`signin.kept`)."""

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Answer such a POST in place of the redirect to sign in, which would lose the fields."""
        if not request.path_info.startswith(ADMIN_PREFIX) or request.method != "POST":
            return None
        if request.user.is_active and request.user.is_staff:
            return None
        return kept_page(request, "You are signed out")


LEADING_ON: dict[SignInState, tuple[str, ...]] = {
    "to set up": ("set-up",),
    "to verify": ("verify", "passkey", "recover"),
}
"""The pages that a session may reach before it has completed signing in. It is sent to the first."""


class AdminFraming(_OnlyForTheSignedIn, XFrameOptionsMiddleware):
    """Forbids other sites to show a page in a frame."""
