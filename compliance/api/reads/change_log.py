"""A change of a policy in the API's form, and counts of changes. Called by the views that show either."""

import datetime

import msgspec

from compliance.api.protocol.views import Reading
from rules.engine.corpus import Citation
from rules.policy_history import log as policy_log
from rules.policy_history import recorded_changes
from rules.policy_history.comparison import PolicyChangeWord
from rules.policy_history.log import ChangeKind, LogEntry, PolicyLog
from rules.policy_history.recorded_changes import AirlineChange, ChangeStatus
from rules.policy_history.selectors import History, HistoryEntry
from rules.policy_history.wording import change_sentence
from rules.selectors import evidence
from rules.wording.translating import SOURCE_LANGUAGE


class StatusCountsBody(msgspec.Struct):
    """How many changes have taken effect by today (UTC), and how many will take effect later."""

    in_effect: int
    upcoming: int


class KindCountsBody(msgspec.Struct):
    """How many changes editors recorded, and how many changes releases made.

    `release` is null while the history of releases cannot be read. The other counts then do not include it.
    """

    recorded: int
    release: int | None


class ChangeCountsBody(msgspec.Struct):
    """Counts of changes: by status, by kind, by airline and by authority.

    `by_airline` has only airlines with changes, by code. `by_authority` has the jurisdictions in which a
    release changed an authority's rules.
    """

    by_status: StatusCountsBody
    by_kind: KindCountsBody
    by_airline: dict[str, int]
    by_authority: dict[str, int]


class AirlineChangeCountsBody(msgspec.Struct):
    """How many changes an airline's policy has, by status and by kind."""

    by_status: StatusCountsBody
    by_kind: KindCountsBody


class ChangeBody(msgspec.Struct, kw_only=True):
    """A change of a policy.

    - `kind` is `recorded` or `release`. An editor wrote a `recorded` change; its `date` is the day on which
      the policy changed. A `release` change is what a release added, changed or removed; its `date` is the
      day (UTC) on which the release was published. One event can be listed as both.
    - `airline` is null for a rule of an authority. `jurisdiction` is the authority's, or the country where
      the airline is based.
    - `status` is `upcoming` before the day of a recorded change, or before the first day of a rule.
    - `what` describes the change in English. For a rule it says what the rule says now and what it said
      before.
    - Only `release` changes have `change`, `fields` and `ruleset_version`. `fields` names the fields that
      changed in a record that existed before. `rule_ids` is empty if the record of the airline changed.
    - `back_to` is the earlier version to which this release went back, null if it did not go back.
    - `citations` are the sources, as they were read at that time. `citation` is the first one, null if no
      source was read.
    """

    date: datetime.date
    airline: str | None
    jurisdiction: str
    kind: ChangeKind
    status: ChangeStatus
    change: PolicyChangeWord | None = None
    what: str
    rule_ids: list[str] = []
    fields: list[str] = []
    ruleset_version: str | None = None
    back_to: str | None = None
    citation: Citation | None
    citations: tuple[Citation, ...]


class HistoryBody(msgspec.Struct):
    """How far the history of releases reaches.

    The history begins with the content of the first release, `begins_with`, which is not counted as a change.
    `until` is the newest release that was compared with the one before it. For some seconds after a
    publication it can be an older release. Both are null if nothing was compared yet.
    """

    begins_with: str | None
    begins_on: datetime.date | None
    until: str | None


def counts(log: PolicyLog, today: datetime.date) -> ChangeCountsBody:
    """Return counts of changes."""
    return ChangeCountsBody(
        StatusCountsBody(**log.by_status(today)),
        KindCountsBody(log.recorded, log.by_releases),
        log.by_airline(),
        log.by_authority(),
    )


def airline_counts(log: PolicyLog, today: datetime.date) -> AirlineChangeCountsBody:
    """Return counts of the changes of one airline."""
    counted = counts(log, today)
    return AirlineChangeCountsBody(counted.by_status, counted.by_kind)


def reach(history: History | None) -> HistoryBody:
    """Return how far a history reaches."""
    if history is None or history.beginning is None:
        return HistoryBody(None, None, None)
    return HistoryBody(history.beginning.ruleset_version, history.beginning.date, history.until)


def change_body(one: LogEntry, reading: Reading) -> ChangeBody:
    """Return a change in the API's form."""
    return _of_release(one, reading) if isinstance(one, HistoryEntry) else _recorded(one, reading)


def _recorded(one: AirlineChange, reading: Reading) -> ChangeBody:
    cited = evidence.citations(reading.published, [one.change.source])
    return ChangeBody(
        date=one.change.date,
        airline=one.airline,
        jurisdiction=reading.published.shelf.airlines[one.airline].country,
        kind="recorded",
        status=recorded_changes.change_status(one.change, reading.today),
        what=one.change.what,
        citation=next(iter(cited), None),
        citations=cited,
    )


def _of_release(one: HistoryEntry, reading: Reading) -> ChangeBody:
    return ChangeBody(
        date=one.date,
        airline=one.airline,
        jurisdiction=one.jurisdiction,
        kind="release",
        status=policy_log.status(one, reading.today),
        change=one.change,
        what=change_sentence(one, SOURCE_LANGUAGE),
        rule_ids=[one.record_id] if one.subject == "rule" else [],
        fields=[field.field for field in one.fields],
        ruleset_version=one.ruleset_version,
        back_to=one.back_to,
        citation=next(iter(one.citations), None),
        citations=one.citations,
    )
