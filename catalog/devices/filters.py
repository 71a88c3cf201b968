"""Filters of the list of models: how well the watt-hours are known, and whether there is a recall."""

from django.db.models import Q

from catalog.energy import COMPUTED_SHORTFALL_PERCENT
from catalog.screens.filters import ConditionFilter

LIMITS = (100, 160)
"""The limits, in watt-hours, that rules use most."""


def _near(limit: int) -> Q:
    lowest = limit * (100 - COMPUTED_SHORTFALL_PERCENT) / 100
    return Q(watt_hour_basis="computed", watt_hour__range=(lowest, limit))


class WattHourFilter(ConditionFilter):
    """How well the watt-hours are known, and how they compare with the limits."""

    title = "watt-hours"
    parameter_name = "energy"
    conditions = {
        "unknown": ("Not known", Q(watt_hour__isnull=True)),
        "near": ("Computed, too close to a limit to prove it", _near(LIMITS[0]) | _near(LIMITS[1])),
        "low": (f"Up to {LIMITS[0]} Wh", Q(watt_hour__lte=LIMITS[0])),
        "middle": (
            f"Over {LIMITS[0]}, up to {LIMITS[1]} Wh",
            Q(watt_hour__gt=LIMITS[0], watt_hour__lte=LIMITS[1]),
        ),
        "high": (f"Over {LIMITS[1]} Wh", Q(watt_hour__gt=LIMITS[1])),
    }


class RecallFilter(ConditionFilter):
    """Whether a model has a recall."""

    title = "recalls"
    parameter_name = "recalled"
    conditions = {
        "yes": ("Has a recall", Q(has_recall=True)),
        "no": ("Has no recall", Q(has_recall=False)),
    }
