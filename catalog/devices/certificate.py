"""Certificates: what is known of the certificates behind the marks of a model, and since when."""

# ruff: noqa: DJ001 -- null says that a fact is not known; an empty text would be a second way to say so.

import msgspec
from django.db import models

from catalog import records
from catalog.devices.models import Device
from catalog.sources.models import Source
from catalog.tables.constraints import WEB_ADDRESS, choices, not_after, one_of, spelled, words
from catalog.tables.tracking import tracked


@tracked
class Certificate(models.Model):
    """The status of one certificate of a model on some days, with the source that tells of it."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="certificates")
    mark = models.CharField(max_length=10, choices=choices(records.Certification))
    status = models.CharField(max_length=10, choices=choices(records.CertificateStatus))
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="certificates")
    number = models.CharField(max_length=100, null=True, blank=True)
    lookup_url = models.URLField(max_length=2000, null=True, blank=True)
    since = models.DateField(null=True, blank=True)
    until = models.DateField(null=True, blank=True)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            one_of("certificate_mark_is_known", "mark", words(records.Certification)),
            one_of("certificate_status_is_known", "status", words(records.CertificateStatus)),
            spelled("certificate_number_is_given", "number", r"^\S.*$", "a certificate number is not blank"),
            spelled(
                "certificate_lookup_url_is_absolute",
                "lookup_url",
                WEB_ADDRESS,
                "`lookup_url` is an absolute web address",
            ),
            not_after(
                "certificate_ends_after_it_starts",
                "since",
                "until",
                "the status of a certificate does not end before it starts",
            ),
            models.UniqueConstraint(
                name="certificate_position_once",
                fields=["device", "position"],
                violation_error_message="has two certificates in one position",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.device_id}: {self.mark} {self.status}"

    def to_record(self) -> records.Certificate:
        """Return the certificate as a record."""
        names = records.Certificate.__struct_fields__
        fields = {name: self.source_id if name == "source" else getattr(self, name) for name in names}
        return msgspec.convert(fields, records.Certificate)
