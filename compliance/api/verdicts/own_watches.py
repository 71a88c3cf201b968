"""The watches of a partner: listed and ended with its key.

Some keys are in web pages, where anyone can read them. With a key of a partner that has web origins, watches
are therefore not listed: they say who travels when. A watch is ended by its id, which only its maker and the
webhooks of the partner know.
"""

import datetime
import re
from typing import Annotated

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from msgspec import Meta

from compliance.api.protocol.bodies import json_response
from compliance.api.protocol.callers import caller_of
from compliance.api.protocol.errors import ApiError
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.parameters import coded, read_query, whole_number
from compliance.api.protocol.views import ServiceView
from compliance.api.verdicts.stamps import RulesetVersion
from compliance.partners.register import KnownKey
from compliance.trip_watch.actions import end_watch_of
from compliance.trip_watch.reading import ListedWatch, watches_of
from rules import corpus
from rules.engine.vocabulary import Verdict

WATCH_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

LIMIT = whole_number("limit", "The maximum number of watches on one page.", 1, 200, 50)
CURSOR = coded(
    "cursor",
    "Where to continue: `next_cursor` of the page before.",
    WATCH_ID,
    "Send `next_cursor` of the page before, or leave it out.",
    example="00000000-0000-4000-8000-000000000002",
)
ID = coded(
    "watch_id",
    "The id of the watch, as POST /api/watches gave it.",
    WATCH_ID,
    "Send the id of a watch.",
    example="00000000-0000-4000-8000-000000000001",
)


class WatchRowBody(msgspec.Struct):
    """A watch of a partner. It has no secret address: that was given once."""

    watch_id: str
    made_at: datetime.datetime
    ends_at: datetime.datetime
    model_ids: Annotated[
        list[str], Meta(description="The models in the question; an item by its label has none.")
    ]
    travel_date: Annotated[datetime.date, Meta(description="The first day of travel.")]
    verdict: Annotated[
        Verdict | None,
        Meta(
            description=(
                "The last verdict. Null until the current ruleset has judged the watch today. It clears "
                "nothing: ask for a verdict before anyone relies on it."
            )
        ),
    ]
    since: Annotated[datetime.datetime, Meta(description="When the present state of the watch began.")]
    ruleset_version: Annotated[RulesetVersion, Meta(description="The ruleset that brought this state.")]


class WatchListBody(msgspec.Struct):
    """The answer of GET /api/watches, in the order of the ids."""

    total: Annotated[int, Meta(description="How many watches the partner has.")]
    next_cursor: Annotated[str | None, Meta(description="Null on the last page.")]
    watches: list[WatchRowBody]


class WatchEndedBody(msgspec.Struct):
    """The answer of DELETE /api/watches/{watch_id}."""

    watch_id: Annotated[str, Meta(description="The watch that was ended. All its data is deleted.")]


LISTING = Operation(
    operation_id="listWatches",
    tag="Verdicts",
    summary="List the watches of a partner",
    description=(
        "Lists the watches that were made with any key of the partner, and are not over. It needs a partner "
        "key (401 without one). A partner with web origins gets 403: its keys are in web pages, where anyone "
        "can read them."
    ),
    answer=WatchListBody,
    query=(LIMIT, CURSOR),
    errors=("FORBIDDEN",),
)

OPEN_KEY = "Keys of this partner may be in web pages, where anyone can read them. Its watches are not listed."


def listed(request: HttpRequest) -> HttpResponse:
    """Answer GET /api/watches. Raises `ApiError`."""
    key = own_key(request)
    if key.allowed_origins:
        raise ApiError("FORBIDDEN", OPEN_KEY)
    query, release, now = read_query(request, LISTING.query), corpus.current(), timezone.now()
    found = watches_of(key.partner, now=now, after=query[CURSOR], most=query[LIMIT] + 1)
    shown = found.watches[: query[LIMIT]]
    more = len(found.watches) > len(shown)
    today = now.astimezone(datetime.UTC).date()
    rows = [_row(one, one.watch.is_judged_by(release.sha256, today)) for one in shown]
    return json_response(WatchListBody(found.total, rows[-1].watch_id if more else None, rows))


def own_key(request: HttpRequest) -> KnownKey:
    """Return the key of a request. Raises `ApiError` without one."""
    key = caller_of(request).key
    if key is None:
        raise ApiError("INVALID_KEY", "Only partners have watches of their own. Send the partner key.")
    return key


def _row(listed: ListedWatch, is_judged: bool) -> WatchRowBody:
    watch = listed.watch
    return WatchRowBody(
        watch_id=str(watch.watch_id),
        made_at=watch.made,
        ends_at=watch.ends,
        model_ids=listed.model_ids,
        travel_date=listed.travel_date,
        verdict=listed.verdict if is_judged else None,
        since=listed.since,
        ruleset_version=listed.ruleset_version,
    )


class WatchView(ServiceView):
    """One watch of a partner."""

    operation = Operation(
        operation_id="endWatch",
        tag="Verdicts",
        summary="End a watch of a partner",
        description=(
            "Ends a watch that was made with any key of the partner, and deletes all its data. It needs a "
            "partner key (401 without one). For the id of no watch, of a watch that is over and of another "
            "partner's the answer is 404."
        ),
        path=(ID,),
        answer=WatchEndedBody,
        errors=("NOT_FOUND",),
    )
    http_method_names = ["delete", "options"]

    def delete(self, request: HttpRequest, watch_id: str) -> HttpResponse:
        """End the watch."""
        key = own_key(request)
        if not (WATCH_ID.fullmatch(watch_id) and end_watch_of(key.partner, watch_id)):
            raise ApiError("NOT_FOUND", "The partner of this key has no such watch.")
        return json_response(WatchEndedBody(watch_id))
