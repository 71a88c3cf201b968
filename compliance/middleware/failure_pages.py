"""The answers where no view answered, or one failed; `compliance.urls` names them to Django.

They are Django's own, without its search for a CSRF token: these pages have no form, and the search reads
the body, which may be what made the request fail. While the database is away, requests that need it, such as
those of the desk, get the documented 503 and not a 500. `compliance.middleware.request_envelope` turns
answers for programs into problems.
"""

import sys
from collections.abc import Callable
from inspect import unwrap

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.views import defaults

from aeo.web.caching import not_ready

bad_request: Callable[..., HttpResponse] = unwrap(defaults.bad_request)
permission_denied: Callable[..., HttpResponse] = unwrap(defaults.permission_denied)
page_not_found: Callable[..., HttpResponse] = unwrap(defaults.page_not_found)
_server_error: Callable[..., HttpResponse] = unwrap(defaults.server_error)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page for the failure that is being handled."""
    if isinstance(sys.exception(), OperationalError | InterfaceError):
        return not_ready(request)
    return _server_error(request)
