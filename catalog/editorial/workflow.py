"""The editorial workflow as one table: its states, and the verb that leads from one to the next.

The actions of `catalog.editorial.actions.workflow` read the table, and the triggers of
`catalog.editorial.models` enforce it for all other writers. The audit log uses the same verbs. Pure data.

    draft ──submit──▶ in review ──approve──▶ approved ──publish──▶ published ──supersede──▶ superseded
      ▲                   │                     │ └────supersede────────────────────────────▶
      └──────return───────┘                     └──take back──▶ withdrawn ◀──end── published
"""

from django.db.models import TextChoices


class State(TextChoices):
    """The state of a revision."""

    DRAFT = "draft"  # An author writes it; no verdict uses it.
    IN_REVIEW = "in_review"  # It waits for another person, and no one changes it meanwhile.
    APPROVED = "approved"  # Another person agreed; the next release includes it.
    PUBLISHED = "published"  # The current release uses it.
    SUPERSEDED = "superseded"  # A newer revision was published.
    WITHDRAWN = "withdrawn"  # Approved, but taken back before publishing; or published, and then ended.


OPEN = (State.DRAFT, State.IN_REVIEW)
"""The states of a revision that is being worked on. Each record has at most one such revision."""

AGREED = (State.APPROVED, State.PUBLISHED)
"""The states of a revision that a release may contain: the newest of them counts."""


class EditorAction(TextChoices):
    """What a person can do, as the audit log names it."""

    DRAFT = "draft"  # Open the first revision of a record.
    REVISE = "revise"  # Open the next revision, as a copy to edit.
    WITHDRAW = "withdraw"  # Open a revision that takes the record out of the next release.
    CHANGE = "change"  # Write a draft again.
    DISCARD = "discard"  # Throw a draft away.
    SUBMIT = "submit"
    RETURN = "return"
    APPROVE = "approve"
    APPROVE_AGAIN = "approve_again"  # Approve a second time, required for what makes an answer more lenient.
    TAKE_BACK = "take_back"  # Stop an approved revision from being published.
    PUBLISH = "publish"
    SUPERSEDE = "supersede"  # Comes with publishing a newer revision.
    END = "end"  # Comes with publishing a withdrawal.
    ACCEPT = "accept"  # Leave a finding of the analysis as it is.
    REOPEN = "reopen"  # Open a finding again.
    ROLL_BACK = "roll_back"  # Publish again what an earlier release contained.
    RENUMBER = "renumber"  # Comes with rolling back: an open revision moves behind the restored one.
    HOLD_BACK = "hold_back"  # Comes with rolling back: what the earlier release does not contain stays out.
    LET_GO = "let_go", "Release Hold"  # Release a hold: the record may be published again.
    PLAN = "plan"  # Schedule the publishing of what is approved.
    CANCEL = "cancel"  # Call off a planned publishing.
    CONFIRM = "confirm"  # Confirm that a changed page still supports what rests on it.
    DISMISS = "dismiss"  # Close a signal of the watch, or a notice of a feed, without any change.
    RETRY = "retry"  # Let a job try again what it gave up on.
    EXPORT = "export"  # Export the records of a period.
    COMMENT = "comment"  # Say something about a record.
    REMOVE = "remove"  # Remove a comment; its words are gone.
    ASSIGN = "assign"  # Say who does what is to be done, and until when.


MOVES: dict[EditorAction, dict[State, State]] = {
    EditorAction.SUBMIT: {State.DRAFT: State.IN_REVIEW},
    EditorAction.RETURN: {State.IN_REVIEW: State.DRAFT},
    EditorAction.APPROVE: {State.IN_REVIEW: State.APPROVED},
    EditorAction.TAKE_BACK: {State.APPROVED: State.WITHDRAWN},
    EditorAction.PUBLISH: {State.APPROVED: State.PUBLISHED},
    EditorAction.SUPERSEDE: {State.APPROVED: State.SUPERSEDED, State.PUBLISHED: State.SUPERSEDED},
    EditorAction.END: {State.PUBLISHED: State.WITHDRAWN},
}
"""Every transition between states. A revision begins as a draft, and only a draft can be deleted."""

NEEDS_REASON = (
    EditorAction.REVISE,
    EditorAction.WITHDRAW,
    EditorAction.DISCARD,
    EditorAction.RETURN,
    EditorAction.TAKE_BACK,
    EditorAction.ACCEPT,
    EditorAction.ROLL_BACK,
    EditorAction.DISMISS,
    EditorAction.EXPORT,
)
"""The verbs that set aside a person's work or findings, or export records: the log keeps the reason."""
