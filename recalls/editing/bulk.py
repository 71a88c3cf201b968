"""Recalls in files: imported as drafts, exported revision by revision. Called by the editors' desk."""

from catalog.editorial.bulk import RevisionTable
from recalls import records
from recalls.editing import actions
from recalls.editing.models import Recall


class RecallEntry(records.Recall, frozen=True, kw_only=True):
    """A recall as files show it: with the revision and its state."""

    revision: int | None = None
    state: str = ""


RECALLS = RevisionTable(
    model=Recall,
    record_type=records.Recall,
    entry_type=RecallEntry,
    key="recall_id",
    order=("recall_id", "revision"),
    record=lambda by, recalls: actions.draft_recalls(by=by, recalls=recalls),
    revise=lambda by, ids, reason: actions.revise_recalls(by=by, recall_ids=ids, reason=reason),
    change=lambda by, recalls: actions.change_recalls(by=by, recalls=recalls),
)
