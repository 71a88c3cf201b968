"""Filters of signals and watched pages."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from unfold.contrib.filters.admin import DropdownFilter

from catalog.editorial.workflow import AGREED
from catalog.models import Airline, Source
from catalog.screens.filters import ConditionFilter, PersonFilter
from rules.editing.admin.filters import CodeFilter, JurisdictionFilter, NatureFilter, OfRules
from rules.editing.models import RuleEvidence
from rules.watch.admin.words import BY_HAND, KINDS, OUTCOMES
from rules.watch.status import CHANGED, UNANSWERED, confirmable, late, never_compared


class KindFilter(admin.SimpleListFilter):
    """What a page did."""

    title = "kind of signal"
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the kinds, the gravest first."""
        return [(kind.value, label) for kind, label in KINDS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the signals of the chosen kind."""
        return queryset.filter(kind=self.value()) if self.value() else queryset


class OutcomeFilter(admin.SimpleListFilter):
    """The outcome of a signal; by default, open signals."""

    title = "state"
    parameter_name = "state"
    EVERY = "every"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the outcomes, and a choice for every signal."""
        return [*((str(value), label) for value, label in OUTCOMES.items() if value), (self.EVERY, "Every")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the open signals, those with one outcome, or all."""
        return queryset if self.value() == self.EVERY else queryset.filter(outcome=self.value() or "")

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Return the choices; the first one names the default."""
        first, *others = super().choices(changelist)
        yield {**first, "display": OUTCOMES[""]}
        yield from others


class AuthorityFilter(DropdownFilter):
    """Whose page it is: an authority, an airline, a maker."""

    title = "authority or airline"
    parameter_name = "authority"
    url_path = "url"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the owners of the pages, by name."""
        pages = model_admin.model._default_manager.order_by().values(self.url_path)
        names = Source.objects.filter(url__in=pages).order_by("authority").values_list("authority", flat=True)
        return [(name, name) for name in names.distinct()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows about the pages of the chosen owner."""
        theirs = Source.objects.filter(url=OuterRef(self.url_path), authority=self.value())
        return queryset.filter(Exists(theirs)) if self.value() else queryset


class SignalAuthorityFilter(AuthorityFilter):
    """The same for signals."""

    url_path = "page__url"


class StatusFilter(ConditionFilter):
    """The state of a page."""

    title = "state"
    parameter_name = "state"

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the conditions as of now."""
        return {
            "changed": ("Changed", CHANGED),
            "trouble": ("Does not answer", UNANSWERED),
            "by_hand": ("A person must read it", Q(due__isnull=False, trouble=BY_HAND)),
            "late": ("Overdue by more than a day", late(timezone.now())),
            "unchanged": ("Unchanged since it was read, to confirm", confirmable()),
            "unread": ("Unchanged, but read before the first visit", never_compared()),
            "new": ("Not visited yet", Q(due__isnull=False, visited__isnull=True)),
            "aside": ("No longer visited", Q(due__isnull=True)),
        }


class OnPage(OfRules):
    """The same filters for signals: by the rules that rest on the page."""

    def narrow(self, queryset: QuerySet[Any], condition: dict[str, Any]) -> QuerySet[Any]:
        """Return the signals about a page on which such a rule rests, approved or published."""
        meant = {f"rule__{name}": value for name, value in condition.items()}
        resting = RuleEvidence.objects.filter(
            source__url=OuterRef("page__url"), rule__state__in=AGREED, **meant
        )
        return queryset.filter(Exists(resting))


class SignalCodeFilter(OnPage, CodeFilter):
    """Signals by the codes of the rules."""


class SignalNatureFilter(OnPage, NatureFilter):
    """Signals by the natures of the rules."""


class SignalJurisdictionFilter(OnPage, JurisdictionFilter):
    """Signals by the country or region of the rules."""


class SignalAirlineFilter(OnPage):
    """Signals by the airline of the rules."""

    title = "airline"
    parameter_name = "airline"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return all airlines, by name."""
        airlines = Airline.objects.order_by("name").values_list("code", "name")
        return [(code, f"{name} ({code})") for code, name in airlines]

    def condition(self, value: str) -> dict[str, Any]:
        """Return that a rule is of an airline."""
        return {"airline": value}


class ActorFilter(PersonFilter):
    """Who closed a signal, or proposed that its page is still true."""

    title = "person who acted"

    def condition(self, person: int) -> Q:
        """Return the condition that a person did either."""
        return Q(closed_by=person) | Q(proposed_by=person)
