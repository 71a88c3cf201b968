"""Accepts probes by address: a load balancer knows an address, and none of the names in ALLOWED_HOSTS."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

PROBED = {"/healthz", "/readyz", "/metrics"}
"""These answers do not depend on the host name of the request."""


class Probes:
    """Treats a probe as a request for the first of our names. All other requests must name a host of ours."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        if request.path_info in PROBED and settings.ALLOWED_HOSTS:
            request.META["HTTP_HOST"] = settings.ALLOWED_HOSTS[0].lstrip(".")
        return self.get_response(request)
