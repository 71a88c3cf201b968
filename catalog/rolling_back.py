"""What a roll-back does to the tables of the catalog. Part of `rules.publishing.actions.rolling_back`.

Records are changed back in place; their history keeps the replaced values.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from django.contrib.auth.models import User
from django.utils.text import slugify

from catalog import records
from catalog.airlines.actions import change_airlines, record_airlines
from catalog.airlines.models import Airline
from catalog.devices.actions import change_devices, record_devices
from catalog.devices.brands.actions import rename_brand
from catalog.devices.models import Brand, Device
from catalog.editorial.actions.roll_back import RollBack
from catalog.editorial.audit.actions import log
from catalog.editorial.workflow import EditorAction
from catalog.places.actions import change_jurisdictions, record_countries, record_jurisdictions
from catalog.places.models import Country, Jurisdiction
from catalog.sources.actions import record_sources, restore_sources
from catalog.sources.models import Source


class _Table:
    """How to write records of one kind again: the field that finds them, and the actions."""

    def __init__(
        self, model: type[Any], key: str, record: Callable[..., None], change: Callable[..., None] | None
    ) -> None:
        self.model = model
        self.key = attrgetter(key)
        self.name = str(model._meta.model_name)
        self.record = record
        self.change = change

    def restore(self, roll_back: RollBack, wanted: Sequence[Any]) -> None:
        found = self.model._default_manager.identified([self.key(one) for one in wanted])
        there = set(found.values_list("pk", flat=True))
        missing = [one for one in wanted if self.key(one) not in there]
        self.record(by=roll_back.by, **{self._argument: missing})
        # Countries have no action that changes them, because they never change.
        if self.change:
            kept = [one for one in wanted if self.key(one) in there]
            self.change(by=roll_back.by, **{self._argument: kept})

    @property
    def _argument(self) -> str:
        return "countries" if self.name == "country" else f"{self.name}s"


TABLES = {
    "countries": _Table(Country, "code", record_countries, None),
    "jurisdictions": _Table(Jurisdiction, "code", record_jurisdictions, change_jurisdictions),
    "sources": _Table(Source, "id", record_sources, restore_sources),
    "airlines": _Table(Airline, "airline", record_airlines, change_airlines),
    "devices": _Table(Device, "model_id", record_devices, change_devices),
}
"""The tables of the catalog, in the order in which they can be written: each refers to those before it."""


def restore_catalog(roll_back: RollBack, wanted: Mapping[str, Sequence[records.Record]]) -> None:
    """Write records of the catalog as they were then; the keys are the kinds of a release document."""
    _spell_brands(roll_back.by, wanted.get("devices", ()))
    for kind, table in TABLES.items():
        found = wanted.get(kind, ())
        table.restore(roll_back, found)
        log(
            by=roll_back.by,
            at=roll_back.at,
            action=EditorAction.ROLL_BACK,
            kind=table.name,
            subjects=[(table.key(record), None) for record in found],
            reason=roll_back.reason,
            details=roll_back.marks,
        )


def _spell_brands(by: User, devices: Sequence[Any]) -> None:
    """Give brands their earlier spelling: with another spelling, the action would refuse their models."""
    spelling = dict(Brand.objects.values_list("slug", "name"))
    for name in sorted({device.brand for device in devices}):
        slug = slugify(name)
        if spelling.get(slug, name) != name:
            rename_brand(by=by, slug=slug, name=name)
