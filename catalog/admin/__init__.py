"""The catalog's screens: brands, models, airlines, evidence and places. Every change goes through a verb.

What the screens of other rooms need as well stands here too: `confirming`, `record_screens`, `rows`,
`evidence`, `bulk`.
"""

from catalog.admin.airlines import AirlineAdmin
from catalog.admin.brands import BrandAdmin
from catalog.admin.devices import DeviceAdmin
from catalog.admin.places import CountryAdmin, JurisdictionAdmin
from catalog.admin.sources import SourceAdmin

__all__ = ["AirlineAdmin", "BrandAdmin", "CountryAdmin", "DeviceAdmin", "JurisdictionAdmin", "SourceAdmin"]
