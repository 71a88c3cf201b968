"""GET /api/policy-changes: changes of airlines' policies, and the pages that are watched for the next one.

Every caller sees counts; partners and signed-in staff see the changes, the watched pages and the review
queue.
"""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from compliance.api.protocol import parameters
from compliance.api.protocol.caching import ExtraState
from compliance.api.protocol.callers import Caller
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.paging import CURSOR, LIMIT, page
from compliance.api.protocol.views import Reading, ReadView
from compliance.api.reads.change_log import (
    ChangeBody,
    ChangeCountsBody,
    HistoryBody,
    change_body,
    counts,
    reach,
)
from compliance.api.reads.evidence import AIRLINE, airline_asked, check_jurisdiction
from compliance.api.reads.policy_state import policy_state, policy_state_of, with_watch
from compliance.api.reads.source_watch import (
    ReviewSignalBody,
    SourceWatchBody,
    WatchBody,
    queue,
    source_watch_body,
    watch_body,
)
from rules.corpus import Published
from rules.engine.document import JURISDICTION_CODE
from rules.policy_history.log import PolicyLog
from rules.policy_history.selectors import Narrowed
from rules.selectors import watched_sources

CHANGED_IN = parameters.coded(
    "jurisdiction",
    "Only changes of rules of this place's authorities and of airlines that are based there: an ISO 3166-1 "
    "country code, a region such as `EU`, or `INTL`. It filters only the changes and their counts.",
    JURISDICTION_CODE,
    "Send the two to four upper-case letters of a jurisdiction, such as `JP`, `EU` or `INTL`.",
    example="JP",
)
SINCE = parameters.date(
    "since", "Only changes of this day or later. It filters only the changes and their counts."
)


class PolicyChangesBody(msgspec.Struct, kw_only=True):
    """The answer of GET /api/policy-changes.

    `total_changes` and `counts` include both kinds of changes. With `depth` `counts`, all fields after
    `watch` are absent. With `full`, they have one page of each list: `total_changes`, `source_watch_total`
    and `review_queue_total` count all pages, and `next_cursor` is null on the last page of the longest list.
    """

    ruleset_version: str
    depth: Literal["counts", "full"]
    total_changes: int
    counts: ChangeCountsBody
    history: HistoryBody
    watch: WatchBody
    changes: list[ChangeBody] | UnsetType = UNSET
    source_watch: list[SourceWatchBody] | UnsetType = UNSET
    source_watch_total: int | UnsetType = UNSET
    review_queue: list[ReviewSignalBody] | UnsetType = UNSET
    review_queue_total: int | UnsetType = UNSET
    next_cursor: str | UnsetType | None = UNSET


class PolicyChangesView(ReadView):
    """Changes of policies, watched sources, and the editors' review queue."""

    operation = Operation(
        operation_id="listPolicyChanges",
        tag="Airlines",
        summary="Follow changes of airlines' policies",
        description=(
            "Anonymous callers get counts (`depth` is `counts`). A partner key or a signed-in member of "
            "staff gets `depth` `full` with three lists:\n\n"
            "- `changes`: changes that editors recorded and changes by releases, newest first, each with "
            "its citations;\n"
            "- `source_watch`: the sources of rules and policies, by id, with their age, a `fingerprint` of "
            "the rules that depend on them, and the last known state of their `page`;\n"
            "- `review_queue`: what editors should check today. First come events on watched pages: "
            "`quote_gone` (words that support a rule are no longer there), `text_changed` (the text "
            "changed) and `dead_link` (the page did not answer on three days). Then come signals from the "
            "release: `rule_expires_soon` and `rule_starts_soon` (within 30 days), `evidence_stale` (all "
            "sources of a rule in force were read longer ago than their cadences allow), "
            "`policy_unverified` (no page of an airline's policy was read).\n\n"
            "`airline` filters everything by one airline: its own rules and its sources. Rules of "
            "authorities belong to no airline: for a route, filter by `jurisdiction`. `jurisdiction` and "
            "`since` filter only the changes. `limit` and `cursor` page the three lists together: each page "
            "has up to `limit` records of each list, and a list that has ended is empty on later pages. "
            "Counts are never paged.\n\n"
            "The state of the watch changes without a release, and is at most a few seconds old. It is null "
            "while it cannot be read; the rest of the answer is then still given."
        ),
        answer=PolicyChangesBody,
        query=(AIRLINE, CHANGED_IN, SINCE, LIMIT, CURSOR),
        errors=("AIRLINE_NOT_COVERED",),
    )

    def extra_state(self, published: Published, caller: Caller, **path: str) -> ExtraState:
        """Return the state of the history and of the watch."""
        return with_watch(policy_state(published), in_full=caller.sees_everything)

    def answer(self, reading: Reading, **path: str) -> PolicyChangesBody:
        """Return counts, and the lists for callers who may see them. Raises `ApiError`."""
        query, published, today = reading.query, reading.published, reading.today
        airline = airline_asked(published, query)
        check_jurisdiction(published, query[CHANGED_IN])
        history = policy_state_of(reading).history
        log = PolicyLog(published, history, Narrowed(airline, query[CHANGED_IN], query[SINCE]))
        watched = watched_sources.watched(published, airline=airline)
        body = PolicyChangesBody(
            ruleset_version=published.ruleset_version,
            depth="counts",
            total_changes=len(log),
            counts=counts(log, today),
            history=reach(history),
            watch=watch_body(reading, watched, airline),
        )
        # For every caller: an invalid cursor is refused.
        sources = page(watched, reading)
        if not reading.caller.sees_everything:
            return body
        changes = page(log, reading)
        signals = page(queue(reading, watched, airline), reading)
        return msgspec.structs.replace(
            body,
            depth="full",
            changes=[change_body(one, reading) for one in changes.items],
            source_watch=[source_watch_body(source, reading) for source in sources.items],
            source_watch_total=sources.total,
            review_queue=list(signals.items),
            review_queue_total=signals.total,
            # The lists start together, so each continues at the same place.
            next_cursor=changes.next_cursor or sources.next_cursor or signals.next_cursor,
        )
