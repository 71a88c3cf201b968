"""The only code that writes recalls, from the first draft to the withdrawal.

Each action names recalls by their ids, writes all or nothing, names its user (`by=`) and logs it. A recall
reaches verdicts with the first release after its approval. A recall that its authority has ended is
withdrawn, and leaves them with the first release after the approval of that. All of them raise the errors of
`catalog.errors`. The states are in `catalog.editorial.workflow`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from catalog.editorial.actions import workflow
from catalog.editorial.audit.actions import log_revisions
from catalog.editorial.workflow import EditorAction
from catalog.errors import Unfit
from catalog.models import Device, Source
from catalog.records import POINTER, UNCITABLE
from catalog.tables.actions.inserting import insert_evidence, require_recorded
from catalog.tables.actions.updating import replace_evidence, write
from recalls import records
from recalls.editing.models import DECIDING, Recall, RecallEvidence
from recalls.patterns import objections, refusals


@transaction.atomic
def draft_recalls(*, by: User, recalls: Sequence[records.Recall], reason: str = "") -> None:
    """Write new recalls, which another person has to approve. Refuses patterns that cannot be used."""
    _check(recalls)
    rows = [Recall(recall_id=recall.recall_id, **_columns(recall)) for recall in recalls]
    workflow.draft(rows, by=by, reason=reason)
    _cite(rows, recalls)


def draft_recall(*, by: User, recall: records.Recall) -> None:
    """Write one new recall."""
    draft_recalls(by=by, recalls=[recall])


@transaction.atomic
def change_recalls(*, by: User, recalls: Sequence[records.Recall]) -> None:
    """Write the drafts of recalls again. The user becomes one of their authors."""
    rows = workflow.drafts_to_change(Recall, by=by, ids=[recall.recall_id for recall in recalls])
    _check(recalls)
    for row, recall in zip(rows, recalls, strict=True):
        for column, value in _columns(recall).items():
            setattr(row, column, value)
    write(rows, {"authors"}.union(*map(_columns, recalls)), owner="recall_id")
    _cite(rows, recalls, replace_evidence)
    log_revisions(rows, by=by, at=timezone.now(), action=EditorAction.CHANGE)


def change_recall(*, by: User, recall: records.Recall) -> None:
    """Write the draft of one recall again."""
    change_recalls(by=by, recalls=[recall])


def revise_recalls(*, by: User, recall_ids: Sequence[str], reason: str) -> None:
    """Open the next revision of recalls, as a copy to edit."""
    workflow.revise(Recall, by=by, ids=recall_ids, reason=reason)


def withdraw_recalls(*, by: User, recall_ids: Sequence[str], reason: str) -> None:
    """Open a revision that takes published recalls out of the next release, once it is approved."""
    workflow.withdraw(Recall, by=by, ids=recall_ids, reason=reason)


def discard_recalls(*, by: User, recall_ids: Sequence[str], reason: str) -> None:
    """Delete drafts."""
    workflow.discard(Recall, by=by, ids=recall_ids, reason=reason)


@transaction.atomic
def submit_recalls(*, by: User, recall_ids: Sequence[str]) -> None:
    """Submit drafts for review.

    Refuses a recall without a source that was read, and a pattern that is not tested, or fails its test. A
    draft that withdraws its recall is reviewed as it is.
    """
    workflow.submit(Recall, by=by, ids=recall_ids)
    submitted = Recall.objects.identified(recall_ids).filter(withdraws=False)
    for recall_id in uncitable(submitted).order_by("recall_id").values_list("recall_id", flat=True)[:1]:
        raise Unfit(recall_id, UNCITABLE)
    for recall in submitted.records():
        for objection in objections(recall.affected_serials):
            raise Unfit(recall.recall_id, objection)


def uncitable(recalls: QuerySet[Recall]) -> QuerySet[Recall]:
    """Return those of some recalls that rest on no source that was read."""
    read = RecallEvidence.objects.filter(recall=OuterRef("pk")).exclude(source__basis=POINTER)
    return recalls.filter(~Exists(read))


def return_recalls(*, by: User, recall_ids: Sequence[str], reason: str) -> None:
    """Return drafts in review to their authors, and say what is wrong with them."""
    workflow.return_to_author(Recall, by=by, ids=recall_ids, reason=reason)


def approve_recalls(*, by: User, recall_ids: Sequence[str]) -> None:
    """Approve what others have submitted for review."""
    workflow.approve(Recall, by=by, ids=recall_ids)


def approve_recalls_again(*, by: User, recall_ids: Sequence[str]) -> None:
    """Give the second approval, which every recall needs that makes an answer more lenient."""
    workflow.approve_again(Recall, by=by, ids=recall_ids)


def take_back_recalls(*, by: User, recall_ids: Sequence[str], reason: str) -> None:
    """Take approved recalls back, so that they are not published."""
    workflow.take_back(Recall, by=by, ids=recall_ids, reason=reason)


def _check(recalls: Sequence[records.Recall]) -> None:
    require_recorded(Device, {recall.recall_id: [recall.model_id] for recall in recalls})
    require_recorded(Source, {recall.recall_id: recall.sources for recall in recalls})
    for recall in recalls:
        for refusal in refusals(recall.affected_serials):
            raise Unfit(recall.recall_id, refusal.sentence)


def _columns(recall: records.Recall) -> dict[str, Any]:
    """Return what a recall says as the columns of its row, without its id and its sources."""
    return {
        "device_id": recall.model_id,
        "authority": recall.authority,
        "jurisdiction": recall.jurisdiction,
        "announced_on": recall.announced_on,
        "announced_precision": recall.announced_precision,
        "title": recall.title,
        "hazard": recall.hazard,
        "remedy": recall.remedy,
        "units": recall.units,
        "units_scope": recall.units_scope,
        **{name: getattr(recall.affected_serials, name) for name in DECIDING},
        "details": _details(recall),
        "notice_url": recall.notice_url,
        "notes": recall.notes,
    }


def _cite(
    rows: Sequence[Recall], recalls: Sequence[records.Recall], cite: Callable[..., None] = insert_evidence
) -> None:
    sources = {row: recall.sources for row, recall in zip(rows, recalls, strict=True)}
    cite(RecallEvidence, "recall", sources, owner="recall.recall_id")


def _details(recall: records.Recall) -> dict[str, object]:
    fields = msgspec.to_builtins(recall.affected_serials)
    return {name: value for name, value in fields.items() if name not in DECIDING}
