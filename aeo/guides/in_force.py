"""The guides that readers may see: those of the program's files, and instead of them what editors approved.

Kept in memory and read again some seconds after an approval, so no page asks the database. Called by the
checks of guides and by the versions of the pages that show them.
"""

import datetime
import logging
from dataclasses import dataclass

from django.db import Error as DatabaseFailure

from aeo.guides.editing.models import GuideText
from aeo.guides.editing.records import guide_of
from aeo.guides.reading import Guide, GuideError, load_guides
from catalog.database.cached_values import CachedValue
from catalog.editorial.workflow import State

logger = logging.getLogger(__name__)

SECONDS = 2


@dataclass(frozen=True, eq=False)
class GuidesInForce:
    """The guides by slug, which rows of the table they are from, and when the last of these was approved."""

    guides: tuple[Guide, ...]
    rows: tuple[int, ...] = ()
    changed_at: datetime.datetime | None = None


def _read(cached: GuidesInForce) -> GuidesInForce:
    try:
        rows = tuple(
            GuideText.objects.filter(state=State.PUBLISHED).order_by("pk").values_list("pk", flat=True)
        )
        if rows == cached.rows:
            return cached
        return _of(list(GuideText.objects.filter(pk__in=rows).order_by("pk")))
    except DatabaseFailure as error:
        logger.warning("Guides cannot be read; going on from memory: %s", type(error).__name__)
        return cached


def _of(rows: list[GuideText]) -> GuidesInForce:
    found = {guide.slug: guide for guide in load_guides()}
    for row in rows:
        found.pop(row.slug, None)
        if not row.withdraws and (guide := _guide(row)):
            found[row.slug] = guide
    changed_at = max((row.published_at for row in rows if row.published_at), default=None)
    return GuidesInForce(
        tuple(found[slug] for slug in sorted(found)), tuple(row.pk for row in rows), changed_at
    )


def _guide(row: GuideText) -> Guide | None:
    """Return the guide of a row; None if this version of the program cannot read it, so nobody sees it."""
    try:
        return guide_of(row.to_record())
    except GuideError as error:
        logger.error("A guide cannot be read, and is left out: %s", error)
        return None


_cached = CachedValue(_read, GuidesInForce(load_guides()), seconds=SECONDS)

current = _cached.current
"""Return the guides in force, at most some seconds old."""

forget = _cached.forget
"""Forget the copy: the next call reads the database. For tests."""


def pin_files() -> None:
    """Assume from now on that editors changed no guide: for tools and tests that ask without a database."""
    _cached.pin(GuidesInForce(load_guides()))
