"""The report on the rows: what the analysis finds in them, and what publishing would change.

Analyzing all rows takes a second with a thousand rules and minutes with tens of thousands. So it is a job,
which caches its result with the time of it, and with a `stamp` that shows whether it is still valid. Reads
only the rows. Called by `rules.analysis.tasks` and by `rules.analysis.selectors`.
"""

import datetime
import functools
import logging
import zlib
from collections import Counter
from collections.abc import Iterable

import msgspec
from django.core.cache import cache
from django.db import connection, models
from redis.exceptions import RedisError

from catalog.editorial.workflow import AGREED
from catalog.models import (
    Airline,
    AirlinePolicy,
    AirlinePolicyEvidence,
    Brand,
    Certificate,
    Certification,
    Country,
    Device,
    DeviceEvidence,
    Jurisdiction,
    Membership,
    PolicyChange,
    Source,
)
from catalog.tables.history import events_of
from rules.analysis.checks import Finding, findings
from rules.case_editing.models import VerdictCase
from rules.case_editing.results import Results, keep
from rules.cases import CaseError, outcome
from rules.engine.document import Content, problems
from rules.next_release import REVISED, compile_content
from rules.publishing.authors import authors_of
from rules.publishing.candidate import candidate
from rules.publishing.models import AcceptedCase
from rules.releases.comparison import RecordChange, compare
from rules.releases.models import Release

logger = logging.getLogger(__name__)

KEY = "rules:outlook"

MOST_CHANGES = 1_000
"""How many changed records are kept with their differences; the rest is counted."""

IN_PLACE = (
    Airline,
    AirlinePolicy,
    AirlinePolicyEvidence,
    Brand,
    Certificate,
    Certification,
    Country,
    Device,
    DeviceEvidence,
    Jurisdiction,
    Membership,
    PolicyChange,
    Source,
)
"""Records that editors change in place and a release takes as they are."""


class Place(msgspec.Struct, frozen=True):
    """Where a finding belongs: its airline, and its country or region."""

    airline: str | None = None
    jurisdiction: str | None = None


class FailingCase(msgspec.Struct, frozen=True):
    """A verdict case that fails in the rows and blocks publishing: no two reviewers accepted it so.

    `already`: it fails in the current release in the same way, so it blocks only a release that makes any
    answer less strict. `first_reviewer` is who accepted it, if a second reviewer is missing.
    """

    name: str
    already: bool
    first_reviewer: int | None


class DraftReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of analyzing the rows, at an instant.

    `problems` is what a release must not contain; if there are any, nothing was analyzed or compared.
    `places` has one entry for each finding. `counts` says, by kind of record, how many a release published
    now would add, change and remove in the `release` that was current; `changes` are the first of them.
    `failing` are the cases that block it, and `authors` wrote what it would newly contain, so they accept
    none of them. `unreadable` says why no case could be run, and `cases` how each was answered.
    """

    stamp: str
    as_of: datetime.datetime
    release: str | None
    problems: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    places: tuple[Place, ...] = ()
    counts: dict[str, dict[str, int]] = {}
    changes: tuple[RecordChange, ...] = ()
    failing: tuple[FailingCase, ...] = ()
    authors: frozenset[int] = frozenset()
    unreadable: str = ""
    cases: Results | None = None


def refresh(now: datetime.datetime) -> DraftReport:
    """Analyze all rows, and cache the result."""
    # The stamp is taken before anything is read, so that later changes cause a new analysis.
    report = draft_report(stamp(now.date()), now)
    if report.cases is not None:
        keep(report.cases)
    cache.set(KEY, zlib.compress(msgspec.json.encode(report), 1), timeout=None)
    return report


def draft_report(stamped: str, now: datetime.datetime) -> DraftReport:
    """Return the report on the rows as they are."""
    content = compile_content()
    release = Release.objects.current()
    report = DraftReport(
        stamp=stamped, as_of=now, release=None if release is None else release.ruleset_version
    )
    if wrong := problems(content):
        return msgspec.structs.replace(report, problems=tuple(f"{one.where}: {one.reason}" for one in wrong))
    found = tuple(findings(content, today=now.date()))
    before = Content() if release is None else release.read().content
    changes = compare(before, content)
    report = _with_cases(report, release, content, changes=bool(changes))
    return msgspec.structs.replace(
        report,
        findings=found,
        places=tuple(_places(found, content)),
        counts=_counted(changes),
        changes=tuple(changes[:MOST_CHANGES]),
    )


def stamp(today: datetime.date) -> str:
    """Return a value that changes with everything that a report depends on. One query.

    It consists of the last event number in the history of rows that change in place, of verdict cases and of
    accepted ones, the set of approved revisions, the current release, and the day. Two writers can get their
    numbers in one order and commit in the other, so a change can hide behind a later one: no report is
    trusted for long.
    """
    parts = [f"(SELECT max(pgh_id) FROM {_table(events_of(model).model)})" for model in IN_PLACE]
    agreed = ", ".join(f"'{state.value}'" for state in AGREED)
    parts += [
        f"(SELECT md5(string_agg(id::text, ',' ORDER BY id)) FROM {_table(model)} WHERE state IN ({agreed}))"
        for model in REVISED.values()
    ]
    parts += [
        f"(SELECT max(pgh_id) FROM {_table(events_of(model).model)})" for model in (AcceptedCase, VerdictCase)
    ]
    parts.append(f"(SELECT max(sequence) FROM {_table(Release)})")
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(parts)}")
        row = cursor.fetchone()
    return ":".join(map(str, (today, *row)))


@functools.lru_cache(maxsize=1)
def _decoded(kept: bytes) -> DraftReport:
    """Return a report; the last one stays, because decoding tens of thousands of findings takes long."""
    return msgspec.json.decode(zlib.decompress(kept), type=DraftReport)


def cached() -> DraftReport | None:
    """Return the last report; None if there is none, or if it cannot be read."""
    try:
        kept = cache.get(KEY)
        return None if kept is None else _decoded(kept)
    except RedisError as error:
        logger.warning("The last analysis report cannot be read: %s", error)
    except (zlib.error, msgspec.DecodeError):
        logger.info("The last analysis report is from another version of this program.")
    return None


def _with_cases(
    report: DraftReport, release: Release | None, content: Content, *, changes: bool
) -> DraftReport:
    """Add how the cases are answered; and, if anything changes, those that block it and who wrote it."""
    authors = authors_of(release, content)
    try:
        found = candidate(None, content, authors)
    except CaseError as error:
        return msgspec.structs.replace(report, authors=authors, unreadable=str(error) if changes else "")
    failing = tuple(
        FailingCase(
            one.judged.case.name,
            one.already,
            one.accepted.created_by_id if one.accepted and not one.own_work else None,
        )
        for one in found.unaccepted
    )
    cases = Results(
        as_of=report.as_of,
        failing={
            one.judged.case.name: "; ".join(
                f"expected {what}, got {got}" for what, got in outcome(one.judged)
            )
            for one in found.failing
        },
        accepted=frozenset(one.judged.case.name for one in found.failing if not one.blocks_publishing),
    )
    report = msgspec.structs.replace(report, authors=authors, cases=cases)
    return msgspec.structs.replace(report, failing=failing) if changes else report


def _places(found: Iterable[Finding], content: Content) -> Iterable[Place]:
    rules = {rule.rule_id: Place(rule.airline, rule.jurisdiction) for rule in content.rules}
    airlines = {airline.airline: Place(airline.airline, airline.country) for airline in content.airlines}
    for one in found:
        if one.subject_kind == "jurisdiction":
            yield Place(None, one.subject)
        else:
            yield (rules if one.subject_kind == "rule" else airlines)[one.subject]


def _counted(changes: Iterable[RecordChange]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for change in changes:
        counts.setdefault(change.kind, Counter())[change.change] += 1
    return {kind: dict(count) for kind, count in counts.items()}


def _table(model: type[models.Model]) -> str:
    return f'"{model._meta.db_table}"'
