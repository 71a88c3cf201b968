"""What the admin's pages need around them and nothing else does: sessions, sign-in and their guards.

On the way to the API these would cost more than a verdict, and everywhere else they would make an answer
depend on a cookie. So each is Django's own, and lets every request outside `/admin/` pass by. The settings
list them.
"""

from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponseForbidden
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.deprecation import MiddlewareMixin

ADMIN_PREFIX = "/admin/"


def _is_for_the_admin(request: HttpRequest) -> bool:
    return request.path_info.startswith(ADMIN_PREFIX)


class _OnlyForTheAdmin(MiddlewareMixin):
    """Lets requests for anything else pass by."""

    def __call__(self, request: HttpRequest) -> Any:
        return super().__call__(request) if _is_for_the_admin(request) else self.get_response(request)


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


class AdminMessages(_OnlyForTheAdmin, MessageMiddleware):
    """One-time notices."""


class AdminFraming(_OnlyForTheAdmin, XFrameOptionsMiddleware):
    """No page of the admin inside a page of somebody else."""
