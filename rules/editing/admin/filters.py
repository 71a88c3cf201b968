"""Filters of the list of rules."""

import datetime
from typing import Any

from django.contrib.admin.options import IncorrectLookupParameters
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from unfold.contrib.filters.admin import DropdownFilter

from catalog.editorial.workflow import State
from catalog.models import Jurisdiction
from catalog.screens.filters import ConditionFilter
from rules.editing.models import CODES_OF_RULES, Rule

PERMIT = "permit"
"""The choice of rules without a code."""

SOON_DAYS = 30
"""A rule that ends within this many days needs an editor to look for its successor."""

MOST_ANNOUNCEMENTS = 50


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


class OfRules(DropdownFilter):
    """A filter by what rules say: on their own list, or on one of pages on which they rest."""

    def narrow(self, queryset: QuerySet[Any], condition: dict[str, Any]) -> QuerySet[Any]:
        """Return the rows whose rule meets a condition on its fields."""
        return queryset.filter(**condition)

    def condition(self, value: str) -> dict[str, Any]:
        """Return the condition that a choice means."""
        raise NotImplementedError

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows of the choice."""
        value = self.value()
        if not value:
            return queryset
        if value not in dict(self.lookup_choices):
            raise IncorrectLookupParameters
        return self.narrow(queryset, self.condition(value))


class JurisdictionFilter(OfRules):
    """The country or region that a rule belongs to."""

    title = "country or region"
    parameter_name = "jurisdiction"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return all recorded jurisdictions, by name."""
        places = Jurisdiction.objects.order_by("name").values_list("code", "name")
        return [(code, f"{name} ({code})") for code, name in places]

    def condition(self, value: str) -> dict[str, Any]:
        """Return that a rule is of a jurisdiction."""
        return {"jurisdiction": value}


class CodeFilter(OfRules):
    """What kind of rule it is: its code, or a permit."""

    title = "code of the rule"
    parameter_name = "code_is"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return a permit, and all codes."""
        return [
            (PERMIT, "permit"),
            *sorted((code.name, code.name.replace("_", " ")) for code in CODES_OF_RULES),
        ]

    def condition(self, value: str) -> dict[str, Any]:
        """Return that a rule has a code, or none."""
        return {"code__isnull": True} if value == PERMIT else {"code": value}


class NatureFilter(OfRules):
    """What sort of demand a rule makes: a limit, a precondition, a conduct, a prohibition or an advice."""

    title = "nature of the rule"
    parameter_name = "nature"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return a permit, and the natures of codes."""
        natures = dict.fromkeys(code.nature for code in CODES_OF_RULES)
        return [(PERMIT, "permit"), *((str(nature), str(nature)) for nature in natures)]

    def condition(self, value: str) -> dict[str, Any]:
        """Return that a rule has a code of a nature, or none."""
        if value == PERMIT:
            return {"code__isnull": True}
        return {"code__in": [code.name for code in CODES_OF_RULES if code.nature == value]}


class AnnouncementFilter(DropdownFilter):
    """The announcement that a rule came from: those that wait for review, and the one in the address."""

    title = "announcement"
    parameter_name = "announcement"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the announcements with rules that wait, and the chosen one."""
        chosen = request.GET.get(self.parameter_name, "")
        some = Q(announced__isnull=False, state=State.IN_REVIEW)
        if chosen.isascii() and chosen.isdigit() and len(chosen) < 18:
            some |= Q(announced__announcement=int(chosen))
        names = ("announced__announcement", "announced__announcement__title")
        found = Rule.objects.filter(some).order_by("-announced__announcement").values_list(*names)
        return [(str(pk), title) for pk, title in found.distinct()[:MOST_ANNOUNCEMENTS]]

    def has_output(self) -> bool:
        """Return whether there is something to choose, or something was chosen."""
        return bool(self.lookup_choices) or self.value() is not None

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rules of the chosen announcement."""
        if self.value() is None:
            return queryset
        # Anything else in an address names none.
        known = {key for key, _ in self.lookup_choices}
        chosen = self.value() if self.value() in known else None
        return queryset.filter(announced__announcement=chosen) if chosen else queryset.none()
