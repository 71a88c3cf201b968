"""The only writers of recalls: draft, approve, close.

Each verb writes all or nothing and says who did it (`by=`). A recall reaches verdicts with the first release
after its approval, and leaves them with the first after its closing. All of them raise what `catalog.errors`
names.
"""

from collections.abc import Sequence

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.actions.approving import approve
from catalog.actions.writing import insert, insert_evidence, require_recorded
from catalog.errors import NotRecorded, Unfit, WrongState
from catalog.models import Device, Source
from catalog.models.approval import State
from recalls import records
from recalls.models import DECIDING, Recall, RecallEvidence, Status
from recalls.serials import PatternError, compile_pattern


@transaction.atomic
def draft_recalls(*, by: User, recalls: Sequence[records.Recall]) -> None:
    """Write new recalls, for somebody else to approve. No pattern gets in that cannot be matched."""
    now = timezone.now()
    require_recorded(Device, {recall.recall_id: [recall.model_id] for recall in recalls})
    require_recorded(Source, {recall.recall_id: recall.sources for recall in recalls})
    for recall in recalls:
        _check_patterns(recall)
    insert(
        [
            Recall(
                recall_id=recall.recall_id,
                device_id=recall.model_id,
                authority=recall.authority,
                jurisdiction=recall.jurisdiction,
                announced_on=recall.announced_on,
                announced_precision=recall.announced_precision,
                title=recall.title,
                hazard=recall.hazard,
                remedy=recall.remedy,
                units=recall.units,
                units_scope=recall.units_scope,
                **{name: getattr(recall.affected_serials, name) for name in DECIDING},
                details=_details(recall),
                notice_url=recall.notice_url,
                notes=recall.notes,
                created_at=now,
                created_by=by,
            )
            for recall in recalls
        ]
    )
    insert_evidence(RecallEvidence, "recall_id", {recall.recall_id: recall.sources for recall in recalls})


def draft_recall(*, by: User, recall: records.Recall) -> None:
    """Write one new recall."""
    draft_recalls(by=by, recalls=[recall])


def approve_recalls(*, by: User, recall_ids: Sequence[str]) -> None:
    """Approve drafts that somebody else wrote."""
    approve(Recall, by=by, ids=recall_ids)


def approve_recall(*, by: User, recall_id: str) -> None:
    """Approve one draft."""
    approve_recalls(by=by, recall_ids=[recall_id])


@transaction.atomic
def close_recall(*, by: User, recall_id: str) -> None:
    """Close an approved recall that its authority has ended."""
    recall = Recall.objects.select_for_update().filter(pk=recall_id).first()
    if recall is None:
        raise NotRecorded(recall_id, "there is no such recall")
    if recall.state != State.APPROVED or recall.status == Status.CLOSED:
        raise WrongState(recall_id, "only an approved recall that is still active can be closed")
    recall.status = Status.CLOSED
    recall.closed_at = timezone.now()
    recall.closed_by = by
    recall.save(update_fields=["status", "closed_at", "closed_by"])


def _check_patterns(recall: records.Recall) -> None:
    affected = recall.affected_serials
    for pattern in (affected.pattern, affected.not_affected_pattern, affected.necessary_pattern):
        try:
            compile_pattern(pattern or "")
        except PatternError as error:
            raise Unfit(recall.recall_id, f"the pattern `{pattern}` cannot be used: {error}") from error


def _details(recall: records.Recall) -> dict[str, object]:
    fields = msgspec.to_builtins(recall.affected_serials)
    return {name: value for name, value in fields.items() if name not in DECIDING}
