"""Publishing alone, in an emergency, and the second approval that follows.

One publisher alone may publish what only adds: an urgent recall, a stricter rule. Exactly the chosen
revisions go out; whatever else is approved waits. What this person wrote need not be approved by another one
first; instead, the release waits for a second approval.
"""

import datetime
import json
from collections.abc import Iterable

import msgspec
from django.contrib.auth.models import User
from django.db import transaction

from catalog.editorial.actions.workflow import approve
from catalog.editorial.audit.actions import log
from catalog.editorial.workflow import EditorAction
from catalog.errors import NotRecorded, OwnWork, Unfit, WrongState
from catalog.tables.actions.accounts import program_account
from recalls.editing.models import Recall
from rules.editing.models import Rule
from rules.impact.actions.measuring import measure_proposal
from rules.impact.measurements import propose
from rules.impact.models import ImpactMeasurement
from rules.publishing.actions.appending import wait_for_the_ledger
from rules.publishing.actions.releases import Shown, publish_release
from rules.publishing.chosen import Chosen, choosable
from rules.publishing.models import SoloRelease
from rules.publishing.refusals import ChangedAlone, NothingChosen, PublishedMeanwhile
from rules.publishing.release_notes import typed_note
from rules.releases.ledger import content_or_none, digest
from rules.releases.models import Release

PROGRAM = "emergency"
"""The account that approves what one person publishes alone."""


@transaction.atomic
def publish_alone(
    *, by: User, reason: str, now: datetime.datetime, chosen: Chosen, shown: Shown | None = None
) -> Release:
    """Publish some revisions that are approved or in review, without another person, and nothing else.

    `shown` is the version that was current when the user decided this, and the digest of what they saw
    (`digest_of_shown`). Raises `ReleaseRefused`, above all `MilderAlone`, `TakesAway` or
    `UnreadWords`, or `Refused` for a
    revision that is neither approved nor in review. Nothing has changed then.
    """
    reason = typed_note(reason, reason=True)
    _refuse_first()
    if not (chosen.rule_ids or chosen.recall_ids):
        raise NothingChosen
    wait_for_the_ledger(one_snapshot=False)
    current = Release.objects.without_document().select_related("published_by").current()
    if shown is not None and current is not None and str(current) != shown.base:
        raise PublishedMeanwhile(current)
    if shown is not None and shown.content_sha256 != _digest_now(chosen):
        raise ChangedAlone([*chosen.rule_ids, *chosen.recall_ids])
    chosen = chosen._replace(unread=chosen.read_only_by(by))
    _approve(chosen)
    return publish_release(by=by, note=reason, now=now, alone=chosen)


def digest_of_shown(revisions: Iterable[str]) -> str:
    """Return one digest of all that goes out when one person publishes alone.

    Each of `revisions` is spelled as `shown_revision` does.
    """
    return digest(json.dumps(sorted(revisions)))


def shown_revision(row: Rule | Recall) -> str:
    """Return which revision a row is and what it says: its kind, its id and the digest of its words."""
    said = msgspec.json.encode([row.withdraws, row.to_record()], order="sorted").decode()
    return f"{row._meta.model_name} {row.stable_id} {digest(said)}"


def measure_alone(*, by: User, now: datetime.datetime, chosen: Chosen) -> ImpactMeasurement:
    """Measure what `publish_alone` would change with the same revisions, so that it uses the result today.

    A large change is left to the workers. Raises `NotMeasurable`, or `Refused` for a revision that is neither
    approved nor in review.
    """
    _refuse_first()
    with transaction.atomic():
        _approve(chosen)
        base = Release.objects.current()
        before = content_or_none(base)
        proposal = None if base is None or before is None else propose(base, chosen.content(before))
        # It was only tried: nothing is approved.
        transaction.set_rollback(True)
    return measure_proposal(proposal, by=by, now=now)


@transaction.atomic
def approve_afterwards(*, by: User, release: str, now: datetime.datetime) -> None:
    """Give the second approval to a release of one person, and to all before it that still wait for theirs.

    Raises `NotRecorded`, `WrongState` if it has its approval, and `OwnWork` for a publisher or an author of
    any of them.
    """
    named = SoloRelease.objects.filter(release__ruleset_version=release).first()
    if named is None:
        raise NotRecorded(release, "no one published this release alone")
    rows = SoloRelease.objects.waiting().filter(release__sequence__lte=named.release.sequence)
    waiting = list(rows.select_for_update(of=("self",)))
    if named not in waiting:
        raise WrongState(release, "already has its second approval")
    for row in waiting:
        if by.pk in row.authors:
            earlier = "" if row == named else f" before release {release} or together with it"
            raise OwnWork(
                str(row.release),
                f"you published it or wrote in it, so another person must approve it{earlier}",
            )
    SoloRelease.objects.filter(pk__in=[row.pk for row in waiting]).update(approved_at=now, approved_by=by)
    log(
        by=by,
        at=now,
        action=EditorAction.APPROVE,
        kind="release",
        subjects=[(str(row.release), None) for row in waiting],
        details={"together": [str(row.release) for row in waiting]},
    )


def _refuse_first() -> None:
    if Release.objects.without_document().current() is None:
        raise Unfit("the release", "is the first one, so it is published as usual")


def _digest_now(chosen: Chosen) -> str:
    return digest_of_shown(
        shown_revision(row)
        for model, ids in chosen.by_model()
        for row in choosable(model)
        if row.stable_id in ids
    )


def _approve(chosen: Chosen) -> None:
    program = program_account(PROGRAM)
    for model, ids in chosen.in_review():
        approve(model, by=program, ids=ids)
