"""Which revisions of rules came from one announcement, so that reviewers see that they belong together."""

from django.db import models

from catalog.tables.authorship import Created
from rules.editing.models import Rule


class Announcement(Created):
    """One notice that an editor announced. `key` is of the form that was sent, so that it counts once."""

    key = models.UUIDField(unique=True, editable=False)
    title = models.CharField(max_length=700, editable=False)

    class Meta:
        ordering = ["-id"]
        default_permissions = ()

    def __str__(self) -> str:
        return self.title


class AnnouncedRule(models.Model):
    """One revision that came from an announcement. It goes when its draft is discarded."""

    announcement = models.ForeignKey(Announcement, on_delete=models.PROTECT, related_name="announced")
    rule = models.OneToOneField(Rule, on_delete=models.CASCADE, related_name="announced")

    class Meta:
        ordering = ["rule__rule_id"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.rule} of {self.announcement}"
