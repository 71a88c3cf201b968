"""The starter corpus's proposals. Only `compliance.starter_corpus.actions` writes them.

A row stays after its decision, so the next update knows the corpus's last content and proposes nothing twice.
"""

from typing import Any

import msgspec
from django.db import models
from django.db.models import Q, UniqueConstraint

from catalog.tables.authorship import Created, optional_user
from catalog.tables.constraints import both_or_neither, check, not_after, one_of, same


class ProposalState(models.TextChoices):
    """The state of a proposal."""

    OPEN = "open"  # An editor accepts or declines it.
    CONFLICT = "conflict"  # The same, but an editor has changed the record here.
    DRAFTED = "drafted"  # It is a draft revision; the workflow of revisions decides.
    RECORDED = "recorded"  # It is evidence that the drafts cite, and was recorded with them.
    ACCEPTED = "accepted"
    DECLINED = "declined"
    REPLACED = "replaced"  # A newer corpus proposed something else before a decision.


UNDECIDED = (ProposalState.OPEN, ProposalState.CONFLICT)
"""The states in which a proposal waits on its own page."""

DECIDED = (ProposalState.ACCEPTED, ProposalState.DECLINED, ProposalState.REPLACED)


class ProposedChange(models.TextChoices):
    """A proposal's change of its record."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"


class CorpusProposal(Created):
    """One record of the starter corpus of a day, proposed with a reason.

    `record` is the corpus's content, null if the corpus no longer has the record. `before` is the content
    that was recorded here at the time, null if there was none. `kind` is a name of
    `compliance.starter_corpus.kinds`.
    """

    kind = models.CharField(max_length=20, editable=False)
    record_id = models.CharField(max_length=300, editable=False)
    change = models.CharField(max_length=8, choices=ProposedChange.choices, editable=False)
    corpus = models.DateField(editable=False)
    before = models.JSONField(null=True, editable=False)
    record = models.JSONField(null=True, editable=False)
    reason = models.TextField(editable=False)
    state = models.CharField(max_length=9, choices=ProposalState.choices, editable=False)
    decided_at = models.DateTimeField(null=True, editable=False)
    decided_by = optional_user()

    class Meta:
        ordering = ["kind", "record_id", "id"]
        verbose_name = "proposal of the corpus"
        verbose_name_plural = "proposals of the corpus"
        default_permissions = ("view", "change")
        indexes = [models.Index(name="corpus_proposals_of_a_record", fields=["kind", "record_id"])]
        constraints = [
            one_of("corpus_proposal_change_is_known", "change", ProposedChange.values),
            one_of("corpus_proposal_state_is_known", "state", ProposalState.values),
            check("corpus_proposal_says_why", Q(reason__regex=r"\S"), "a proposal has a reason"),
            both_or_neither("corpus_proposal_decision_is_a_pair", "decided_at", "decided_by"),
            check(
                "corpus_proposal_decided_says_who",
                same(Q(state__in=DECIDED), Q(decided_at__isnull=False)),
                "a proposal says who decided it, exactly when it is decided",
            ),
            not_after(
                "corpus_proposal_decided_after_proposing",
                "created_at",
                "decided_at",
                "a proposal is not decided before it is made",
            ),
            UniqueConstraint(
                name="corpus_proposal_undecided_once",
                fields=["kind", "record_id"],
                condition=Q(state__in=UNDECIDED),
                violation_error_message="has an undecided proposal already",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.record_id}"

    def proposed(self, record_type: type[Any]) -> Any:
        """Return the record of the corpus, None if the corpus no longer has it."""
        return None if self.record is None else msgspec.convert(self.record, record_type)

    def found(self, record_type: type[Any]) -> Any:
        """Return the record as it was here at the time of the proposal, None if there was none."""
        return None if self.before is None else msgspec.convert(self.before, record_type)
