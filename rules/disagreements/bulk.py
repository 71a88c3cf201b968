"""Disagreements in files: imported as drafts, exported revision by revision. Called by the editors' desk."""

from catalog.editorial.bulk import RevisionTable
from rules.disagreements import actions
from rules.disagreements.models import Disagreement
from rules.engine import disagreements


class DisagreementEntry(disagreements.Disagreement, frozen=True, kw_only=True):
    """A disagreement as files show it: with the revision and its state."""

    revision: int | None = None
    state: str = ""


DISAGREEMENTS = RevisionTable(
    model=Disagreement,
    record_type=disagreements.Disagreement,
    entry_type=DisagreementEntry,
    key="id",
    order=("disagreement_id", "revision"),
    record=lambda by, found: actions.draft_disagreements(by=by, disagreements=found),
    revise=lambda by, ids, reason: actions.revise_disagreements(by=by, disagreement_ids=ids, reason=reason),
    change=lambda by, found: actions.change_disagreements(by=by, disagreements=found),
)
