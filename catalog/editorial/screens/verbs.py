"""The verbs of the workflow on screens: in words, and the question for a reason."""

from collections.abc import Iterable

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget

from catalog.editorial.audit.models import AuditEntry
from catalog.editorial.workflow import EditorAction
from catalog.free_text import MOST_OF_A_REASON

PAST = {
    EditorAction.DRAFT: "drafted",
    EditorAction.REVISE: "opened",
    EditorAction.WITHDRAW: "opened as a withdrawal",
    EditorAction.CHANGE: "changed",
    EditorAction.DISCARD: "discarded",
    EditorAction.SUBMIT: "submitted",
    EditorAction.RETURN: "returned",
    EditorAction.APPROVE: "approved",
    EditorAction.APPROVE_AGAIN: "approved a second time",
    EditorAction.TAKE_BACK: "taken back",
    EditorAction.PUBLISH: "published",
    EditorAction.SUPERSEDE: "superseded",
    EditorAction.END: "ended",
    EditorAction.RENUMBER: "renumbered",
    EditorAction.HOLD_BACK: "held back",
    EditorAction.LET_GO: "released",
    EditorAction.ROLL_BACK: "rolled back",
}
"""The verbs as the history of a record shows them: `… by` a person."""


class ReasonForm(forms.Form):
    """The reason; the log keeps it, and the people concerned read it."""

    reason = forms.CharField(
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
        max_length=MOST_OF_A_REASON,
        help_text="One or two sentences. The log keeps them permanently.",
    )


def described(entries: Iterable[AuditEntry]) -> list[tuple[str, AuditEntry]]:
    """Return entries of the log, each with its verb in words."""
    return [(PAST.get(EditorAction(entry.verb), entry.verb), entry) for entry in entries]
