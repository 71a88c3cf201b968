"""The middleware that serves a page in the language of its address.

`/ja/guides` is `/guides` with Japanese active: views see the address without the language. Other addresses
stay unchanged. Neither a cookie nor a header decides, so every address shows the same to all readers.
"""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from aeo.texts import speaking
from aeo.web.languages import is_page, split, tag


class PageLanguage:
    """Activates the language of a page's address, and names it in `Content-Language`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        if not is_page(request.path_info):
            return self.get_response(request)
        language, request.path_info = split(request.path_info)
        with speaking(language):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", tag(language))
        return response
