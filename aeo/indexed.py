"""The indexed pages as sitemaps list them, read from the database a few hundred at a time.

The register holds what pages and the manifest need; sitemaps hold none of it, so a million pages take no more
memory than a thousand. Called by the views of sitemaps.
"""

import datetime
from collections.abc import Iterator

from django.db.models import F, Max

from aeo.http import place
from aeo.models import IndexedPage, Recomputation
from aeo.sitemaps import MOST_IN_SHARD, Place

BATCH = 500
"""How many rows are held at a time: a part of a shard."""


def version() -> int:
    """Return what tells two states of the indexed pages apart."""
    return Recomputation.objects.values_list("pk", flat=True).first() or 0


def count() -> int:
    """Return how many pages are indexed: they are ranked from 1 without a gap."""
    return IndexedPage.objects.aggregate(last=Max("rank"))["last"] or 0


def newest_by_shard() -> dict[int, datetime.datetime]:
    """Return, for each shard by its number from 1, when a page in it last changed."""
    # The database divides whole numbers into whole numbers.
    shard = (F("rank") - 1) / MOST_IN_SHARD + 1
    rows = IndexedPage.objects.order_by().annotate(shard=shard).values_list("shard")
    return dict(rows.annotate(newest=Max("last_changed")).order_by("shard"))


def shard(number: int) -> Iterator[Place]:
    """Yield the pages of a shard, the most important first."""
    first = (number - 1) * MOST_IN_SHARD
    for start in range(first, first + MOST_IN_SHARD, BATCH):
        rows = IndexedPage.objects.filter(rank__gt=start, rank__lte=start + BATCH).order_by("rank")
        found = rows.values_list("path", "last_changed")
        yield from (place(path, changed) for path, changed in found)
        if len(found) < BATCH:
            return
