"""Records, changes and deletes models of power banks."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog import records
from catalog.devices.brands.actions import brand_slug, record_new_brands
from catalog.devices.models import Certificate, Certification, Device, DeviceEvidence
from catalog.sources.models import Source
from catalog.tables.actions.deleting import delete
from catalog.tables.actions.inserting import evidence, insert, insert_evidence, require_recorded
from catalog.tables.actions.updating import locked, replace_parts, update


@transaction.atomic
def record_devices(*, by: User, devices: Sequence[records.Device]) -> None:
    """Record models. A brand is created with the first of its models."""
    now = timezone.now()
    _require_what_they_name(by, devices)
    insert(
        [
            Device(model_id=device.model_id, **_columns(device), created_at=now, created_by=by)
            for device in devices
        ]
    )
    insert(_certifications(devices), owner="device_id")
    insert(_certificates(devices), owner="device_id")
    sources = {device.model_id: device.sources for device in devices}
    insert_evidence(DeviceEvidence, "device_id", sources, owner="device_id")


def record_device(*, by: User, device: records.Device) -> None:
    """Record one model."""
    record_devices(by=by, devices=[device])


@transaction.atomic
def change_devices(*, by: User, devices: Sequence[records.Device]) -> None:
    """Replace the recorded data of models, found by their ids. One that does not change is not written."""
    rows = locked(Device, [device.model_id for device in devices])
    before = {model_id: row.to_record() for model_id, row in rows.items()}
    changed = [device for device in devices if device != before[device.model_id]]
    _require_what_they_name(by, changed)
    update(by, {rows[device.model_id]: _columns(device) for device in changed})
    marked = [device for device in changed if device.certifications != before[device.model_id].certifications]
    replace_parts(Certification, "device_id", [device.model_id for device in marked], _certifications(marked))
    certified = [device for device in changed if device.certificates != before[device.model_id].certificates]
    replace_parts(
        Certificate, "device_id", [device.model_id for device in certified], _certificates(certified)
    )
    cited = {
        device.model_id: device.sources
        for device in changed
        if device.sources != before[device.model_id].sources
    }
    replace_parts(DeviceEvidence, "device_id", cited, evidence(DeviceEvidence, "device_id", cited))


def change_device(*, by: User, device: records.Device) -> None:
    """Replace the recorded data of one model."""
    change_devices(by=by, devices=[device])


def delete_device(*, by: User, model_id: str) -> None:
    """Delete a model with its marks. Raises `NotRecorded`, or `StillReferred` if it has a recall."""
    delete(Device, by=by, record_id=model_id)


def _require_what_they_name(by: User, devices: Sequence[records.Device]) -> None:
    require_recorded(
        Source,
        {
            device.model_id: [*device.sources, *(certificate.source for certificate in device.certificates)]
            for device in devices
        },
    )
    record_new_brands(by=by, names={device.model_id: device.brand for device in devices})


def _columns(device: records.Device) -> dict[str, Any]:
    return {
        "brand_id": brand_slug(device.brand, device.model_id),
        "model_name": device.model_name,
        "model_number": device.model_number,
        "aliases": list(device.aliases),
        "capacity_mah": device.capacity_mah,
        "nominal_voltage": device.nominal_voltage,
        "watt_hour": device.watt_hour,
        "watt_hour_basis": device.watt_hour_basis,
        "release_year": device.release_year,
        "notes": device.notes,
    }


def _certifications(devices: Sequence[records.Device]) -> list[Certification]:
    return [
        Certification(device_id=device.model_id, mark=mark, position=position)
        for device in devices
        for position, mark in enumerate(device.certifications)
    ]


def _certificates(devices: Sequence[records.Device]) -> list[Certificate]:
    return [
        Certificate(
            device_id=device.model_id,
            mark=certificate.mark,
            status=certificate.status,
            source_id=certificate.source,
            number=certificate.number,
            lookup_url=certificate.lookup_url,
            since=certificate.since,
            until=certificate.until,
            position=position,
        )
        for device in devices
        for position, certificate in enumerate(device.certificates)
    ]
