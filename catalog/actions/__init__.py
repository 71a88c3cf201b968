"""The only writers of the catalog. The admin, the seed and the tests call them.

Each verb takes the records of `catalog.records`, writes all or nothing, and says who did it (`by=`). A record
that is there already is refused, never overwritten. All of them raise what `catalog.errors` names.
"""

from catalog.actions.accounts import program_account
from catalog.actions.airlines import record_airline, record_airlines
from catalog.actions.devices import record_device, record_devices
from catalog.actions.places import record_countries, record_country, record_jurisdiction, record_jurisdictions
from catalog.actions.sources import record_source, record_sources

__all__ = [
    "program_account",
    "record_airline",
    "record_airlines",
    "record_countries",
    "record_country",
    "record_device",
    "record_devices",
    "record_jurisdiction",
    "record_jurisdictions",
    "record_source",
    "record_sources",
]
