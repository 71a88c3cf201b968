"""The table of the pictures of labels."""

from typing import ClassVar

import pgtrigger
from django.db import models

from catalog.tables.authorship import Created, optional_user
from catalog.tables.constraints import both_or_neither, spelled
from catalog.tables.triggers import refuse


class LabelPicture(Created):
    """A picture of a model's label, as JPEG without any data about the camera, the place or the person.

    `model_id` may be that of a model which waits for its approval, so it refers to no row. `says` is what can
    be read on the label. A picture that was taken away has no content any more.
    """

    id = models.BigAutoField(primary_key=True)
    model_id = models.CharField(max_length=80, editable=False)
    says = models.CharField(max_length=300)
    content = models.BinaryField(null=True, editable=False)
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    removed_by = optional_user()

    class Meta:
        ordering = ["id"]
        # Who may see or change models may see or add their pictures.
        default_permissions = ()
        indexes = [models.Index(name="pictures_of_a_model", fields=["model_id"])]
        constraints = [
            spelled("label_picture_says_something", "says", r"\S", "say what can be read on the label"),
            both_or_neither("label_picture_removal_is_a_pair", "removed_at", "removed_by"),
        ]
        triggers: ClassVar = [
            refuse(
                "content_stays",
                pgtrigger.Update,
                pgtrigger.AnyChange("model_id", "says", "created_at", "created_by"),
                "a picture stays as it was added; take it away and add another one",
            ),
            refuse("stays", pgtrigger.Delete, pgtrigger.Condition("TRUE"), "the note of a picture stays"),
        ]

    def __str__(self) -> str:
        return f"picture {self.pk} of {self.model_id}"
