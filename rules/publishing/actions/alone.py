"""Publishing alone, in an emergency, and the second approval that follows.

One publisher alone may publish what makes no answer less strict: an urgent recall, a stricter rule. What this
person wrote need not be approved by another one first; instead, the release waits for a second approval.
"""

import datetime
from collections.abc import Sequence

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
from rules.impact.measurements import would_publish
from rules.impact.models import ImpactMeasurement
from rules.publishing.actions.appending import wait_for_the_ledger
from rules.publishing.actions.releases import publish_release
from rules.publishing.models import SoloRelease
from rules.publishing.refusals import NoteMissing, PublishedMeanwhile
from rules.releases.models import Release

PROGRAM = "emergency"
"""The account that approves what one person publishes alone."""


@transaction.atomic
def publish_alone(
    *,
    by: User,
    reason: str,
    now: datetime.datetime,
    shown: str | None = None,
    rule_ids: Sequence[str] = (),
    recall_ids: Sequence[str] = (),
) -> Release:
    """Publish what is approved, and some revisions that are in review, without another person.

    `shown` is the version that was current when the user decided this. Raises `ReleaseRefused`, above all
    `MilderAlone`, or `Refused` for a revision that is not in review. Nothing has changed then.
    """
    if not reason.strip():
        raise NoteMissing
    _refuse_first()
    wait_for_the_ledger(one_snapshot=False)
    current = Release.objects.without_document().select_related("published_by").current()
    if shown is not None and current is not None and str(current) != shown:
        raise PublishedMeanwhile(current)
    _approve(rule_ids, recall_ids)
    return publish_release(by=by, note=reason, now=now, alone_because=reason)


def measure_alone(
    *, by: User, now: datetime.datetime, rule_ids: Sequence[str] = (), recall_ids: Sequence[str] = ()
) -> ImpactMeasurement:
    """Measure what `publish_alone` would change with the same revisions, so that it uses the result today.

    A large change is left to the workers. Raises `NotMeasurable`, or `Refused` for a revision that is not in
    review.
    """
    _refuse_first()
    with transaction.atomic():
        _approve(rule_ids, recall_ids)
        proposal = would_publish()
        # It was only tried: nothing is approved.
        transaction.set_rollback(True)
    return measure_proposal(proposal, by=by, now=now)


@transaction.atomic
def approve_afterwards(*, by: User, release: str, now: datetime.datetime) -> None:
    """Give the second approval to a release that one person published alone.

    Raises `NotRecorded`, `WrongState` if it has its approval, and `OwnWork` for its publisher and authors.
    """
    rows = SoloRelease.objects.select_for_update(of=("self",))
    row = rows.filter(release__ruleset_version=release).first()
    if row is None:
        raise NotRecorded(release, "no one published this release alone")
    if row.approved_at is not None:
        raise WrongState(release, "already has its second approval")
    if by.pk in row.authors:
        raise OwnWork(release, "you published it or wrote in it, so another person must approve it")
    SoloRelease.objects.filter(pk=row.pk).update(approved_at=now, approved_by=by)
    log(by=by, at=now, action=EditorAction.APPROVE, kind="release", subjects=[(release, None)])


def _refuse_first() -> None:
    if Release.objects.without_document().current() is None:
        raise Unfit("the release", "is the first one, so it is published as usual")


def _approve(rule_ids: Sequence[str], recall_ids: Sequence[str]) -> None:
    program = program_account(PROGRAM)
    approve(Rule, by=program, ids=rule_ids)
    approve(Recall, by=program, ids=recall_ids)
