"""The action that rolls back: what an earlier release said becomes the next release of the ledger.

The ledger only grows, so going back means publishing the older content again, under a new version. The rows
follow, so that the next publishing does not bring back what was rolled back: what differs between the two
releases is restored, and nothing else is touched. Called by `manage.py release roll-back` and by the editors'
desk. `docs/decisions/0009-a-roll-back-restores-the-rows.md` says why.
"""

import datetime
import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import pghistory
import rfc8785
from django.contrib.auth.models import User
from django.db import transaction

from catalog.editorial.actions.roll_back import RollBack, restore_revisions
from catalog.editorial.audit.actions import log
from catalog.editorial.workflow import EditorAction
from catalog.errors import NotRecorded, Refused
from catalog.rolling_back import TABLES, restore_catalog
from catalog.tables.actions.accounts import program_account
from catalog.tables.actions.inserting import insert
from rules.cases import Case
from rules.engine.document import ID_FIELD, Content, UnreadableDocument, problems
from rules.impact.of_release import kept_details
from rules.next_release import REVISED
from rules.publishing import gate
from rules.publishing.actions.appending import append, next_version, open_approval, wait_for_the_ledger
from rules.publishing.authors import authors_of_earlier
from rules.publishing.candidate import candidate
from rules.publishing.models import RollBackRequest
from rules.publishing.refusals import (
    NoSuchRelease,
    NothingToRollBack,
    NotPublishable,
    NotRestorable,
    PublishedMeanwhile,
)
from rules.publishing.release_notes import typed_note
from rules.publishing.trusting import refuse_unsigned, trusted_statement
from rules.releases.comparison import RecordChange, compare, tally
from rules.releases.ledger import digest
from rules.releases.models import HeldBack, Release

PROGRAM = "roll-back"
"""The account that writes the withdrawals of a roll-back."""


def roll_back_release(
    *,
    by: User,
    to: str,
    reason: str,
    now: datetime.datetime,
    shown: str | None = None,
    cases: Iterable[Case] | None = None,
) -> Release:
    """Publish the content of an earlier release under a new version, and restore the rows to match it.

    It passes the gate: if it makes any answer less strict, another person has to have requested it. If not,
    one person is enough, and the release waits for a second approval.

    Args:
        by: Who rolls back.
        to: The version of the earlier release.
        reason: Why, in a sentence for readers of the ledger.
        now: The instant of publishing; its date in UTC makes the version.
        shown: The version that was current when the user decided this, if it must still be current.
        cases: The verdict cases to ask; by default those in force.

    Raises:
        ReleaseRefused: As `NoteMissing`, `NoSuchRelease`, `NothingToRollBack`, `PublishedMeanwhile`,
            `NotPublishable`, `NotRestorable`, `ClockBehindLedger`, `NotMeasured`, `ApprovalOverdue`,
            `SecondPersonMissing`, `KeyMissing` or `NotTrusted`. Nothing has changed then.
        rules.cases.CaseError: No case is in force, or one cannot be read.

    """
    reason = typed_note(reason, reason=True)
    with transaction.atomic(), pghistory.context(rolled_back_to=to, reason=reason):
        wait_for_the_ledger(one_snapshot=False)
        current, earlier = _releases(to)
        trusted_statement(current)
        if shown is not None and current.ruleset_version != shown:
            raise PublishedMeanwhile(current)
        if earlier.content_sha256 == current.content_sha256:
            raise NothingToRollBack(to, current)
        live, content = _content(current), _content(earlier)
        if found := problems(content):
            raise NotPublishable(found)
        changes = compare(live, content)
        asked = candidate(cases, content, authors_of_earlier(earlier, content, changes))
        request, result = gate.pass_back(asked, current, earlier, by=by, now=now)
        version = next_version(current, now)
        # As plain JSON: decoding it as our types and encoding it again could add fields that are newer than
        # it.
        document = json.loads(earlier.document)
        text = rfc8785.dumps(document | {"ruleset_version": version, "predecessor": current.sha256}).decode()
        release = append(
            by=by,
            now=now,
            before=current,
            version=version,
            text=text,
            content_sha256=earlier.content_sha256,
            note=f"Rolls back to {to}: {reason}",
            action=EditorAction.ROLL_BACK,
            reason=reason,
            details={
                "back_to": to,
                "changes": tally(changes),
                "requested_by": request.created_by.get_username() if request else None,
            }
            | asked.case_details()
            | kept_details(result),
        )
        roll_back = RollBack(
            by=by, at=now, reason=reason, to=to, release=version, program=program_account(PROGRAM)
        )
        try:
            _restore(roll_back, release, changes, content)
        except Refused as refused:
            raise NotRestorable(str(refused)) from refused
        if request is None:
            open_approval(release, by=by, now=now, reason=reason, authors=())
        return release


@transaction.atomic
def request_roll_back(*, by: User, to: str, reason: str, now: datetime.datetime) -> RollBackRequest:
    """Ask another publisher for a roll-back. It counts until something is published.

    Raises `NoteMissing`, `NoSuchRelease`, `NothingToRollBack`, or `catalog.errors.Refused` for a second
    request of the same person.
    """
    reason = typed_note(reason, reason=True)
    current, earlier = _releases(to)
    if earlier.content_sha256 == current.content_sha256:
        raise NothingToRollBack(to, current)
    request = RollBackRequest(base=current, back_to=earlier, reason=reason, created_at=now, created_by=by)
    insert([request], owner="back_to")
    return request


@transaction.atomic
def release_hold(*, by: User, kind: str, record_id: str, now: datetime.datetime) -> None:
    """End the hold on a record, for the next release. Raises `NotRecorded` if it is not held back."""
    deleted, _ = HeldBack.objects.filter(kind=kind, record_id=record_id).delete()
    if not deleted:
        raise NotRecorded(record_id, "is not held back")
    log(by=by, at=now, action=EditorAction.LET_GO, kind=_table(kind), subjects=[(record_id, None)])


def release_holds_in(content: Content) -> None:
    """Delete the holds on records that a release contains after all. Part of publishing."""
    for kind, ids in _ids(content).items():
        HeldBack.objects.filter(kind=kind, record_id__in=ids).delete()


def _releases(to: str) -> tuple[Release, Release]:
    """Return the current release and the one to go back to."""
    current = Release.objects.select_related("published_by").current()
    earlier = Release.objects.filter(ruleset_version=to).first()
    if current is None or earlier is None:
        raise NoSuchRelease(to)
    if digest(earlier.document) != earlier.sha256:
        raise NotRestorable(f"the document of release {to} does not have its published digest")
    refuse_unsigned(earlier)
    return current, earlier


def _content(release: Release) -> Content:
    try:
        return release.read().content
    except UnreadableDocument as error:
        raise NotRestorable(f"release {release} cannot be read: {error}") from error


def _restore(
    roll_back: RollBack, release: Release, changes: Iterable[RecordChange], content: Content
) -> None:
    """Restore the rows of all records that differ to match the release."""
    wanted: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for change in changes:
        wanted[change.kind][change.id] = None
    for kind, records in wanted.items():
        for record in getattr(content, kind):
            name = getattr(record, ID_FIELD[kind])
            if name in records:
                records[name] = record
    catalog = {kind: wanted[kind] for kind in TABLES}
    there = {kind: [one for one in records.values() if one is not None] for kind, records in catalog.items()}
    for kind, present in there.items():
        ids = [getattr(one, ID_FIELD[kind]) for one in present]
        HeldBack.objects.filter(kind=kind, record_id__in=ids).delete()
    restore_catalog(roll_back, there)
    for kind, model in REVISED.items():
        restore_revisions(model, roll_back, wanted[kind])
    for kind, records in catalog.items():
        _hold_back(roll_back, release, kind, [name for name, record in records.items() if record is None])


def _hold_back(roll_back: RollBack, release: Release, kind: str, ids: list[str]) -> None:
    insert(
        [
            HeldBack(
                kind=kind, record_id=name, since=release, created_at=roll_back.at, created_by=roll_back.by
            )
            for name in ids
        ],
        owner="record_id",
    )
    log(
        by=roll_back.by,
        at=roll_back.at,
        action=EditorAction.HOLD_BACK,
        kind=_table(kind),
        subjects=[(name, None) for name in ids],
        reason=roll_back.reason,
        details=roll_back.marks,
    )


def _table(kind: str) -> str:
    return TABLES[kind].name


def _ids(content: Content) -> dict[str, list[str]]:
    return {kind: [getattr(one, ID_FIELD[kind]) for one in getattr(content, kind)] for kind in TABLES}
