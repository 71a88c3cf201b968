"""The desk in Chromium without a server: Django answers each request in the process of the test.

So a page shows the rows of the test's own transaction, and every kind of row can be there at once.
"""

from contextvars import copy_context
from urllib.parse import urlsplit

from django.test import Client
from playwright.sync_api import Page, Route

PLACE = "http://localhost"
"""Where the pages of the desk appear to be."""

OF_THE_CLIENT = {"content-length", "content-type", "cookie"}
"""Headers that the client sets itself."""


def serve_here(page: Page, client: Client) -> None:
    """Answer all requests of a page, as the user who is signed in with the client."""
    # Playwright calls the function in another context, which would have another connection to the database.
    here = copy_context()

    def answer(route: Route) -> None:
        asked = route.request
        address = urlsplit(asked.url)
        response = here.run(
            client.generic,
            asked.method,
            f"{address.path}?{address.query}",
            data=asked.post_data_buffer or b"",
            content_type=asked.headers.get("content-type", ""),
            headers={name: asked.headers[name] for name in {*asked.headers} - OF_THE_CLIENT}
            | {"host": address.netloc},
        )
        body = b"".join(response) if response.streaming else response.content
        response.close()
        route.fulfill(status=response.status_code, headers=dict(response.headers), body=body)

    page.route("**/*", answer)
