"""The action that publishes: what is approved becomes the next release of the ledger.

Called by `manage.py release publish` and by the editors' desk. `rolling_back` publishes what an earlier
release said; nothing else writes a release.
"""

import datetime
from collections.abc import Collection, Iterable
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import connection, transaction

from catalog.editorial.actions.workflow import mark_published
from catalog.editorial.workflow import EditorAction
from rules.cases import Case
from rules.engine.document import Content, ReleaseDocument
from rules.impact.of_release import kept_details
from rules.next_release import REVISED, compile_content
from rules.publishing import gate
from rules.publishing.actions.appending import append, next_version, open_approval, wait_for_the_ledger
from rules.publishing.actions.rolling_back import release_holds_in
from rules.publishing.authors import authors_of
from rules.publishing.candidate import candidate
from rules.publishing.chosen import Chosen
from rules.publishing.refusals import (
    ChangedMeanwhile,
    ClockBehindLedger,
    MilderAlone,
    NoChoice,
    NoteMissing,
    NothingToPublish,
    NotMeasured,
    NotPublishable,
    PlanChanged,
    PublishedMeanwhile,
    ReleaseRefused,
    SecondApprovalMissing,
)
from rules.publishing.release_notes import typed_note
from rules.publishing.selection import Key, differing, mixed
from rules.publishing.trusting import trusted_statement
from rules.publishing.units import changed_since, pinned
from rules.releases.comparison import Tally, compare, tally
from rules.releases.ledger import canonical_text, content_or_none, digest
from rules.releases.models import Release

__all__ = [
    "ChangedMeanwhile",
    "ClockBehindLedger",
    "NotMeasured",
    "NotPublishable",
    "NoteMissing",
    "NothingToPublish",
    "PublishedMeanwhile",
    "ReleaseRefused",
    "SecondApprovalMissing",
    "Shown",
    "publish_release",
]


class Shown(NamedTuple):
    """What a user saw when they decided to publish.

    `base` is the version that was current, `content_sha256` the digest of what would be published.
    """

    base: str
    content_sha256: str


def publish_release(
    *,
    by: User,
    note: str,
    now: datetime.datetime,
    cases: Iterable[Case] | None = None,
    only_first: bool = False,
    shown: Shown | None = None,
    alone: Chosen | None = None,
    only: Collection[Key] | None = None,
    planned: gate.Planned | None = None,
) -> Release:
    """Publish the approved rows as the next release, which is current from then on.

    Args:
        by: Who publishes.
        note: What is new, in a sentence for readers of the ledger.
        now: The instant of publishing; its date in UTC makes the version.
        cases: The verdict cases that must pass; by default those in force.
        only_first: Return the current release, and publish nothing, if one is published already.
        shown: What the user saw when they decided this. Nothing else is published then.
        alone: What one person publishes alone, in an emergency; the note is the reason. See
            `alone.publish_alone`.
        only: The records to publish; by default all that is approved. All others stay as the current release
            says, and wait.
        planned: What the planner was shown, if this was planned.

    Raises:
        ReleaseRefused: As `NoteMissing`, `PublishedMeanwhile`, `NothingToPublish`, `ChangedMeanwhile`,
            `NotPublishable`, `ClockBehindLedger`, `NotMeasured`, `SecondApprovalMissing`, `ApprovalOverdue`,
            `LeftBehind`, `MilderThanShown`, `PlanChanged`, `OwnEvidence`, `MilderAlone`, `TakesAway`,
            `UnreadWords`, `KeyMissing` or `NotTrusted`.
        rules.cases.CaseError: No case is in force, or one cannot be read.

    """
    note = typed_note(note)
    nested = connection.in_atomic_block
    with transaction.atomic():
        wait_for_the_ledger(one_snapshot=not nested)
        before = Release.objects.without_document().select_related("published_by").current()
        if before is not None and only_first:
            return before
        trusted_statement(before)
        if shown is not None and before is not None and before.ruleset_version != shown.base:
            raise PublishedMeanwhile(before)
        everything = compile_content()
        if planned is not None:
            _refuse_changed(planned, everything)
        content = _content(before, everything, alone=alone, only=only)
        content_sha256 = digest(canonical_text(content))
        if before is not None and before.content_sha256 == content_sha256:
            raise NothingToPublish(before)
        if shown is not None and content_sha256 != shown.content_sha256:
            raise ChangedMeanwhile
        left = len(differing(content, everything))
        authors = None if alone is None else authors_of(before, content, chosen=alone)
        found = candidate(cases, content, authors, only=only if left else None)
        result = gate.pass_(
            found,
            before,
            by=by,
            now=now,
            alone=None if alone is None else alone.unread,
            everything=everything if left else None,
            planned=planned,
        )
        version = next_version(before, now)
        document = ReleaseDocument(
            ruleset_version=version, predecessor=None if before is None else before.sha256, content=content
        )
        release = append(
            by=by,
            now=now,
            before=before,
            version=version,
            text=canonical_text(document),
            content_sha256=content_sha256,
            note=note,
            action=EditorAction.PUBLISH,
            reason=note,
            details={"changes": _changes(before, content), "left": left}
            | found.case_details()
            | kept_details(result),
        )
        _mark(alone, only if left else None, by=by, at=now, release=version)
        release_holds_in(content)
        if alone is not None:
            open_approval(release, by=by, now=now, reason=note, authors=authors or ())
        return release


def _refuse_changed(planned: gate.Planned, everything: Content) -> None:
    """Refuse a plan whose changes are no longer what was approved."""
    now = pinned([(one.kind, one.id) for one in planned.records], everything)
    if changes := list(changed_since(planned.records, now)):
        raise PlanChanged(changes)


def _content(
    before: Release | None, everything: Content, *, alone: Chosen | None, only: Collection[Key] | None
) -> Content:
    """Return what is to be published.

    Raises `MilderAlone` or `NoChoice` if there is no release to which some changes could be added.
    """
    if alone is None and only is None:
        return everything
    current = None if before is None else content_or_none(before)
    if alone is not None:
        if current is None:
            raise MilderAlone(0, [])
        return alone.content(current)
    if current is None:
        raise NoChoice
    return mixed(current, everything, only or ())


def _mark(
    alone: Chosen | None, only: Collection[Key] | None, *, by: User, at: datetime.datetime, release: str
) -> None:
    """Mark the revisions that a release contains published."""
    if alone is not None:
        for model, ids in alone.by_model():
            mark_published(model, by=by, at=at, release=release, only=ids)
        return
    for kind, revised in REVISED.items():
        some = None if only is None else [name for of, name in only if of == kind]
        mark_published(revised, by=by, at=at, release=release, only=some)


def _changes(before: Release | None, content: Content) -> Tally | None:
    """Count what a release changes; None if this version of the program cannot read the one before."""
    earlier = content_or_none(before)
    return None if earlier is None else tally(compare(earlier, content))
