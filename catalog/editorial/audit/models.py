"""The audit log: who did what to which record, when and why. Entries are permanent.

Each action of the editorial workflow writes its entries in its own transaction, so the log and the rows never
disagree. Only `catalog.editorial.audit.actions` writes here, and nothing changes or removes an entry: the
triggers of migration 0002 refuse it.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from catalog.editorial.workflow import NEEDS_REASON, EditorAction
from catalog.tables.constraints import check, one_of

TOLD = (EditorAction.SUBMIT, EditorAction.APPROVE, EditorAction.APPROVE_AGAIN, EditorAction.RETURN)
"""What people and their tools are told of soon after it."""


class AuditEntry(models.Model):
    """One action. Its record is named, not linked: the log outlives the records.

    `kind` is the name of a model in lower case, `finding`, `case` or `plan`. `subject` is the stable id of
    the record, and `revision` is null if its kind has none. The entries of one record have the order of their
    ids.
    """

    done_at = models.DateTimeField(editable=False)
    done_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", editable=False
    )
    verb = models.CharField(max_length=20, choices=EditorAction.choices, editable=False)
    kind = models.CharField(max_length=20, editable=False)
    subject = models.CharField(max_length=300, editable=False)
    revision = models.PositiveIntegerField(null=True, editable=False)
    reason = models.TextField(editable=False)
    details = models.JSONField(default=dict, editable=False)

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "audit entries"
        default_permissions = ("view",)
        indexes = [
            models.Index(name="audit_entries_of_a_record", fields=["kind", "subject"]),
            # People and their tools are told of these soon after them.
            models.Index(name="audit_entries_told", fields=["done_at"], condition=Q(verb__in=TOLD)),
        ]
        constraints = [
            one_of("audit_entry_verb_is_known", "verb", EditorAction.values),
            check(
                "audit_entry_says_why",
                ~Q(verb__in=NEEDS_REASON) | Q(reason__regex=r"\S"),
                f"{', '.join(NEEDS_REASON)} need a reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{EditorAction(self.verb).label} of {self.kind} {self.subject}"
