"""The table of verdict cases, as editors keep them. Only `rules.case_editing.actions` writes here."""

from typing import ClassVar

from django.db import models

from catalog.editorial.models import Revision, revision_constraints, revision_triggers
from catalog.editorial.permissions import action_permissions
from catalog.tables.constraints import SLUG, spelled
from catalog.tables.tracking import tracked
from rules.cases import Case, case_of

EARLIER = r" \(revision [0-9]+\)$"
"""How the name of a case ends, if it is asked as an earlier revision had it. No case has such a name."""


@tracked
class VerdictCase(Revision):
    """One revision of a verdict case: its sentence, its question, and the expected answer.

    `given` and `expect` are the fields that are set, as the files have them. The revision that is published
    is in force: publishing asks it. It became so when it was approved.
    """

    name = models.CharField(max_length=280)
    topic = models.CharField(max_length=80)
    note = models.TextField(blank=True)
    given = models.JSONField()
    expect = models.JSONField()

    id_field: ClassVar = "name"

    class Meta:
        ordering = ["topic", "name", "revision"]
        permissions = action_permissions("verdictcase")
        triggers = revision_triggers()
        constraints = [
            *revision_constraints("verdict_case", "name"),
            spelled("verdict_case_has_a_name", "name", r"^\S(.*\S)?$", "a case has a sentence as its name"),
            spelled(
                "verdict_case_topic_is_a_slug",
                "topic",
                SLUG,
                "the topic is lower-case words joined by hyphens",
            ),
        ]

    def to_record(self) -> Case:
        """Return the case as a record. Raises `rules.cases.CaseError` if this version cannot read it."""
        return case_of(
            {
                "file": f"{self.topic}.yaml",
                "name": self.name,
                "note": self.note,
                "given": self.given,
                "expect": self.expect,
            }
        )
