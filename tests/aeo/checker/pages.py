"""Pages of the checker as a reader without a script gets them."""

import html

from django.test import Client


def page(path: str) -> str:
    """Return a page, wherever its address leads, as it is written."""
    answer = Client(headers={"accept": "text/html"}).get(path, follow=True)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())
