"""Filters of lists: the base of filters by named conditions, and a filter by the sources of a row."""

import datetime
from typing import Any

from django.contrib import admin
from django.db.models import Exists, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from catalog.records import POINTER

AGES = (30, 90, 180, 365)
"""Days after which an editor may want to read a source again."""


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
        """Return the conditions, by their names in the address."""
        return self.conditions


class EvidenceFilter(ConditionFilter):
    """How good the evidence of a row is, on a list that `ShowsEvidence`."""

    title = "evidence"
    parameter_name = "evidence"

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        self.read = model_admin.evidence_of_row().exclude(source__basis=POINTER)
        super().__init__(request, params, model, model_admin)

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the conditions as of today. They query links, never the oldest source of each row."""
        return {
            "none": ("No source was read", ~Q(Exists(self.read))),
            **{
                str(days): (
                    f"A source was last read over {days} days ago",
                    Q(Exists(self.read.filter(source__read_on__lt=days_ago(days)))),
                )
                for days in AGES
            },
        }


def days_ago(days: int) -> datetime.date:
    """Return the day that was some days ago."""
    return timezone.localdate() - datetime.timedelta(days=days)
