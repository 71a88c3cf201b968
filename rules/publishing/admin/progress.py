"""The progress of a request to publish: a page that renews itself, also without scripts, until it ends."""

import datetime
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from rules.publishing.models import PublishRequest, RequestKind, RequestState
from rules.publishing.presence import publishers
from rules.releases.models import HeldBack

RENEWED_SECONDS = 1

PATIENCE = datetime.timedelta(seconds=5)
"""A publisher that runs looks for requests twice a second."""


def wait_for(asked: PublishRequest) -> HttpResponse:
    """Lead to the page of a request."""
    return HttpResponseRedirect(reverse("admin:rules_release_request", args=[asked.pk]))


def renewing(page: HttpResponse) -> HttpResponse:
    """Let a browser ask for the page again soon."""
    page.headers["Refresh"] = str(RENEWED_SECONDS)
    return page


def progress_of(asked: PublishRequest) -> dict[str, Any]:
    """Return what the page of a waiting request shows."""
    waits_long = timezone.now() - asked.created_at > PATIENCE
    earlier = PublishRequest.objects.filter(state=RequestState.WAITING, pk__lt=asked.pk).count()
    return {
        "title": "Roll back" if asked.kind == RequestKind.ROLL_BACK else "Publish",
        "asked": asked,
        "earlier": earlier,
        "no_publisher": waits_long and publishers() == 0,
    }


def said_of(asked: PublishRequest) -> str:
    """Return what became of a request, in a sentence or two."""
    if asked.state == RequestState.REFUSED:
        return f"Nothing was published: {asked.refusal}."
    match asked.kind:
        case RequestKind.ALONE:
            return f"Release {asked.release} is published. It waits for the approval of another person."
        case RequestKind.ROLL_BACK:
            return (
                f"Release {asked.release} is now current. It has the content of release {asked.back_to}."
                + _held(HeldBack.objects.filter(since=asked.release_id).count())
            )
    return f"Release {asked.release} is published."


def _held(count: int) -> str:
    if not count:
        return ""
    counted = "1 record of the catalog is" if count == 1 else f"{count} records of the catalog are"
    return f" {counted} held back. The publishing page lists them."
