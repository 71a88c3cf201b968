"""What the admin's pages need around them and nothing else does: sessions, sign-in and their guards.

On the way to the API these would cost more than a verdict, and everywhere else they would make an answer
depend on a cookie. So each is Django's own or django-csp's, or our own where neither has it, and lets every
request outside the admin's path (ADMIN_PATH) pass by. The settings list them.
"""

from http import HTTPStatus
from typing import Any

import pghistory
from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode

from catalog.bulk.files import MAX_BYTES
from compliance.operations.accounting import ADMIN_PREFIX
from compliance.signin.session_state import Standing, note_use, standing

MOST_BYTES_OF_STRANGERS = 64 * 1024
"""What a body may have before somebody has signed in: a name, a password, a code."""
MOST_BYTES_OF_STAFF = MAX_BYTES + 1024 * 1024
"""What it may have of staff: a file to import, and the fields beside it."""


def _is_for_the_admin(request: HttpRequest) -> bool:
    return request.path_info.startswith(ADMIN_PREFIX)


class _OnlyForTheAdmin(MiddlewareMixin):
    """Lets requests for anything else pass by."""

    def __call__(self, request: HttpRequest) -> Any:
        return super().__call__(request) if _is_for_the_admin(request) else self.get_response(request)


class AdminHeaders(_OnlyForTheAdmin, CSPMiddleware):
    """What browsers may do with a page of the admin: load from here alone, keep nothing, frame it nowhere."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """Return the admin's own policy. That of other pages, if they have one, is stricter."""
        return PolicyParts() if report_only else PolicyParts(config=settings.ADMIN_CONTENT_SECURITY_POLICY)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Add the headers."""
        response.headers["Cache-Control"] = "private, no-store"
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        return super().process_response(request, response)


class AdminSessions(_OnlyForTheAdmin, SessionMiddleware):
    """Sessions."""


class AdminCsrf(_OnlyForTheAdmin, CsrfViewMiddleware):
    """Protection from forged requests."""

    def process_view(
        self, request: HttpRequest, callback: Any, callback_args: Any, callback_kwargs: Any
    ) -> HttpResponseForbidden | None:
        """Refuse a forged request. Django calls this by itself, whatever `__call__` did."""
        if not _is_for_the_admin(request):
            return None
        return super().process_view(request, callback, callback_args, callback_kwargs)


class AdminAuthentication(_OnlyForTheAdmin, AuthenticationMiddleware):
    """Who is signed in."""


class AdminBodies(_OnlyForTheAdmin):
    """No body that is larger than whoever sends it may need.

    Looking for the token that keeps forged requests out reads a whole form with its files, onto the disk if
    they are large, before any view asks who sends it.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Refuse a body by the length that it declares; one that declares none is not read at all."""
        most = MOST_BYTES_OF_STAFF if request.user.is_authenticated else MOST_BYTES_OF_STRANGERS
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


class AdminHistory(_OnlyForTheAdmin):
    """The history of what a request changes says who sent it."""

    def __call__(self, request: HttpRequest) -> Any:
        """Give the events of this request their user."""
        if not _is_for_the_admin(request) or request.user.pk is None:
            return self.get_response(request)
        with pghistory.context(user=request.user.pk):
            return self.get_response(request)


class AdminMessages(_OnlyForTheAdmin, MessageMiddleware):
    """One-time notices."""


class AdminSecondFactor(_OnlyForTheAdmin):
    """Nothing but the pages that lead on before a session has come all the way (`signin.session_state`)."""

    def process_request(self, request: HttpRequest) -> HttpResponseRedirect | None:
        """Send a session that has not come all the way to its next page, and end one that is over."""
        user = request.user
        if not (user.is_active and user.is_staff):
            # The admin itself lets nobody else in.
            return None
        came = standing(request.session, user)
        if came == "over":
            request.session.flush()
            request.user = AnonymousUser()
            return None
        note_use(request.session)
        if came == "complete":
            return None
        pages = [reverse(name) for name in LEADING_ON[came]]
        if request.path_info in {*pages, reverse("admin:logout"), reverse("admin:login")}:
            return None
        heading_for = {"next": request.get_full_path()} if request.method == "GET" else {}
        return HttpResponseRedirect("?".join(filter(None, [pages[0], urlencode(heading_for)])))


LEADING_ON: dict[Standing, tuple[str, ...]] = {
    "to set up": ("signin:set-up",),
    "to verify": ("signin:verify", "signin:recover"),
}
"""Which pages a session may reach that has not come all the way. It is sent to the first."""


class AdminFraming(_OnlyForTheAdmin, XFrameOptionsMiddleware):
    """No page of the admin inside a page of somebody else."""
