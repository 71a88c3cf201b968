"""The catalog's screens: brands, models, airlines, evidence and places. Every change goes through a verb.

The audit log and the runs of jobs can be read here. What the screens of other rooms need as well stands here
too: `confirming`, `record_screens`, `rows`, `evidence`, `history`, `bulk`.
"""

from catalog.airlines.admin import AirlineAdmin
from catalog.devices.admin import DeviceAdmin
from catalog.devices.brands.admin import BrandAdmin
from catalog.editorial.audit.admin import AuditEntryAdmin
from catalog.jobs.admin import RunAdmin
from catalog.places.admin import CountryAdmin, JurisdictionAdmin
from catalog.sources.admin import SourceAdmin

__all__ = [
    "AirlineAdmin",
    "AuditEntryAdmin",
    "BrandAdmin",
    "CountryAdmin",
    "DeviceAdmin",
    "JurisdictionAdmin",
    "RunAdmin",
    "SourceAdmin",
]
