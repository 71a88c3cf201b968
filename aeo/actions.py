"""The one writer of page records: works out which pages are indexed and whether their content changed.

Called by the task and by `manage.py pages recompute`, after each publishing and once a day.
"""

import datetime
from collections.abc import Mapping
from typing import NamedTuple

from django.db import connection, transaction

from aeo.articles import article
from aeo.curation import Combination, curated
from aeo.editions import Edition
from aeo.models import IndexedPage, Recomputation

_LOCK = 5_704_211
"""The advisory lock under which one process at a time recomputes: any number that nobody else uses."""


class _Computed(NamedTuple):
    combination: Combination
    content_hash: str


def recompute_pages(*, edition: Edition, now: datetime.datetime) -> Recomputation:
    """Bring the page records in line with an edition.

    Only what says something else than before gets a new `last_changed`, and that is `now`. Doing it twice
    changes nothing but the log of recomputations.
    """
    found = _compute(edition)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        changed = _write(found, now)
        return Recomputation.objects.create(
            release_sha256=edition.release.sha256,
            day=edition.today,
            finished=now,
            pages=len(found),
            changed=changed,
        )


def _compute(edition: Edition) -> dict[str, _Computed]:
    """Return the indexed pages by their addresses, the most important first."""
    articles = [(combination, article(edition, *combination)) for combination in curated(edition)]
    return {shown.path: _Computed(combination, shown.content_hash) for combination, shown in articles}


def _write(found: Mapping[str, _Computed], now: datetime.datetime) -> int:
    """Replace the records, and return how many are new or say something else."""
    before = {page.path: page for page in IndexedPage.objects.all()}
    rows, changed = [], 0
    for rank, (path, computed) in enumerate(found.items(), start=1):
        known = before.get(path)
        same = known is not None and known.content_hash == computed.content_hash
        changed += not same
        rows.append(
            IndexedPage(
                path=path,
                **computed.combination._asdict(),
                rank=rank,
                content_hash=computed.content_hash,
                last_changed=known.last_changed if known is not None and same else now,
            )
        )
    IndexedPage.objects.exclude(path__in=found).delete()
    IndexedPage.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["path"],
        update_fields=["rank", "content_hash", "last_changed"],
    )
    return changed
