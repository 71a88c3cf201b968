"""Filters of the list of sources: how old and how fresh a reading is, and whether anything refers to it."""

from django.db.models import Q
from django.utils import timezone

from catalog.cadence import PACES
from catalog.records import POINTER
from catalog.screens.filters import AGES, ConditionFilter, days_ago
from catalog.sources.models import Source
from catalog.sources.selectors import is_due, is_overdue, of_cadence
from catalog.tables.references import is_referred_to


class ReadingAgeFilter(ConditionFilter):
    """How long ago a page was read."""

    title = "last read"
    parameter_name = "age"

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the conditions as of today."""
        return {str(days): (f"Over {days} days ago", Q(read_on__lt=days_ago(days))) for days in AGES}


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
            "overdue": ("Overdue: twice as old as allowed", overdue),
        }


class CadenceFilter(ConditionFilter):
    """How often a source is visited, by its own cadence or by that of its kind."""

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
        return {"yes": ("Used", used), "no": ("Not used", ~used)}
