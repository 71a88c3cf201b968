"""Filters of lists: the base of filters by named conditions, and a filter by the sources of a row."""

import datetime
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.auth.models import User
from django.db.models import Exists, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from unfold.contrib.filters.admin import DropdownFilter, TextFilter

from catalog.records import POINTER
from catalog.screens.ids import as_key
from catalog.tables.programs import PROGRAMS

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


class DaysFilter(TextFilter):
    """For how many days a row has been in its state; `since` is the moment when that began.

    The lists offer one for a lowest and one for a highest number, so any age can be asked for.
    """

    at_least: ClassVar[bool] = True

    def since(self, model_admin: Any) -> Any:
        """Return the moment as an expression over the rows of a list."""
        return model_admin.in_state_since()

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        self.moment = self.since(model_admin)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows of that age."""
        if not self.value():
            return queryset
        day = timezone.now() - datetime.timedelta(days=days_of(str(self.value())))
        bound = "in_state_since__lte" if self.at_least else "in_state_since__gte"
        return queryset.alias(in_state_since=self.moment).filter(**{bound: day})


class AtLeastDaysFilter(DaysFilter):
    """Rows that have been in their state for some days or longer."""

    title = "days in this state, at least"
    parameter_name = "days"


class AtMostDaysFilter(DaysFilter):
    """Rows that have been in their state for some days or less."""

    title = "days in this state, at most"
    parameter_name = "days_up_to"
    at_least = False


class PersonFilter(DropdownFilter):
    """A person who did something with a row: by default, who wrote in it."""

    title = "author"
    parameter_name = "author"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return all people of the desk and the programs that write, by name."""
        people = User.objects.filter(Q(is_staff=True) | Q(username__in=PROGRAMS)).order_by("username")
        return [(str(key), name) for key, name in people.values_list("pk", "username")]

    def condition(self, person: int) -> Q:
        """Return the condition that a person did it."""
        return Q(authors__contains=[person])

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows of the chosen person."""
        person = as_key(User, self.value()) if self.value() else None
        if self.value() and person is None:
            raise IncorrectLookupParameters
        return queryset.filter(self.condition(person)) if person is not None else queryset


MOST_DAYS = 36_500


def days_of(text: str) -> int:
    """Return a typed number of days. Raises `IncorrectLookupParameters`."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= MOST_DAYS):
        raise IncorrectLookupParameters
    return int(text)


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
