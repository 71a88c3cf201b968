"""The page records in memory: which pages are indexed, how important they are, when they last changed.

Read from the database again whenever a recomputation was finished since; that is asked at most once in
`PATIENCE_SECONDS`. While the database is away, what was read last goes on serving. Pages do not depend on it
for what they say, only for being indexed and dated. Called by the views, the manifest and the sitemaps.
"""

import datetime
import logging
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from time import monotonic

from django.db import Error as DatabaseFailure

from aeo.curation import Combination
from aeo.models import IndexedPage, Recomputation, ReferencePage
from aeo.pages.verdict_rows import Indexed

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 5


@dataclass(frozen=True, slots=True)
class PageRecord:
    """What is known of an indexed page."""

    path: str
    model_id: str
    airline: str
    country: str
    last_changed: datetime.datetime


@dataclass(frozen=True)
class Register:
    """The indexed verdict pages by address, the most important first; `version` tells two states apart.

    `references` are the other indexed pages by address, each with the instant at which it last changed.
    """

    version: int = 0
    pages: Mapping[str, PageRecord] = field(default_factory=dict)
    references: Mapping[str, datetime.datetime] = field(default_factory=dict)

    @cached_property
    def indexed(self) -> Indexed:
        """Return the verdict pages by what they are about."""
        return Indexed(Combination(page.model_id, page.airline, page.country) for page in self.pages.values())


_held = Register()
_asked_at: float | None = None
_reading = threading.Lock()


def current() -> Register:
    """Return the register, as old as it may be."""
    global _asked_at
    # Whoever comes while another reads goes on with what is held, unless nothing ever was.
    if _is_old() and _reading.acquire(blocking=_asked_at is None):
        try:
            if _is_old():
                _read()
                _asked_at = monotonic()
        finally:
            _reading.release()
    return _held


def forget() -> None:
    """Hold nothing: the next question reads the database. For tests and commands that cannot wait."""
    global _held, _asked_at
    _held, _asked_at = Register(), None


def _is_old() -> bool:
    return _asked_at is None or monotonic() - _asked_at >= PATIENCE_SECONDS


def _read() -> None:
    global _held
    try:
        newest = Recomputation.objects.values_list("pk", flat=True).first() or 0
        if newest != _held.version:
            rows = IndexedPage.objects.values_list("path", "model_id", "airline", "country", "last_changed")
            references = ReferencePage.objects.values_list("path", "last_changed")
            _held = Register(newest, {row[0]: PageRecord(*row) for row in rows}, dict(references))
    except DatabaseFailure as error:
        logger.warning("Page records cannot be read; going on from memory: %s", type(error).__name__)


def _begin_anew_in_child() -> None:
    """After a fork: keep what the parent read, but not a lock that it may hold."""
    global _reading
    _reading = threading.Lock()


os.register_at_fork(after_in_child=_begin_anew_in_child)
