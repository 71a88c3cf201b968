"""Devices: the exact models that a verdict is about, with their brands, certifications and certificates."""

# ruff: noqa: DJ001 -- null says that a fact is not known; an empty text would be a second way to say so.

from operator import attrgetter
from typing import ClassVar

import msgspec
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import JSONObject

from catalog import records
from catalog.energy import WattHourBasis
from catalog.sources.models import Source
from catalog.tables.authorship import Changed
from catalog.tables.constraints import (
    SLUG,
    WEB_ADDRESS,
    check,
    choices,
    not_after,
    one_of,
    positive,
    same,
    spelled,
    words,
)
from catalog.tables.evidence import SOURCES, Evidence, evidence_constraints, source_ids
from catalog.tables.recorded import Recorded, record_from
from catalog.tables.tracking import tracked


@tracked
class Brand(Changed, Recorded):
    """A maker's brand. No recall and no rule refers to one."""

    slug = models.CharField(primary_key=True, max_length=60)
    name = models.CharField(max_length=60, unique=True)

    class Meta:
        ordering = ["slug"]
        constraints = [
            *Changed.Meta.constraints,
            spelled("brand_slug_is_a_slug", "slug", SLUG, "the slug is lower-case words joined by hyphens"),
        ]

    def __str__(self) -> str:
        return self.name

    def to_record(self) -> records.Brand:
        """Return the brand as a record."""
        return record_from(self, records.Brand)


@tracked
class Device(Changed, Recorded):
    """One catalog model. Watt-hours are decimal and exact to a hundredth; null if they are unknown."""

    model_id = models.CharField(primary_key=True, max_length=80)
    brand = models.ForeignKey(Brand, on_delete=models.PROTECT, related_name="devices")
    model_name = models.CharField(max_length=200)
    model_number = models.CharField(max_length=100, null=True, blank=True)
    aliases = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    capacity_mah = models.PositiveIntegerField(null=True, blank=True)
    nominal_voltage = models.DecimalField(max_digits=5, decimal_places=2, null=True, blank=True)
    watt_hour = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    watt_hour_basis = models.CharField(max_length=10, choices=choices(WattHourBasis))
    release_year = models.PositiveSmallIntegerField(null=True, blank=True)
    notes = models.TextField(null=True, blank=True)
    sources = models.ManyToManyField(Source, through="DeviceEvidence", related_name="devices")

    record_parts: ClassVar = ("brand", "certifications", "certificates", "evidence")
    record_lists: ClassVar = SOURCES | {
        "certifications": F("mark"),
        "certificates": JSONObject(**{name: name for name in records.Certificate.__struct_fields__}),
    }

    class Meta:
        verbose_name = "model"
        ordering = ["model_id"]
        constraints = [
            *Changed.Meta.constraints,
            spelled(
                "device_model_id_is_spelled",
                "model_id",
                r"^[a-z0-9][a-z0-9-]{1,79}$",
                "the model id is 2 to 80 lower-case letters, digits and hyphens",
            ),
            one_of("device_watt_hour_basis_is_known", "watt_hour_basis", words(WattHourBasis)),
            positive("device_capacity_mah_is_positive", "capacity_mah"),
            positive("device_nominal_voltage_is_positive", "nominal_voltage"),
            positive("device_watt_hour_is_positive", "watt_hour"),
            check(
                "device_basis_unknown_without_watt_hour",
                same(Q(watt_hour__isnull=True), Q(watt_hour_basis="unknown")),
                "the basis is `unknown` exactly where there is no watt-hour figure",
            ),
            check(
                "device_computed_from_something",
                ~Q(watt_hour_basis="computed") | Q(capacity_mah__isnull=False, nominal_voltage__isnull=False),
                "computed watt-hours need mAh and volts",
            ),
            check(
                "device_release_year_is_plausible",
                Q(release_year__range=(1990, 2100)),
                "`release_year` is between 1990 and 2100",
            ),
        ]

    def __str__(self) -> str:
        return self.model_id

    def to_record(self) -> records.Device:
        """Return the device as a record."""
        return record_from(
            self,
            records.Device,
            brand=self.brand.name,
            certifications=self.listed("certifications", attrgetter("mark")),
            certificates=self.listed("certificates", Certificate.to_record),
            sources=source_ids(self),
        )


@tracked
class DeviceEvidence(Evidence):
    """One source of a device's facts."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="evidence")

    class Meta(Evidence.Meta):
        constraints = evidence_constraints("device_evidence", "device")

    def __str__(self) -> str:
        return f"{self.device_id} cites {self.source_id}"


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


@tracked
class Certificate(models.Model):
    """The status of one certificate of a model on some days, with the source that reports it."""

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
