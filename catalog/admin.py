"""All screens of the catalog, where Django looks for them. Each slice defines its own.

Every change goes through an action. The audit log and the runs of jobs are read-only.
"""

from catalog.airlines.admin import AirlineAdmin
from catalog.airports.admin import AirportFactAdmin
from catalog.devices.admin import DeviceAdmin
from catalog.devices.brands.admin import BrandAdmin
from catalog.editorial.audit.admin import AuditEntryAdmin
from catalog.editorial.pending.screens.change_sets import ChangeSetAdmin
from catalog.jobs.admin import RunAdmin
from catalog.places.admin import CountryAdmin, JurisdictionAdmin
from catalog.sources.admin import SourceAdmin

__all__ = [
    "AirlineAdmin",
    "AirportFactAdmin",
    "AuditEntryAdmin",
    "BrandAdmin",
    "ChangeSetAdmin",
    "CountryAdmin",
    "DeviceAdmin",
    "JurisdictionAdmin",
    "RunAdmin",
    "SourceAdmin",
]
