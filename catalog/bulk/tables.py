"""Which kinds of records can be imported and exported, and by which verbs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from catalog import actions, records
from catalog.models import Airline, Device, Source
from catalog.models.recorded import Recorded


@dataclass(frozen=True, kw_only=True)
class Table:
    """One kind of record: where it is kept, what identifies it, and the verbs that write many.

    `key` is the field of the record that holds the primary key of its row.
    """

    model: type[Recorded]
    record_type: type[records.Record]
    key: str
    record: Callable[[User, list[Any]], object]
    change: Callable[[User, list[Any]], object]

    @property
    def name(self) -> str:
        """The name of the files that are exported, without their ending."""
        return str(self.model._meta.verbose_name_plural).replace(" ", "-")


DEVICES = Table(
    model=Device,
    record_type=records.Device,
    key="model_id",
    record=lambda by, devices: actions.record_devices(by=by, devices=devices),
    change=lambda by, devices: actions.change_devices(by=by, devices=devices),
)

AIRLINES = Table(
    model=Airline,
    record_type=records.Airline,
    key="airline",
    record=lambda by, airlines: actions.record_airlines(by=by, airlines=airlines),
    change=lambda by, airlines: actions.change_airlines(by=by, airlines=airlines),
)

SOURCES = Table(
    model=Source,
    record_type=records.Source,
    key="id",
    record=lambda by, sources: actions.record_sources(by=by, sources=sources),
    change=lambda by, sources: actions.change_sources(by=by, sources=sources),
)
