"""The only writers of the catalog. The admin, the seed and the tests call them.

Each verb takes the records of `catalog.records`, writes all or nothing, and says who did it (`by=`). What
records never overwrites: a record that is there already is refused. What changes takes whole records, and
refuses one that is not there. All of them raise what `catalog.errors` names.
"""

from catalog.actions.deleting import delete_airline, delete_brand, delete_device, delete_source
from catalog.airlines.actions import change_airline, change_airlines, record_airline, record_airlines
from catalog.devices.actions import change_device, change_devices, record_device, record_devices
from catalog.devices.brands.actions import record_brand, rename_brand
from catalog.places.actions import (
    change_jurisdiction,
    change_jurisdictions,
    record_countries,
    record_country,
    record_jurisdiction,
    record_jurisdictions,
)
from catalog.sources.actions import (
    change_source,
    change_sources,
    record_source,
    record_sources,
    reread_source,
)
from catalog.tables.actions.accounts import program_account

__all__ = [
    "change_airline",
    "change_airlines",
    "change_device",
    "change_devices",
    "change_jurisdiction",
    "change_jurisdictions",
    "change_source",
    "change_sources",
    "delete_airline",
    "delete_brand",
    "delete_device",
    "delete_source",
    "program_account",
    "record_airline",
    "record_airlines",
    "record_brand",
    "record_countries",
    "record_country",
    "record_device",
    "record_devices",
    "record_jurisdiction",
    "record_jurisdictions",
    "record_source",
    "record_sources",
    "rename_brand",
    "reread_source",
]
