"""GET /api/policy-changes: what changed in airlines' policies, and what is watched for the next change.

Everybody sees counts; partners and signed-in staff see the changes, the watched pages and the review queue.
"""

import datetime
from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from catalog.records import SourceBasis, SourceKind
from compliance.api import parameters
from compliance.api.caching import Beside
from compliance.api.callers import Caller
from compliance.api.change_log import (
    ChangeBody,
    ChangeCountsBody,
    HistoryBody,
    change_body,
    counts,
    reach,
)
from compliance.api.evidence import AIRLINE, airline_asked, check_jurisdiction
from compliance.api.operations import Operation
from compliance.api.paging import CURSOR, LIMIT, page
from compliance.api.policy_state import policy_state, policy_state_of
from compliance.api.views import Reading, ReadView
from rules.corpus import Published
from rules.engine.document import JURISDICTION_CODE
from rules.engine.facts import Source
from rules.selectors import policy_changes
from rules.selectors.policy_changes import Signal
from rules.selectors.policy_history import Narrowed
from rules.selectors.policy_log import PolicyLog
from rules.selectors.sources import uses

CHANGED_IN = parameters.coded(
    "jurisdiction",
    "Only changes of rules of this place's authorities, and of airlines that are based there: an ISO 3166-1 "
    "country code, a region such as `EU`, or `INTL`. It narrows the changes and their counts, nothing else.",
    JURISDICTION_CODE,
    "Send the two to four upper-case letters of a jurisdiction, such as `JP`, `EU` or `INTL`.",
    example="JP",
)
SINCE = parameters.date(
    "since", "Only changes of this day or later. It narrows the changes and their counts, nothing else."
)


class BasisCountsBody(msgspec.Struct):
    """How many sources are known in each way. Nobody read those of `general_knowledge`."""

    official_page_read: int
    secondary_read: int
    general_knowledge: int


class WatchBody(msgspec.Struct):
    """The sources on which rules and airlines' policies rest, in figures.

    `oldest_read_on` and `newest_read_on` leave out those that nobody read; null where that is all of them.
    """

    sources_watched: int
    by_basis: BasisCountsBody
    oldest_read_on: datetime.date | None
    newest_read_on: datetime.date | None


class SourceWatchBody(msgspec.Struct):
    """A source on which rules or airlines' policies rest.

    - `last_read` and `age_days` (whole days until today, UTC) are null where nobody read it.
    - `rule_ids` and `airlines` are what rests on it: rules of the release, in force or not, and airlines
      whose record or dated change names it.
    - `fingerprint` is SHA-256, in hex, over the canonical JSON (RFC 8785) of this source's record and of all
      rules that rest on it. Keep it and compare: it moves exactly when a release changes one of these, and
      not when the page was read again and found the same. It is not a hash of the page.
    """

    source_id: str
    kind: SourceKind
    authority: str
    url: str
    basis: SourceBasis
    last_read: datetime.date | None
    age_days: int | None
    rule_ids: list[str]
    airlines: list[str]
    fingerprint: str


class PolicyChangesBody(msgspec.Struct, kw_only=True):
    """The answer of GET /api/policy-changes.

    `total_changes` and `counts` are of both kinds of changes. With `depth` `counts`, what stands after
    `watch` is absent. With `full`, one page of each list follows: `total_changes`, `source_watch_total` and
    `review_queue_total` count all pages, and `next_cursor` is null on the last page of the longest list.
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
    review_queue: list[Signal] | UnsetType = UNSET
    review_queue_total: int | UnsetType = UNSET
    next_cursor: str | UnsetType | None = UNSET


class PolicyChangesView(ReadView):
    """Changes of policies, watched sources, and what editors should look at."""

    operation = Operation(
        operation_id="listPolicyChanges",
        tag="Airlines",
        summary="Follow changes of airlines' policies",
        description=(
            "Anonymous callers get counts (`depth` is `counts`). A partner key or a signed-in member of "
            "staff gets `depth` `full` with three lists:\n\n"
            "- `changes`: what editors recorded and what releases changed, newest first, each with its "
            "citations;\n"
            "- `source_watch`: the sources on which rules and policies rest, by id, with their age and a "
            "`fingerprint` of what rests on them;\n"
            "- `review_queue`: what editors should look at today: `rule_expires_soon` and `rule_starts_soon` "
            "(within 30 days), `evidence_stale` (all sources of a rule in force were read longer ago than "
            "their cadences allow), `policy_unverified` (no page of an airline's policy was read).\n\n"
            "`airline` narrows everything to one airline, its own rules and its sources. Rules of "
            "authorities belong to no airline: ask for those on a route by `jurisdiction`, which narrows the "
            "changes, as `since` does. `limit` and `cursor` walk the three lists together: each page holds "
            "up to `limit` records of each, and a list that has ended is empty on later pages. Counts are "
            "never paged."
        ),
        answer=PolicyChangesBody,
        query=(AIRLINE, CHANGED_IN, SINCE, LIMIT, CURSOR),
        errors=("AIRLINE_NOT_COVERED",),
    )

    def beside(self, published: Published, caller: Caller, **path: str) -> Beside:
        """Return the state of the history."""
        return policy_state(published)

    def answer(self, reading: Reading, **path: str) -> PolicyChangesBody:
        """Return counts, and the lists to who may see them. Raises `ApiError`."""
        query, published, today = reading.query, reading.published, reading.today
        airline = airline_asked(published, query)
        check_jurisdiction(published, query[CHANGED_IN])
        history = policy_state_of(reading).history
        log = PolicyLog(published, history, Narrowed(airline, query[CHANGED_IN], query[SINCE]))
        watched = policy_changes.watched(published, airline=airline)
        body = PolicyChangesBody(
            ruleset_version=published.ruleset_version,
            depth="counts",
            total_changes=len(log),
            counts=counts(log, today),
            history=reach(history),
            watch=_watch(watched),
        )
        # For anybody: a cursor that is none of ours is refused.
        sources = page(watched, reading)
        if not reading.caller.sees_everything:
            return body
        changes = page(log, reading)
        signals = page(policy_changes.review_queue(published, today, airline=airline), reading)
        return msgspec.structs.replace(
            body,
            depth="full",
            changes=[change_body(one, reading) for one in changes.items],
            source_watch=[_source_watch_body(source, reading) for source in sources.items],
            source_watch_total=sources.total,
            review_queue=list(signals.items),
            review_queue_total=signals.total,
            # The lists start together, so whichever goes on goes on at the same place.
            next_cursor=changes.next_cursor or sources.next_cursor or signals.next_cursor,
        )


def _watch(watched: Sequence[Source]) -> WatchBody:
    seen = policy_changes.monitoring(watched)
    return WatchBody(
        sources_watched=seen.sources_watched,
        by_basis=BasisCountsBody(**seen.by_basis),
        oldest_read_on=seen.oldest_read_on,
        newest_read_on=seen.newest_read_on,
    )


def _source_watch_body(source: Source, reading: Reading) -> SourceWatchBody:
    used = uses(reading.published)[source.id]
    last_read = source.read_on if source.citable else None
    return SourceWatchBody(
        source_id=source.id,
        kind=source.kind,
        authority=source.authority,
        url=source.url,
        basis=source.basis,
        last_read=last_read,
        age_days=None if last_read is None else (reading.today - last_read).days,
        rule_ids=used.rules,
        airlines=used.airlines,
        fingerprint=policy_changes.fingerprint(reading.published, source),
    )
