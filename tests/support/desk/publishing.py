"""What a person sees at the desk after a button that publishes: the publisher carries the request out."""

import re
import threading
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from rules.models import Release
from rules.publishing.actions.requests import carry_out_request
from rules.publishing.admin.alone_page import choices
from tests.support.roles import acting_as

PROGRESS = re.compile(r"/publish/requests/\d+/$")


def answered(client: Client, answer: Any) -> HttpResponse:
    """Return an answer; if it leads to the progress of a request, the one that its page gives at the end.

    The publisher works in this process, with the rights of its role.
    """
    found: HttpResponse = answer
    if found.status_code != 302 or not PROGRESS.search(found.headers["Location"]):
        return found
    address = found.headers["Location"]
    waiting = client.get(address)
    # Another thread may have carried it out already.
    if waiting.status_code == 200:
        assert waiting.headers["Refresh"] == "1"
    ended = _ended(client, address)
    while ended.status_code == 200:
        # Another thread carries it out at this moment.
        threading.Event().wait(0.05)
        ended = _ended(client, address)
    return ended


def _ended(client: Client, address: str) -> HttpResponse:
    """Carry out what waits, and return the page of a request."""
    with acting_as("publisher"):
        while carry_out_request(now=timezone.now()) is not None:
            pass
    page: HttpResponse = client.get(address)  # type: ignore[assignment]
    return page


def shown_alone() -> dict[str, Any]:
    """Return the hidden fields of the form with which one person publishes alone."""
    return {
        "base": str(Release.objects.current()),
        "said": [choice.said for revisions in choices().values() for choice in revisions.values()],
    }
