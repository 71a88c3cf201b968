"""The indexed pages as sitemaps list them, read from the database one shard at a time.

So a million pages take no more memory than a thousand. The count is cached. While the database is
unavailable, the shards come from the register, which keeps in memory what pages and the manifest need. Called
by the views of sitemaps.
"""

import datetime
from itertools import islice
from typing import NamedTuple

from django.conf import settings
from django.db import Error as DatabaseFailure
from django.db.models import F, Max

from aeo.discovery.sitemaps import MOST_IN_SHARD, Place
from aeo.page_records import register
from aeo.page_records.models import IndexedPage, Recomputation
from aeo.web.languages import alternates
from catalog.database.cached_values import CachedValue

PATIENCE_SECONDS = 2


class Counted(NamedTuple):
    """The number of indexed pages, and for each shard, from 1, when a page in it last changed.

    `version` distinguishes two states. Pages are ranked from 1 without a gap.
    """

    version: int
    pages: int
    newest_by_shard: dict[int, datetime.datetime]


def place(path: str, changed: datetime.datetime | None = None) -> Place:
    """Return a page as sitemaps list it: in every language, with the time of its last change."""
    languages = [(one.tag, f"{settings.SITE_URL}{one.path}") for one in alternates(path)]
    return Place(f"{settings.SITE_URL}{path}", changed, languages)


def shard(number: int) -> list[Place]:
    """Return the pages of a shard, the most important first.

    Raises `django.db.Error` if the database is unavailable and nothing is in memory.
    """
    first = (number - 1) * MOST_IN_SHARD
    try:
        rows = IndexedPage.objects.filter(rank__gt=first, rank__lte=first + MOST_IN_SHARD).order_by("rank")
        return [place(*row) for row in rows.values_list("path", "last_changed")]
    except DatabaseFailure:
        pages = register.current().pages
        if not pages:
            raise
        in_shard = islice(pages.values(), first, first + MOST_IN_SHARD)
        return [place(page.path, page.last_changed) for page in in_shard]


def _read(cached: Counted) -> Counted:
    version = Recomputation.objects.values_list("pk", flat=True).first() or 0
    pages = IndexedPage.objects.aggregate(last=Max("rank"))["last"] or 0
    if (version, pages) == cached[:2]:
        return cached
    return Counted(version, pages, _newest_by_shard())


def _newest_by_shard() -> dict[int, datetime.datetime]:
    # The database divides integers to integers.
    shard = (F("rank") - 1) / MOST_IN_SHARD + 1
    rows = IndexedPage.objects.order_by().annotate(shard=shard).values_list("shard")
    return dict(rows.annotate(newest=Max("last_changed")).order_by("shard"))


_cached = CachedValue(_read, Counted(0, 0, {}), seconds=PATIENCE_SECONDS, alone=0)

counted = _cached.current
"""Return the count, which may be old. Raises `django.db.Error` if it was never read."""
