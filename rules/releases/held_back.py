"""Records of the catalog that a roll-back keeps out of the releases."""

from django.db import models

from catalog.tables.authorship import Created
from catalog.tables.constraints import one_of
from catalog.tables.tracking import tracked

KINDS = ("countries", "jurisdictions", "sources", "airlines", "devices")
"""The kinds of records that have no revisions, as a release document calls them."""


@tracked
class HeldBack(Created):
    """One record that stays in the tables but goes into no release, until somebody lets it go out again.

    Rolling back to a release that has not got it holds it back. A rule would be withdrawn, but a row of the
    catalog has no revisions, and deleting it would lose what editors wrote. `since` is the release with which
    that began.
    """

    kind = models.CharField(max_length=20, choices=[(kind, kind) for kind in KINDS])
    record_id = models.CharField(max_length=80)
    since = models.ForeignKey("rules.Release", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["kind", "record_id"]
        verbose_name = "record held back"
        verbose_name_plural = "records held back"
        default_permissions = ("view",)
        constraints = [
            one_of("held_back_kind_is_known", "kind", KINDS),
            models.UniqueConstraint(
                name="held_back_once",
                fields=["kind", "record_id"],
                violation_error_message="is held back already",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.record_id}"
