"""The page records in memory: which pages are indexed, how important they are, when they last changed.

They are read from the database again after each finished recomputation; a check for one happens at most once
in `PATIENCE_SECONDS`. While the database is unavailable, the last copy is used. The content of pages does not
depend on it; only their indexing and dates do. Called by the views, the manifest and the sitemaps.
"""

import datetime
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from django.db import Error as DatabaseFailure

from aeo.page_records.models import IndexedPage, Recomputation, ReferencePage
from catalog.database.cached_values import CachedValue

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 5

MOST_ROWS = 6
"""How many verdict pages are shown on a page about something else."""


class Combination(NamedTuple):
    """What one page is about, by ids and codes."""

    model_id: str
    airline: str
    country: str


class Indexed:
    """The indexed verdict pages, the most important first, by what they are about."""

    def __init__(self, combinations: Iterable[Combination]) -> None:
        self._all = tuple(combinations)

    @cached_property
    def of_model(self) -> dict[str, list[Combination]]:
        """Return the pages about each model."""
        return self._by(lambda page: page.model_id)

    @cached_property
    def of_airline(self) -> dict[str, list[Combination]]:
        """Return the pages about each airline."""
        return self._by(lambda page: page.airline)

    @cached_property
    def of_country(self) -> dict[str, list[Combination]]:
        """Return the pages about each country."""
        return self._by(lambda page: page.country)

    @cached_property
    def first_flights(self) -> tuple[tuple[str, str], ...]:
        """Return the airlines and countries of the most important pages, each airline once."""
        found: dict[str, str] = {}
        for page in self._all:
            found.setdefault(page.airline, page.country)
        return tuple(found.items())[:MOST_ROWS]

    def _by(self, name: Callable[[Combination], str]) -> dict[str, list[Combination]]:
        found: dict[str, list[Combination]] = defaultdict(list)
        for page in self._all:
            found[name(page)].append(page)
        return dict(found)


@dataclass(frozen=True, slots=True)
class PageRecord:
    """The facts about an indexed page."""

    path: str
    model_id: str
    airline: str
    country: str
    last_changed: datetime.datetime
    first_published: datetime.datetime | None = None


@dataclass(frozen=True)
class Register:
    """The indexed verdict pages by address, the most important first. `version` distinguishes two states.

    `references` are the other indexed pages by address, each with the time of its last change.
    """

    version: int = 0
    pages: Mapping[str, PageRecord] = field(default_factory=dict)
    references: Mapping[str, datetime.datetime] = field(default_factory=dict)

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """Return the addresses of the verdict pages, the most important first."""
        return tuple(self.pages)

    @cached_property
    def indexed(self) -> Indexed:
        """Return the verdict pages by what they are about."""
        return Indexed(Combination(page.model_id, page.airline, page.country) for page in self.pages.values())


def _read(cached: Register) -> Register:
    try:
        newest = Recomputation.objects.values_list("pk", flat=True).first() or 0
        if newest == cached.version:
            return cached
        rows = IndexedPage.objects.values_list(
            "path", "model_id", "airline", "country", "last_changed", "first_published"
        )
        references = ReferencePage.objects.values_list("path", "last_changed")
        return Register(newest, {row[0]: PageRecord(*row) for row in rows}, dict(references))
    except DatabaseFailure as error:
        logger.warning("Page records cannot be read; going on from memory: %s", type(error).__name__)
        return cached


_cached = CachedValue(_read, Register(), seconds=PATIENCE_SECONDS)

current = _cached.current
"""Return the register, which may be old."""

forget = _cached.forget
"""Forget the copy: the next call reads the database. For tests and commands that cannot wait."""
