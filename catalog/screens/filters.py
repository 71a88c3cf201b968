"""How lists of the catalog are narrowed: by what an editor looks for, not by what a column holds."""

import datetime
from typing import Any

from django.contrib import admin
from django.db.models import Exists, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from catalog.cadence import PACES
from catalog.editorial.selectors import is_due, is_overdue, of_cadence
from catalog.energy import COMPUTED_SHORTFALL_PERCENT
from catalog.models import Source
from catalog.records import POINTER
from catalog.tables.references import is_referred_to

LIMITS = (100, 160)
"""The limits, in watt-hours, that rules draw most."""

AGES = (30, 90, 180, 365)
"""Days after which somebody may want to look again."""


class ConditionFilter(admin.SimpleListFilter):
    """Named conditions, one of which may hold."""

    conditions: dict[str, tuple[str, Q]] = {}

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the conditions to choose from."""
        return [(value, label) for value, (label, _) in self.conditions_now().items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows that meet the chosen condition."""
        chosen = self.conditions_now().get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the conditions, by what stands in the address."""
        return self.conditions


def _near(limit: int) -> Q:
    lowest = limit * (100 - COMPUTED_SHORTFALL_PERCENT) / 100
    return Q(watt_hour_basis="computed", watt_hour__range=(lowest, limit))


class WattHourFilter(ConditionFilter):
    """What is known of the watt-hours, and where they stand against the limits."""

    title = "watt-hours"
    parameter_name = "energy"
    conditions = {
        "unknown": ("Not known", Q(watt_hour__isnull=True)),
        "near": ("Computed, too near a limit to prove it", _near(LIMITS[0]) | _near(LIMITS[1])),
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
        "no": ("Has none", Q(has_recall=False)),
    }


class EvidenceFilter(ConditionFilter):
    """How well a row is founded, on a list that `ShowsEvidence`."""

    title = "evidence"
    parameter_name = "evidence"

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        self.read = model_admin.evidence_of_row().exclude(source__basis=POINTER)
        super().__init__(request, params, model, model_admin)

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the conditions as of today. They ask for links, never for the oldest of each row."""
        return {
            "none": ("No source was read", ~Q(Exists(self.read))),
            **{
                str(days): (
                    f"A source was read over {days} days ago",
                    Q(Exists(self.read.filter(source__read_on__lt=_days_ago(days)))),
                )
                for days in AGES
            },
        }


class ReadingAgeFilter(ConditionFilter):
    """How long ago a page was read."""

    title = "last read"
    parameter_name = "age"

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the conditions as of today."""
        return {str(days): (f"Over {days} days ago", Q(read_on__lt=_days_ago(days))) for days in AGES}


class FreshnessFilter(ConditionFilter):
    """How fresh a reading is, by the cadence of its source."""

    title = "freshness"
    parameter_name = "freshness"

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the conditions as of today."""
        today = timezone.localdate()
        read, due, overdue = ~Q(basis=POINTER), is_due(today), is_overdue(today)
        return {
            "fresh": ("Fresh", read & ~due),
            "due": ("Due to be read again", due),
            "overdue": ("Overdue: twice as old as is good", overdue),
        }


class CadenceFilter(ConditionFilter):
    """How often a source is looked at, whether it says so itself or goes by its kind."""

    title = "cadence"
    parameter_name = "cadence"

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the conditions."""
        return {word: (word.capitalize(), of_cadence(word)) for word in PACES}


class UseFilter(ConditionFilter):
    """Whether anything refers to a row."""

    title = "use"
    parameter_name = "used"

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the conditions."""
        used = is_referred_to(Source)
        return {"yes": ("Something rests on it", used), "no": ("Nothing rests on it", ~used)}


def _days_ago(days: int) -> datetime.date:
    return timezone.localdate() - datetime.timedelta(days=days)
