"""Filters of the list of rules."""

import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from unfold.contrib.filters.admin import DropdownFilter

from catalog.models import Jurisdiction
from catalog.screens.filters import ConditionFilter

SOON_DAYS = 30
"""A rule that ends within this many days needs an editor to look for its successor."""


class InForceFilter(ConditionFilter):
    """Whether a rule is in force by its dates."""

    title = "in force"
    parameter_name = "in_force"

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the conditions as of today."""
        today = timezone.localdate()
        soon = today + datetime.timedelta(days=SOON_DAYS)
        begun = Q(effective_from__isnull=True) | Q(effective_from__lte=today)
        not_over = Q(effective_until__isnull=True) | Q(effective_until__gte=today)
        return {
            "now": ("Now", begun & not_over),
            "later": ("Not yet", Q(effective_from__gt=today)),
            "soon": (f"Expires within {SOON_DAYS} days", Q(effective_until__range=(today, soon))),
            "over": ("No longer", Q(effective_until__lt=today)),
        }


class JurisdictionFilter(DropdownFilter):
    """The country or region that a rule belongs to."""

    title = "country or region"
    parameter_name = "jurisdiction"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return all recorded jurisdictions, by name."""
        places = Jurisdiction.objects.order_by("name").values_list("code", "name")
        return [(code, f"{name} ({code})") for code, name in places]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rules of the chosen jurisdiction."""
        return queryset.filter(jurisdiction=self.value()) if self.value() else queryset
