"""How signals and watched pages are narrowed: by what an editor looks for."""

import datetime
from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from unfold.contrib.filters.admin import DropdownFilter

from catalog.models import Source
from catalog.records import POINTER
from catalog.screens.filters import ConditionFilter
from rules.watch.admin.words import BY_HAND, KINDS, OUTCOMES
from rules.watch.models import WatchSignal
from rules.watch.recording import BY_LEAVE

LATE = datetime.timedelta(days=1)
"""A page that was due so long ago shows that the watch lags, or is off."""

UNANSWERED = Q(due__isnull=False) & ~Q(trouble__in=["", *BY_LEAVE])
AS_SEEN = Q(newest__isnull=False, newest=F("reviewed"), trouble="")
CHANGED = Q(newest__isnull=False) & ~Q(newest=F("reviewed"))


def late(now: datetime.datetime) -> Q:
    """Return the condition that a page should have been visited more than a day ago."""
    return Q(due__lt=now - LATE)


def confirmable() -> Q:
    """Return the condition that a page can be confirmed unseen, and that a source would move by it.

    It has not changed since, and each of its sources was read when it said already what it says now.
    """
    return _quiet() & Q(Exists(_older())) & ~Q(Exists(_never_compared()))


def never_compared() -> Q:
    """Return the condition that a page has not changed, but that nobody read what it was compared with."""
    return _quiet() & Q(Exists(_never_compared()))


def _quiet() -> Q:
    return AS_SEEN & ~Q(Exists(WatchSignal.objects.filter(page=OuterRef("pk"), outcome="")))


def _older() -> QuerySet[Source]:
    """Return the sources of a page of an outer query that were read before the page last answered."""
    read = Source.objects.filter(url=OuterRef("url")).exclude(basis=POINTER)
    return read.filter(read_on__lt=OuterRef("answered__date"))


def _never_compared() -> QuerySet[Source]:
    """Return those of them that were read before the watch knew the text, or at another address."""
    elsewhere = Q(read_url__isnull=False) & ~Q(read_url=F("url"))
    return _older().filter(Q(read_on__lt=OuterRef("newest_since__date")) | elsewhere)


class KindFilter(admin.SimpleListFilter):
    """What a page did."""

    title = "what happened"
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the kinds, the gravest first."""
        return [(kind.value, label) for kind, label in KINDS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the signals of the chosen kind."""
        return queryset.filter(kind=self.value()) if self.value() else queryset


class OutcomeFilter(admin.SimpleListFilter):
    """What became of a signal: by default, those that are open."""

    title = "state"
    parameter_name = "state"
    EVERY = "every"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the outcomes, and every signal."""
        return [*((str(value), label) for value, label in OUTCOMES.items() if value), (self.EVERY, "Every")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the open signals, those with one outcome, or all."""
        return queryset if self.value() == self.EVERY else queryset.filter(outcome=self.value() or "")

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Return the choices; the first says what it means."""
        first, *others = super().choices(changelist)
        yield {**first, "display": OUTCOMES[""]}
        yield from others


class AuthorityFilter(DropdownFilter):
    """Whose page it is: an authority, an airline, a maker."""

    title = "authority or airline"
    parameter_name = "authority"
    url_path = "url"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return whose pages there are, by name."""
        pages = model_admin.model._default_manager.order_by().values(self.url_path)
        names = Source.objects.filter(url__in=pages).order_by("authority").values_list("authority", flat=True)
        return [(name, name) for name in names.distinct()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return what is about the pages of the chosen one."""
        theirs = Source.objects.filter(url=OuterRef(self.url_path), authority=self.value())
        return queryset.filter(Exists(theirs)) if self.value() else queryset


class SignalAuthorityFilter(AuthorityFilter):
    """The same of signals."""

    url_path = "page__url"


class StandingFilter(ConditionFilter):
    """How a page stands."""

    title = "state"
    parameter_name = "state"

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the conditions as of now."""
        return {
            "changed": ("Changed", CHANGED),
            "trouble": ("Does not answer", UNANSWERED),
            "by_hand": ("To be read by hand", Q(due__isnull=False, trouble=BY_HAND)),
            "late": ("Due for over a day", late(timezone.now())),
            "unchanged": ("Unchanged since it was read, to confirm", confirmable()),
            "unread": ("Unchanged, but read before the watch knew it", never_compared()),
            "new": ("Not visited yet", Q(due__isnull=False, visited__isnull=True)),
            "aside": ("No longer visited", Q(due__isnull=True)),
        }
