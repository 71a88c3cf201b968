"""Which pages of other sites may read an answer (CORS): django-cors-headers, only for requests from pages.

Programs send no origin, and most requests to the API come from programs. Named in the settings.
"""

import re
from typing import Any

from corsheaders.middleware import CorsMiddleware
from django.conf import settings
from django.http import HttpRequest
from django.utils.cache import patch_vary_headers


class CrossOrigin(CorsMiddleware):
    """Ignores requests for addresses without cross-origin access, and requests of programs."""

    def __init__(self, get_response: Any) -> None:
        super().__init__(get_response)
        self._for_all = re.compile(settings.CORS_URLS_REGEX)

    def __call__(self, request: HttpRequest) -> Any:
        """Answer a request, and say which pages may read the answer."""
        if not self._for_all.match(request.path_info):
            return self.get_response(request)
        if "HTTP_ORIGIN" in request.META or request.method == "OPTIONS":
            return super().__call__(request)
        response: Any = self.get_response(request)
        # Views of the API say so themselves.
        if not response.headers.get("Vary", "").endswith("origin"):
            patch_vary_headers(response, ("origin",))
        return response
