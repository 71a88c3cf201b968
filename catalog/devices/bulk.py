"""Import and export of models of power banks. Called by their screen and the starter corpus."""

from catalog import records
from catalog.bulk.tables import Table
from catalog.devices.actions import change_devices, record_devices
from catalog.devices.models import Device

DEVICES = Table(
    model=Device,
    record_type=records.Device,
    key="model_id",
    record=lambda by, devices: record_devices(by=by, devices=devices),
    change=lambda by, devices: change_devices(by=by, devices=devices),
)
