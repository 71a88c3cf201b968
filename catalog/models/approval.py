"""Draft, then approved by somebody else: the two states that rules and recalls share."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from catalog.models.constraints import both_or_neither, check, not_after, one_of, same
from catalog.models.recorded import Recorded


class State(models.TextChoices):
    """How far a row has come."""

    DRAFT = "draft"  # Somebody wrote it; no verdict knows of it.
    APPROVED = "approved"  # Somebody else agreed; the next release takes it in.


class Approval(Recorded):
    """A row that one person writes and another one approves before it can be published."""

    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT, editable=False)
    approved_at = models.DateTimeField(null=True, blank=True, editable=False)
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        editable=False,
    )

    class Meta:
        abstract = True
        constraints = [
            one_of("%(class)s_state_is_known", "state", State.values),
            both_or_neither("%(class)s_approval_is_a_pair", "approved_at", "approved_by"),
            check(
                "%(class)s_approved_has_an_approver",
                same(Q(state=State.APPROVED), Q(approved_at__isnull=False)),
                "a row is approved exactly when somebody has approved it",
            ),
            check(
                "%(class)s_approver_is_not_author",
                ~Q(approved_by=F("created_by")),
                "nobody approves their own work",
            ),
            not_after(
                "%(class)s_approved_after_creation",
                "created_at",
                "approved_at",
                "a row is not approved before it is written",
            ),
        ]
