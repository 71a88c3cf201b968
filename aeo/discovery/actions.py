"""The actions on pages: choose how they are indexed, keep their records, and announce changes.

The job `aeo.tasks.catch_up` and `manage.py pages recompute` update the records: after each publishing, after
each choice, and at the start of a day.
"""

import datetime
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import F
from django.forms.models import model_to_dict

from aeo import editions
from aeo.articles.article import path
from aeo.discovery import content_hashes, indexnow
from aeo.discovery.content_hashes import Subject
from aeo.discovery.curation import curated
from aeo.discovery.selectors import unknown_names
from aeo.editions import Edition
from aeo.page_records.models import Curation, IndexedPage, Recomputation, ReferencePage
from aeo.page_records.register import Combination
from aeo.page_records.selectors import choice_in_force
from aeo.reference.indexing import reference_subjects
from aeo.web.addresses import address
from catalog.chunks import actions
from catalog.chunks.actions import ChunkFailed
from catalog.errors import Unfit
from catalog.models import ChunkedWork
from rules import corpus

_LOCK = 5_704_211
"""The advisory lock under which one process at a time recomputes: a number that no other code uses."""

_PARTS = "recompute-pages"
"""The kind of chunked work for the parts of a recomputation."""

_Hashes = list[tuple[str, str]]


CHOSEN = [
    field.name for field in Curation._meta.fields if field.editable and field.name not in {"id", "reason"}
]
"""The fields of a choice."""


@transaction.atomic
def choose_pages(*, by: User, choice: Curation, edition: Edition, now: datetime.datetime) -> Curation:
    """Make another choice of indexed pages valid from now on. The caller sends for the records.

    Raises `Unfit` if the choice is already in force, or if it leaves out a name that the edition does not
    have: a misspelled name would leave out nothing.
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
    return choice


def recompute_pages(*, edition: Edition, now: datetime.datetime) -> Recomputation:
    """Update the page records for an edition, in this process.

    Only pages whose content changed get a new `last_changed`, which is `now`. A second run changes nothing
    but the log of recomputations.
    """
    combinations, subjects = _plan(edition)
    found = dict(content_hashes.hashes(edition, combinations, subjects))
    with transaction.atomic():
        return _keep(edition, combinations, found, now)


def begin_sharing(*, edition: Edition, now: datetime.datetime) -> tuple[ChunkedWork, bool]:
    """Divide a recomputation into parts for workers, unless that was done already.

    Returns the work, and whether workers are needed: the work is new, or a worker died and left a part.
    """
    work = ChunkedWork.objects.filter(kind=_PARTS, key=_key(edition)).first()
    if work is not None:
        return work, actions.is_due(work, now=now)
    combinations, subjects = _plan(edition)
    work = actions.begin_whole(
        _PARTS,
        _key(edition),
        {
            "release_sha256": edition.release.sha256,
            "now": now.isoformat(),
            "combinations": [list(combination) for combination in combinations],
        },
        [msgspec.json.encode(part) for part in content_hashes.parts(subjects)],
        now=now,
    )
    return work, True


def work_on_pages(work_id: int) -> Recomputation | None:
    """Work on free parts until none is left, and store the records if all parts are done.

    Returns what was done in that case. Raises `ChunkFailed` if it fails.
    """
    while actions.do_one(work_id, _work_on_part):
        pass
    with transaction.atomic():
        work = ChunkedWork.objects.select_for_update().filter(pk=work_id).first()
        results = None if work is None else actions.collect(work)
        if work is None or (results is None and not work.failure):
            return None
        # The work is over in any case; the next call starts the failed part again.
        actions.end(_PARTS, key=work.key)
        if results is not None:
            pairs = [msgspec.json.decode(result.content, type=_Hashes) for result in results]
            now = datetime.datetime.fromisoformat(work.given["now"])
            found = dict(chain.from_iterable(pairs))
            return _keep(_edition_of(work.given), _combinations_of(work.given), found, now)
    raise ChunkFailed(work.failure)


def announce_pages() -> int:
    """Tell search engines which pages have changed since the last announcement; return how many.

    Raises `NotAnnounced`. Announced pages are recorded, so the next call continues from there.
    """
    announced = 0
    changed = IndexedPage.objects.exclude(announced_hash=F("content_hash"))
    while batch := list(changed.values_list("path", "content_hash")[: indexnow.MOST_URLS]):
        paths, hashes = zip(*batch, strict=True)
        indexnow.submit([address(path) for path in paths])
        # A page that has changed meanwhile is announced again.
        rows = IndexedPage.objects.filter(path__in=paths, content_hash__in=hashes)
        rows.update(announced_hash=F("content_hash"))
        announced += len(batch)
    return announced


def _key(edition: Edition) -> str:
    return f"{edition.release.sha256}:{edition.today}:{choice_in_force().pk or 0}"


def _plan(edition: Edition) -> tuple[list[Combination], list[Subject]]:
    """Return the indexed verdict pages, the most important first, and the subjects of all indexed pages."""
    combinations = curated(edition, choice_in_force())
    verdicts = [(content_hashes.VERDICT, *combination) for combination in combinations]
    return combinations, [*verdicts, *reference_subjects(edition)]


def _work_on_part(given: Mapping[str, Any], task: bytes) -> bytes:
    subjects = msgspec.json.decode(task, type=list[Subject])
    return msgspec.json.encode(
        list(content_hashes.hashes(_edition_of(given), _combinations_of(given), subjects))
    )


def _edition_of(given: Mapping[str, Any]) -> Edition:
    release = corpus.by_digest(given["release_sha256"])
    return editions.of(release, datetime.datetime.fromisoformat(given["now"]))


def _combinations_of(given: Mapping[str, Any]) -> list[Combination]:
    return [Combination(*combination) for combination in given["combinations"]]


def _keep(
    edition: Edition, combinations: Sequence[Combination], found: Mapping[str, str], now: datetime.datetime
) -> Recomputation:
    """Store the content hashes of all indexed pages. The caller is in a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    verdicts = {path(*combination): combination for combination in combinations}
    # HTML has milliseconds and nothing finer, and finer times are not needed.
    changed_at = now.replace(microsecond=0)
    changed = _write(verdicts, found, changed_at)
    _write_references({at: it for at, it in found.items() if at not in verdicts}, changed_at)
    return Recomputation.objects.create(
        release_sha256=edition.release.sha256,
        day=edition.today,
        finished=now,
        pages=len(verdicts),
        changed=changed,
    )


def _write(verdicts: Mapping[str, Combination], found: Mapping[str, str], now: datetime.datetime) -> int:
    """Replace the records, and return how many are new or changed."""
    before = {page.path: page for page in IndexedPage.objects.all()}
    rows, changed = [], 0
    for rank, (at, combination) in enumerate(verdicts.items(), start=1):
        known, content_hash = before.get(at), found[at]
        same = known is not None and known.content_hash == content_hash
        changed += not same
        rows.append(
            IndexedPage(
                path=at,
                **combination._asdict(),
                rank=rank,
                content_hash=content_hash,
                first_published=now if known is None else known.first_published,
                last_changed=known.last_changed if known is not None and same else now,
            )
        )
    IndexedPage.objects.exclude(path__in=verdicts).delete()
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
