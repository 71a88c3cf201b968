"""Middleware that only the pages of people who sign in need: sessions, sign-in and their protection.

These are the pages of the admin (ADMIN_PATH) and those of partners (`/partners`). For the API these classes
would cost more than a verdict, and for all other pages they would make an answer depend on a cookie. So each
class is Django's own or django-csp's, or ours if neither has it, and ignores every other request. The
settings list them.
"""

import logging
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, cast

import pghistory
from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.contrib import messages
from django.contrib.admin.exceptions import DisallowedModelAdminToField
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import TO_FIELD_VAR
from django.contrib.admin.views.main import ERROR_FLAG
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseForbidden, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode

from catalog.bulk.files import MAX_BYTES
from catalog.screens.ids import as_key
from compliance.operations.accounting import ADMIN_PREFIX, is_for_partners, is_for_the_signed_in
from compliance.signin.kept import kept_page
from compliance.signin.places import DESK, place_of
from compliance.signin.sender import is_from_another, is_taken
from compliance.signin.session_state import SignInState, note_use, sign_in_state

logger = logging.getLogger(__name__)

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
    """Keeps the fields of a form whose sender is signed out, or another person now (`signin.kept`)."""

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Answer such a POST: signing in would lose the fields, and no one does what another one wrote."""
        if not request.path_info.startswith(ADMIN_PREFIX) or request.method != "POST":
            return None
        if not (request.user.is_active and request.user.is_staff):
            return kept_page(request, "You are signed out")
        if not is_from_another(request) or is_taken(request) or request.path_info in _of_anyone():
            return None
        return kept_page(request, "Another person is signed in now") or HttpResponse(
            "Another person is signed in now. Nothing was done.",
            status=HTTPStatus.CONFLICT,
            content_type="text/plain; charset=utf-8",
        )


def _of_anyone() -> Sequence[str]:
    """Return the addresses at which it does not matter whose page a form is from."""
    return [reverse(DESK.sign_in), reverse(DESK.sign_out)]


UNFIT = (ValueError, OverflowError, DataError)
"""What Django and the database raise for a value that cannot be looked up."""


class AdminLists(_OnlyForTheSignedIn):
    """Refuses what a list cannot look up, such as a year beyond the calendar, and rows that it cannot have.

    Django checks a filter before it asks the database. What only the question itself finds out, such as that
    a pattern is none, comes here. So the list is shown without filters, as for others that it does not have.
    """

    def process_view(self, request: HttpRequest, view: Any, *_: Any) -> HttpResponse | None:
        """Refuse a step for rows whose ids no row can have."""
        screen = _list_of(request, view)
        if screen is None or request.method != "POST":
            return None
        if all(as_key(screen.model, key) is not None for key in request.POST.getlist(ACTION_CHECKBOX_NAME)):
            return None
        messages.error(request, "Nothing was done: what was chosen is no row of this list.")
        return HttpResponseRedirect(request.path)

    def process_exception(self, request: HttpRequest, failure: Exception) -> HttpResponse | None:
        """Show a list without the filters at which it failed; without any it is our own failure."""
        match = request.resolver_match
        if match is None or _list_of(request, match.func) is None or request.method != "GET":
            return None
        if not isinstance(failure, UNFIT) or set(request.GET) <= {ERROR_FLAG}:
            return None
        logger.warning("A list was asked for what it cannot look up: %s", type(failure).__name__)
        messages.error(request, "This list cannot look that up. It is shown without filters.")
        return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")


def _list_of(request: HttpRequest, view: Any) -> Any:
    """Return the screen of a list; None for all other pages. The admin notes it on its views."""
    screen = getattr(view, "model_admin", None)
    if screen is None or not request.path_info.startswith(ADMIN_PREFIX):
        return None
    opts = screen.opts
    place = reverse(f"admin:{opts.app_label}_{opts.model_name}_changelist")
    return screen if request.path_info == place else None


LEADING_ON: dict[SignInState, tuple[str, ...]] = {
    "to set up": ("set-up",),
    "to verify": ("verify", "passkey", "recover"),
}
"""The pages that a session may reach before it has completed signing in. It is sent to the first."""


class AdminFraming(_OnlyForTheSignedIn, XFrameOptionsMiddleware):
    """Forbids other sites to show a page in a frame."""
