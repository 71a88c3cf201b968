"""The answer when a view failed unexpectedly; `compliance.urls` names it to Django.

While the database is away, requests that need it, such as those of the desk, get the documented 503 and not a
500. `compliance.middleware.request_envelope` turns answers for programs into problems.
"""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.views import defaults

from aeo.web.caching import not_ready


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page for the failure that is being handled."""
    if isinstance(sys.exception(), OperationalError | InterfaceError):
        return not_ready(request)
    return defaults.server_error(request)
