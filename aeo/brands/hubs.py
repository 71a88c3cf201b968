"""Brands as their hubs show them: the numbers of models, of recent ones, and of those near a limit.

A brand is the name on the unit, in any spelling. Recalls belong to exact models, never to the brand. Called
by the views and by the manifest.
"""

import datetime
from decimal import Decimal

import msgspec

from aeo.brands.near_limits import is_near_limit
from rules.corpus import Published
from rules.engine.facts import Device
from rules.selectors import devices

REPRESENTATIVE_MODELS = 3


class Brand(msgspec.Struct, frozen=True):
    """A brand and its models, those with known figures first.

    `recent_count` counts releases of this calendar year and the one before, `near_limit_count` models near
    100 or 160 Wh (`aeo.brands.near_limits`).
    """

    brand_id: str
    name: str
    models: tuple[Device, ...]
    recent_count: int
    near_limit_count: int

    @property
    def representative(self) -> tuple[Device, ...]:
        """Return the first models whose watt-hours and capacity are known."""
        known = [device for device in self.models if has_figures(device)]
        return tuple(known[:REPRESENTATIVE_MODELS])


def has_figures(device: Device) -> bool:
    """Tell whether watt-hours and capacity of a model are known."""
    return device.watt_hour is not None and device.capacity_mah is not None


def brands(release: Published, today: datetime.date) -> list[Brand]:
    """Return all brands, those with the most models first."""
    found = [brand(release, brand_id, today) for brand_id in release.shelf.brands if brand_id]
    return sorted(found, key=lambda one: (-len(one.models), one.brand_id))


def brand(release: Published, brand_id: str, today: datetime.date) -> Brand:
    """Return one brand. Raises `KeyError` if no model has it."""
    spellings = release.shelf.brands[brand_id]
    models = sorted(
        release.shelf.devices_of_brand(brand_id),
        key=lambda device: (
            -len(release.shelf.recalls_of(device.model_id)),
            -(device.release_year or 0),
            -(device.watt_hour or Decimal(0)),
            device.model_id,
        ),
    )
    return Brand(
        brand_id=brand_id,
        name=min(spellings),
        models=tuple(models),
        recent_count=sum(devices.is_recent(device, today) for device in models),
        near_limit_count=sum(
            device.watt_hour is not None and is_near_limit(device.watt_hour) for device in models
        ),
    )
