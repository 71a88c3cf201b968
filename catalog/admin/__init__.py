"""The catalog's screens: brands, models, airlines, evidence and places. Every change goes through a verb.

The audit log and the runs of jobs can be read here. What the screens of other rooms need as well stands here
too: `confirming`, `record_screens`, `rows`, `evidence`, `history`, `bulk`.
"""

from catalog.admin.airlines import AirlineAdmin
from catalog.admin.audit import AuditEntryAdmin
from catalog.admin.brands import BrandAdmin
from catalog.admin.devices import DeviceAdmin
from catalog.admin.jobs import RunAdmin
from catalog.admin.places import CountryAdmin, JurisdictionAdmin
from catalog.admin.sources import SourceAdmin

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
