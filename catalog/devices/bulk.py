"""Import and export of models of power banks. Called by their screen and the starter corpus."""

from collections.abc import Sequence

from catalog import records
from catalog.bulk.tables import Table
from catalog.devices.actions import change_devices, delete_device, record_devices
from catalog.devices.brands.similar import similar_brands
from catalog.devices.models import Brand, Device
from catalog.energy import RATED_DEVIATION_PERCENT, computed_watt_hour, rated_deviates
from catalog.errors import ReasonMissing

FIGURES = ("watt_hour", "watt_hour_basis", "capacity_mah", "nominal_voltage")


def require_reasons(edits: Sequence[tuple[records.Device | None, records.Device]], reason: str) -> None:
    """Require a reason for a rated energy that is far from mAh times volts. Raises `ReasonMissing`."""
    for before, device in edits:
        as_before = before is not None and all(
            getattr(before, name) == getattr(device, name) for name in FIGURES
        )
        figures = (device.watt_hour, device.capacity_mah, device.nominal_voltage)
        if reason or as_before or device.watt_hour_basis != "rated" or None in figures:
            continue
        watt_hour, capacity_mah, volts = figures
        if watt_hour and capacity_mah and volts and rated_deviates(watt_hour, capacity_mah, volts):
            computed = computed_watt_hour(capacity_mah, volts)
            raise ReasonMissing(
                device.model_id,
                f"`watt_hour` differs by more than {RATED_DEVIATION_PERCENT} % from mAh times volts, "
                f"{computed} Wh: give the reason for the change",
            )


def new_brands(devices: Sequence[records.Device]) -> list[str]:
    """Return the brands of models that no recorded model has, each with the recorded ones that it is like."""
    recorded = set(Brand.objects.values_list("name", flat=True))
    new = sorted({device.brand for device in devices} - recorded)
    return [_with_similar(name, similar_brands(name, recorded)) for name in new]


def _with_similar(name: str, similar: Sequence[str]) -> str:
    return f"{name} (like {' and '.join(similar)}, recorded already)" if similar else name


DEVICES = Table(
    model=Device,
    record_type=records.Device,
    key="model_id",
    record=lambda by, devices: record_devices(by=by, devices=devices),
    change=lambda by, devices: change_devices(by=by, devices=devices),
    # Everything but the notes for editors.
    deciding=(
        "brand",
        "model_name",
        "model_number",
        "aliases",
        "capacity_mah",
        "nominal_voltage",
        "watt_hour",
        "watt_hour_basis",
        "certifications",
        "certificates",
        "release_year",
        "sources",
    ),
    require=require_reasons,
    new_names=new_brands,
    remove=lambda by, model_id: delete_device(by=by, model_id=model_id),
)
