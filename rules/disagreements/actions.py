"""The only code that writes disagreements, from the first draft to the withdrawal.

Each action names disagreements by their ids, writes all or nothing, names its user (`by=`) and logs it. A
disagreement reaches readers with the first release after its approval, and leaves them with the first after
the approval of its withdrawal. No verdict depends on one, so none needs a second approval. All actions raise
the errors of `catalog.errors`; `catalog.editorial.workflow` has the states.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from msgspec import to_builtins

from catalog.editorial.actions import workflow
from catalog.editorial.audit.actions import log_revisions
from catalog.editorial.workflow import EditorAction
from catalog.errors import Unfit
from catalog.models import Airline, Jurisdiction, Source
from catalog.tables.actions.inserting import insert_evidence, require_recorded
from catalog.tables.actions.updating import replace_evidence, write
from rules.disagreements.models import Disagreement, DisagreementEvidence
from rules.disagreements.problems import problems_of
from rules.engine.disagreements import Disagreement as Record


@transaction.atomic
def draft_disagreements(*, by: User, disagreements: Sequence[Record], reason: str = "") -> None:
    """Write new disagreements, for another person to approve."""
    _check(disagreements)
    rows = [Disagreement(disagreement_id=one.id, **_columns(one)) for one in disagreements]
    workflow.draft(rows, by=by, reason=reason)
    _cite(rows, disagreements)


def draft_disagreement(*, by: User, disagreement: Record) -> None:
    """Write one new disagreement."""
    draft_disagreements(by=by, disagreements=[disagreement])


@transaction.atomic
def change_disagreements(*, by: User, disagreements: Sequence[Record]) -> None:
    """Rewrite the drafts of disagreements. The user becomes one of their authors."""
    rows = workflow.drafts_to_change(Disagreement, by=by, ids=[one.id for one in disagreements])
    _check(disagreements)
    for row, one in zip(rows, disagreements, strict=True):
        for column, value in _columns(one).items():
            setattr(row, column, value)
    write(rows, {"authors"}.union(*map(_columns, disagreements)), owner="disagreement_id")
    _cite(rows, disagreements, replace_evidence)
    log_revisions(rows, by=by, at=timezone.now(), action=EditorAction.CHANGE)


def change_disagreement(*, by: User, disagreement: Record) -> None:
    """Rewrite the draft of one disagreement."""
    change_disagreements(by=by, disagreements=[disagreement])


def revise_disagreements(*, by: User, disagreement_ids: Sequence[str], reason: str) -> None:
    """Open the next revision of disagreements, as a copy to edit."""
    workflow.revise(Disagreement, by=by, ids=disagreement_ids, reason=reason)


def withdraw_disagreements(*, by: User, disagreement_ids: Sequence[str], reason: str) -> None:
    """Open a revision that takes published disagreements out of the next release, once it is approved."""
    workflow.withdraw(Disagreement, by=by, ids=disagreement_ids, reason=reason)


def discard_disagreements(*, by: User, disagreement_ids: Sequence[str], reason: str) -> None:
    """Delete drafts."""
    workflow.discard(Disagreement, by=by, ids=disagreement_ids, reason=reason)


def submit_disagreements(*, by: User, disagreement_ids: Sequence[str]) -> None:
    """Submit drafts for review."""
    workflow.submit(Disagreement, by=by, ids=disagreement_ids)


def return_disagreements(*, by: User, disagreement_ids: Sequence[str], reason: str) -> None:
    """Return drafts in review to their authors, and say what is wrong with them."""
    workflow.return_to_author(Disagreement, by=by, ids=disagreement_ids, reason=reason)


def approve_disagreements(*, by: User, disagreement_ids: Sequence[str]) -> None:
    """Approve what others have submitted for review."""
    workflow.approve(Disagreement, by=by, ids=disagreement_ids)


def take_back_disagreements(*, by: User, disagreement_ids: Sequence[str], reason: str) -> None:
    """Take approved disagreements back, so that they are not published."""
    workflow.take_back(Disagreement, by=by, ids=disagreement_ids, reason=reason)


def _check(disagreements: Sequence[Record]) -> None:
    """Check disagreements as a release would. Raises `Unfit` or `NotRecorded` for the first that is wrong."""
    require_recorded(Airline, {one.id: [one.about.airline] for one in disagreements if one.about.airline})
    require_recorded(
        Jurisdiction, {one.id: [one.about.jurisdiction] for one in disagreements if one.about.jurisdiction}
    )
    require_recorded(Source, {one.id: one.sources for one in disagreements})
    for name, reason in problems_of(disagreements):
        raise Unfit(name, reason)


def _columns(disagreement: Record) -> dict[str, Any]:
    """Return what a disagreement says as the columns of its row, without its id and its evidence."""
    return {
        "airline_id": disagreement.about.airline,
        "jurisdiction_id": disagreement.about.jurisdiction,
        "question": disagreement.question,
        "sides": to_builtins(list(disagreement.sides)),
        "applied": disagreement.applied,
        "because": disagreement.because,
    }


def _cite(
    rows: Sequence[Disagreement],
    disagreements: Sequence[Record],
    cite: Callable[..., None] = insert_evidence,
) -> None:
    sources = {row: one.sources for row, one in zip(rows, disagreements, strict=True)}
    cite(DisagreementEvidence, "disagreement", sources, owner="disagreement.disagreement_id")
