"""The editorial workflow as one table: which states there are, and which verb leads from one to the next.

The verbs of `catalog.editorial.actions.workflow` read the table, and the triggers of
`catalog.editorial.models` enforce it for everybody else. Every verb is also a word of the audit log. Pure
data.

    draft ──submit──▶ in review ──approve──▶ approved ──publish──▶ published ──supersede──▶ superseded
      ▲                   │                     │ └────supersede────────────────────────────▶
      └──────return───────┘                     └──take back──▶ withdrawn ◀──end── published
"""

from django.db.models import TextChoices


class State(TextChoices):
    """How far a revision has come."""

    DRAFT = "draft"  # Somebody writes it; no verdict knows of it.
    IN_REVIEW = "in_review"  # It waits for somebody else, and nobody changes it meanwhile.
    APPROVED = "approved"  # Somebody else agreed; the next release takes it in.
    PUBLISHED = "published"  # The current release speaks by it.
    SUPERSEDED = "superseded"  # A newer revision was published.
    WITHDRAWN = "withdrawn"  # Approved, but taken back before it went out; or published, and then ended.


OPEN = (State.DRAFT, State.IN_REVIEW)
"""The states of a revision that is being worked on. There is one at most of each record."""

AGREED = (State.APPROVED, State.PUBLISHED)
"""The states of a revision that a release may hold: the newest of them counts."""


class Verb(TextChoices):
    """What somebody can do, and what the audit log says that they did."""

    DRAFT = "draft"  # Open the first revision of a record.
    REVISE = "revise"  # Open the next revision, as a copy to edit.
    WITHDRAW = "withdraw"  # Open a revision that takes the record out of the next release.
    CHANGE = "change"  # Write a draft anew.
    DISCARD = "discard"  # Throw a draft away.
    SUBMIT = "submit"
    RETURN = "return"
    APPROVE = "approve"
    APPROVE_AGAIN = "approve_again"  # Agree a second time, which what makes an answer more lenient needs.
    TAKE_BACK = "take_back"  # Keep an approved revision from going out.
    PUBLISH = "publish"
    SUPERSEDE = "supersede"  # Comes with publishing a newer revision.
    END = "end"  # Comes with publishing a withdrawal.
    ACCEPT = "accept"  # Leave a finding of the analysis as it is.
    REOPEN = "reopen"  # Take up a finding again.
    ROLL_BACK = "roll_back"  # Publish once more what an earlier release said.
    RENUMBER = "renumber"  # Comes with rolling back: an open revision moves behind the restored one.
    HOLD_BACK = "hold_back"  # Comes with rolling back: what the earlier release has not stays out.
    LET_GO = "let_go"  # Let what is held back go out again.
    PLAN = "plan"  # Have what is agreed published at a later instant.
    CANCEL = "cancel"  # Call off a planned publishing.
    CONFIRM = "confirm"  # Say that a page which changed still says what rests on it.
    DISMISS = "dismiss"  # Close a signal of the watch, or a notice of a feed, without a change of anything.
    RETRY = "retry"  # Have a job try again what it gave up on.
    EXPORT = "export"  # Hand out what was recorded of a period.


MOVES: dict[Verb, dict[State, State]] = {
    Verb.SUBMIT: {State.DRAFT: State.IN_REVIEW},
    Verb.RETURN: {State.IN_REVIEW: State.DRAFT},
    Verb.APPROVE: {State.IN_REVIEW: State.APPROVED},
    Verb.TAKE_BACK: {State.APPROVED: State.WITHDRAWN},
    Verb.PUBLISH: {State.APPROVED: State.PUBLISHED},
    Verb.SUPERSEDE: {State.APPROVED: State.SUPERSEDED, State.PUBLISHED: State.SUPERSEDED},
    Verb.END: {State.PUBLISHED: State.WITHDRAWN},
}
"""Every way from one state to another. A revision begins as a draft, and nothing but a draft goes away."""

NEEDS_REASON = (
    Verb.REVISE,
    Verb.WITHDRAW,
    Verb.DISCARD,
    Verb.RETURN,
    Verb.TAKE_BACK,
    Verb.ACCEPT,
    Verb.ROLL_BACK,
    Verb.DISMISS,
    Verb.EXPORT,
)
"""The verbs that set aside what somebody has written or found, or hand out records: the log keeps why."""
