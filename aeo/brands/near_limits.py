"""Which ratings stand near a limit: at 100 or 160 Wh, or up to 5 % below.

There a slip of the label, or a figure that was computed, decides between two verdicts. The share is the
engine's own for computed figures (`catalog.energy`). Pure. Called by curation and by brand hubs.
"""

from decimal import Decimal

from catalog.energy import COMPUTED_SHORTFALL_PERCENT

LIMITS_WATT_HOUR = (Decimal(100), Decimal(160))
"""The limits of the international baseline."""

_SHARE = Decimal(100 - COMPUTED_SHORTFALL_PERCENT) / 100


def is_near_limit(watt_hour: Decimal) -> bool:
    """Tell whether a rating stands near a limit, below it or just at it."""
    return any(limit * _SHARE <= watt_hour <= limit for limit in LIMITS_WATT_HOUR)
