"""The table of guides that editors changed. Only `aeo.guides.editing.actions` writes here."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from aeo.guides.editing.records import WrittenGuide
from catalog.editorial.models import Revision, revision_constraints, revision_triggers
from catalog.editorial.permissions import action_permissions
from catalog.tables.constraints import SLUG, spelled
from catalog.tables.recorded import record_from
from catalog.tables.tracking import tracked


@tracked
class GuideText(Revision):
    """One revision of a guide: its prose, its questions with the expected answers, and its translations.

    The revision that is published is shown instead of the file of this name. It became so when it was
    approved. One that withdraws takes the guide off the site.
    """

    slug = models.CharField(max_length=80)
    title = models.CharField(max_length=200)
    description = models.CharField(max_length=300)
    short_answer = models.TextField()
    answers = models.JSONField()
    sources = ArrayField(models.CharField(max_length=80))
    reports = models.TextField(blank=True)
    cases = models.TextField()
    translations = models.JSONField(default=list, blank=True)

    id_field: ClassVar = "slug"

    class Meta:
        ordering = ["slug", "revision"]
        verbose_name = "revision of a guide"
        verbose_name_plural = "revisions of guides"
        permissions = action_permissions("guidetext")
        triggers = revision_triggers()
        constraints = [
            *revision_constraints("guide_text", "slug"),
            spelled(
                "guide_text_slug_is_a_slug", "slug", SLUG, "the slug is lower-case words joined by hyphens"
            ),
        ]

    def to_record(self) -> WrittenGuide:
        """Return the guide as it was written."""
        return record_from(self, WrittenGuide)
