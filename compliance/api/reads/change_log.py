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
    """How many changes have taken effect by today (UTC), and how many are still to come."""

    in_effect: int
    upcoming: int


class KindCountsBody(msgspec.Struct):
    """How many changes editors recorded, and how many releases brought.

    `release` is null while the history of releases cannot be read; the other counts then leave it out.
    """

    recorded: int
    release: int | None


class ChangeCountsBody(msgspec.Struct):
    """How many changes there are: by status, by kind, and by whose they are.

    `by_airline` has the codes of the airlines that have any, `by_authority` the jurisdictions whose
    authorities' rules releases changed.
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

    - `kind` is `recorded` for a change that editors recorded, with the day on which the policy changed, and
      `release` for what a release added, changed or removed, with the day (UTC) on which it was published.
      One event can stand here as both.
    - `airline` is null for a rule of an authority; then `jurisdiction` tells whose. For an airline it is the
      country where the airline is based.
    - `status` is `upcoming` until the day of a recorded change, or the first day of a rule, has come.
    - `what` says it in English; a rule is told with what it says now and what it said before.
    - `change`, `fields` and `ruleset_version` are of a release. `fields` names what differs in a record that
      was there before; `rule_ids` is empty where the record of the airline changed.
    - `back_to` is the earlier version that this release went back to, null where it did not.
    - `citations` is the evidence, as it was read at that time, and `citation` the first of it; null where no
      page that says so was read.
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

    What the first release, `begins_with`, held is where it begins and no change. `until` is the newest
    release that is compared with the one before it: for seconds after a release it can be an older one. Both
    are null where nothing is compared yet.
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
