"""Certifications: marks that a model is known to have."""

from django.db import models

from catalog.devices.models import Device
from catalog.tables.constraints import spelled
from catalog.tables.tracking import tracked


@tracked
class Certification(models.Model):
    """A mark of one model, such as CCC or Qi2. No row means not known, never not certified."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="certifications")
    mark = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            spelled("certification_mark_is_named", "mark", r"^\S.*$", "a mark has a name"),
            models.UniqueConstraint(
                name="certification_mark_once",
                fields=["device", "mark"],
                violation_error_message="names a certification twice",
            ),
            models.UniqueConstraint(
                name="certification_position_once",
                fields=["device", "position"],
                violation_error_message="has two certifications in one position",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.device_id}: {self.mark}"
