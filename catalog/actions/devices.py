"""Recording models of power banks."""

import re
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from catalog import records
from catalog.actions.writing import insert, insert_evidence, require_recorded
from catalog.errors import Unfit
from catalog.models import Brand, Certification, Device, DeviceEvidence, Source
from catalog.models.constraints import SLUG


@transaction.atomic
def record_devices(*, by: User, devices: Sequence[records.Device]) -> None:
    """Record models. A brand comes into being with the first of its models."""
    now = timezone.now()
    require_recorded(Source, {device.model_id: device.sources for device in devices})
    _record_new_brands(by=by, devices=devices)
    insert(
        [
            Device(
                model_id=device.model_id,
                brand_id=slugify(device.brand),
                model_name=device.model_name,
                model_number=device.model_number,
                aliases=list(device.aliases),
                capacity_mah=device.capacity_mah,
                nominal_voltage=device.nominal_voltage,
                watt_hour=device.watt_hour,
                watt_hour_basis=device.watt_hour_basis,
                release_year=device.release_year,
                notes=device.notes,
                created_at=now,
                created_by=by,
            )
            for device in devices
        ]
    )
    insert(
        [
            Certification(device_id=device.model_id, mark=mark, position=position)
            for device in devices
            for position, mark in enumerate(device.certifications)
        ],
        owner="device_id",
    )
    insert_evidence(DeviceEvidence, "device_id", {device.model_id: device.sources for device in devices})


def record_device(*, by: User, device: records.Device) -> None:
    """Record one model."""
    record_devices(by=by, devices=[device])


def _record_new_brands(*, by: User, devices: Sequence[records.Device]) -> None:
    now = timezone.now()
    names = dict(Brand.objects.values_list("slug", "name"))
    new_brands = []
    for device in devices:
        slug = slugify(device.brand)
        if not re.fullmatch(SLUG, slug):
            raise Unfit(
                device.model_id, f"the brand `{device.brand}` has no name in Latin letters and digits"
            )
        if slug not in names:
            names[slug] = device.brand
            new_brands.append(Brand(slug=slug, name=device.brand, created_at=now, created_by=by))
        elif names[slug] != device.brand:
            raise Unfit(device.model_id, f"the brand `{device.brand}` is written `{names[slug]}` elsewhere")
    insert(new_brands)
