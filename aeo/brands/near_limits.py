"""Which ratings are near a limit: at 100 or 160 Wh, or up to 5 % below.

There, a wrong label or a computed figure decides between two verdicts. The share is the one that the engine
uses for computed figures (`catalog.energy`). Pure. Called by curation and by brand hubs.
"""

from decimal import Decimal

from catalog.energy import COMPUTED_SHORTFALL_PERCENT

LIMITS_WATT_HOUR = (Decimal(100), Decimal(160))
"""The limits of the international baseline."""

_SHARE = Decimal(100 - COMPUTED_SHORTFALL_PERCENT) / 100


def is_near_limit(watt_hour: Decimal) -> bool:
    """Tell whether a rating is near a limit: below it or exactly at it."""
    return any(limit * _SHARE <= watt_hour <= limit for limit in LIMITS_WATT_HOUR)
