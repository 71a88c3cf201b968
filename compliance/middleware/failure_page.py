"""What is answered where a view failed and nobody foresaw it; `compliance.urls` names it to Django.

While the database is away, whoever needs it, such as the desk, gets the documented 503 and not a 500. What is
no page becomes a problem in `compliance.middleware.request_envelope`.
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
