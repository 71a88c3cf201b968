"""The verbs of pages: choose by which rules they are indexed, keep their records, and announce changes.

Records are brought in line by the job `aeo.tasks.catch_up` and by `manage.py pages recompute`: after each
publishing, each choice, and when a day begins.
"""

import datetime
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import F
from django.forms.models import model_to_dict

from aeo import indexnow
from aeo.articles import article
from aeo.curation import Combination, curated
from aeo.editions import Edition
from aeo.http import address
from aeo.models import Curation, IndexedPage, Recomputation, ReferencePage, ScorecardRecord
from aeo.pages.indexing import reference_pages
from aeo.pages.verdict_rows import Indexed
from aeo.selectors import choice_in_force, unknown_names
from catalog.errors import Unfit
from rules import scorecard

_LOCK = 5_704_211
"""The advisory lock under which one process at a time recomputes: any number that nobody else uses."""


CHOSEN = [
    field.name for field in Curation._meta.fields if field.editable and field.name not in {"id", "reason"}
]
"""What a choice chooses."""


@transaction.atomic
def choose_pages(*, by: User, choice: Curation, edition: Edition, now: datetime.datetime) -> Curation:
    """Have pages indexed by another choice from now on, and send for their records.

    Raises `Unfit` where the choice is the one in force, or leaves out what the edition does not have: a slip
    of the pen would leave out nothing.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    if model_to_dict(choice, CHOSEN) == model_to_dict(choice_in_force(), CHOSEN):
        raise Unfit(str(choice), "this is the choice in force")
    for name, unknown in unknown_names(choice, edition.release).items():
        raise Unfit(str(choice), f"`{name}`: not in the current release: {', '.join(unknown)}")
    choice.pk = None
    choice.created_by, choice.created_at = by, now
    choice.save(force_insert=True)
    transaction.on_commit(_send_for_the_records, robust=True)
    return choice


def _send_for_the_records() -> None:
    # The task calls this module.
    from aeo.tasks import send_for_pages

    send_for_pages()


class _Computed(NamedTuple):
    combination: Combination
    content_hash: str


def recompute_pages(*, edition: Edition, now: datetime.datetime) -> Recomputation:
    """Bring the page records in line with an edition.

    Only what says something else than before gets a new `last_changed`, and that is `now`. Doing it twice
    changes nothing but the log of recomputations.
    """
    found = _compute(edition, choice_in_force())
    references = _compute_references(edition, [computed.combination for computed in found.values()])
    # HTML knows milliseconds and nothing finer; nobody needs those.
    changed_at = now.replace(microsecond=0)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        changed = _write(found, changed_at)
        _write_references(references, changed_at)
        return Recomputation.objects.create(
            release_sha256=edition.release.sha256,
            day=edition.today,
            finished=now,
            pages=len(found),
            changed=changed,
        )


def keep_scorecard(*, edition: Edition, now: datetime.datetime) -> ScorecardRecord:
    """Count how the release of an edition answers on its day, and keep the figures; once is enough."""
    counted = scorecard.measure(edition.release, today=edition.today)
    kept, _ = ScorecardRecord.objects.get_or_create(
        release_sha256=edition.release.sha256,
        day=edition.today,
        program_sha256=scorecard.program_digest(),
        defaults={"finished": now, "figures": msgspec.to_builtins(counted)},
    )
    return kept


def announce_pages() -> int:
    """Tell search engines of the pages that say something else than when they were last told.

    Returns how many these were. Raises `NotAnnounced`; what was told until then is written down, so doing it
    again goes on where it stopped.
    """
    told = 0
    changed = IndexedPage.objects.exclude(announced_hash=F("content_hash"))
    while batch := list(changed.values_list("path", "content_hash")[: indexnow.MOST_URLS]):
        paths, hashes = zip(*batch, strict=True)
        indexnow.submit([address(path) for path in paths])
        # A page that has changed meanwhile is told of again.
        rows = IndexedPage.objects.filter(path__in=paths, content_hash__in=hashes)
        rows.update(announced_hash=F("content_hash"))
        told += len(batch)
    return told


def _compute(edition: Edition, choice: Curation) -> dict[str, _Computed]:
    """Return the indexed pages by their addresses, the most important first."""
    articles = [(combination, article(edition, *combination)) for combination in curated(edition, choice)]
    return {shown.path: _Computed(combination, shown.content_hash) for combination, shown in articles}


def _compute_references(edition: Edition, combinations: Sequence[Combination]) -> dict[str, str]:
    """Return the content hashes of the other indexed pages by their addresses."""
    pages = reference_pages(edition, Indexed(combinations))
    return {page.path: page.content_hash for page in pages}


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


def _write_references(found: Mapping[str, str], now: datetime.datetime) -> None:
    known = {page.path: page for page in ReferencePage.objects.all()}
    rows = [
        ReferencePage(path=path, content_hash=content_hash, last_changed=now)
        for path, content_hash in found.items()
        if path not in known or known[path].content_hash != content_hash
    ]
    ReferencePage.objects.exclude(path__in=found).delete()
    ReferencePage.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["path"], update_fields=["content_hash", "last_changed"]
    )
