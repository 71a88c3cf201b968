"""The present records of the corpus here, and the earlier content of the corpus here.

An installation that was seeded before there were updates has no record of proposals, and needs none. For a
rule or a recall, the revision that the seed wrote still exists. For a record that is changed in place, the
first release has the seed's content, unless a person changed the record before that; then nothing is assumed.
After that, each proposal has the corpus's content. Reads only.
"""

import functools
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec
from django.contrib.auth.models import User

from catalog.editorial.workflow import AGREED, OPEN, State
from catalog.tables.history import events_of
from compliance.starter_corpus.kinds import KIND_OF, Kind
from compliance.starter_corpus.models import CorpusProposal
from compliance.starter_corpus.seeding import APPROVER, AUTHOR
from rules.engine.document import Content, decode
from rules.models import Release

UPDATER = "starter-corpus-update"
"""The account that is the author of the update's drafts."""


class Here(NamedTuple):
    """One record in this installation.

    `record` is the content in the next release, None if there is none. `said` is the corpus's content here
    over time, the oldest first, with None for a corpus without the record; it is empty if the corpus never
    had the record. `occupied` is the reason why no draft can be opened, "" if one can. `exists` says whether
    a row has this id.
    """

    record: Any = None
    said: tuple[Any, ...] = ()
    occupied: str = ""
    exists: bool = False


NOTHING = Here()


def recorded(kind: Kind) -> dict[str, Here]:
    """Return the present records of a kind, by id; also deleted ones."""
    found = dict(_of_revisions(kind) if kind.has_revisions else _in_place(kind))
    for record_id, proposals in _proposals(kind).items():
        here = found.get(record_id, NOTHING)
        # A record that came by a proposal was not here before it.
        first = here.said or ((None,) if proposals[0].change == "new" else ())
        said = (one.proposed(kind.table.record_type) for one in proposals)
        found[record_id] = here._replace(said=(*first, *said))
    return found


def recorded_now(kind: Kind, record_id: str) -> Any:
    """Return one record's content in the next release, None if there is none."""
    rows: Any = kind.table.model.objects.identified([record_id])
    if kind.has_revisions:
        model: Any = kind.table.model
        rows = model.objects.filter(**{model.id_field: record_id}).to_publish()
    return next(iter(rows.records()), None)


def occupation(kind: Kind, record_id: str) -> str:
    """Return why the update can open no draft of one rule or recall, "" if it can."""
    newest = kind.table.model.objects.identified([record_id]).select_related("created_by").first()
    return "" if newest is None else _occupied(newest, account(UPDATER))


def drafted(kind: Kind) -> Any:
    """Return the revisions of a kind that updates have drafted, in any state."""
    model: Any = kind.table.model
    return model.objects.filter(created_by__username=UPDATER)


def fingerprint(proposal: CorpusProposal) -> str:
    """Return a digest that changes with a proposal and with its record."""
    here = recorded_now(KIND_OF[proposal.kind], proposal.record_id)
    seen = [proposal.pk, proposal.state, proposal.record, here]
    return hashlib.sha256(msgspec.json.encode(seen)).hexdigest()


def account(name: str) -> int | None:
    """Return the key of the account of a program; None if it has done nothing here yet."""
    return User.objects.filter(username=name).values_list("pk", flat=True).first()


def _proposals(kind: Kind) -> dict[str, list[CorpusProposal]]:
    found: defaultdict[str, list[CorpusProposal]] = defaultdict(list)
    for proposal in CorpusProposal.objects.filter(kind=kind.name).order_by("pk"):
        found[proposal.record_id].append(proposal)
    return found


# --- Kinds with revisions ---


def _of_revisions(kind: Kind) -> Iterator[tuple[str, Here]]:
    model: Any = kind.table.model
    seed, updater = account(AUTHOR), account(UPDATER)
    rows = model.objects.select_related("created_by").prefetch_related(*model.record_parts)
    for record_id, revisions in rows.by_record().items():
        agreed = [row for row in revisions if row.state in AGREED]
        seeded = [row for row in revisions if row.authors == [seed] and not row.withdraws]
        agreed_record = agreed[-1] if agreed and not agreed[-1].withdraws else None
        yield (
            record_id,
            Here(
                record=agreed_record and agreed_record.to_record(),
                said=tuple(row.to_record() for row in seeded[-1:]),
                occupied=_occupied(revisions[-1], updater),
                exists=True,
            ),
        )


def _occupied(newest: Any, updater: int | None) -> str:
    """Return why the newest revision keeps the update from drafting, "" if it does not."""
    if newest.state not in OPEN:
        return ""
    if newest.state == State.IN_REVIEW:
        return f"revision {newest.revision} is in review"
    # A draft that no person has edited is the update's own, and can be written again.
    if newest.authors == [updater] and not newest.withdraws:
        return ""
    return f"revision {newest.revision} is a draft of {newest.created_by}"


# --- Kinds that are changed in place ---


def _in_place(kind: Kind) -> Iterator[tuple[str, Here]]:
    rows = {row.pk: row for row in kind.table.model.objects.prefetch_related(*kind.table.model.record_parts)}
    records = {pk: row.to_record() for pk, row in rows.items()}
    programs = {account(AUTHOR), account(APPROVER)}
    of_people = {pk for pk, row in rows.items() if row.created_by_id not in programs}
    changed = _changed(kind)
    seeded = {pk: record for pk, record in records.items() if pk not in changed}
    # Of a changed or deleted record, the first release has the seed's content.
    early = _changed_before_the_first_release(kind)
    seeded |= {pk: one for pk, one in _in_the_first_release(kind) if pk not in early and pk not in seeded}
    for pk in records.keys() | seeded.keys():
        said = () if pk in of_people or pk not in seeded else (seeded[pk],)
        yield pk, Here(record=records.get(pk), said=said, exists=pk in records)


def _changed(kind: Kind) -> set[str]:
    """Return which records were changed since they were written, by anyone."""
    return {
        pk
        for model in kind.changed_in
        for pk in model._default_manager.filter(changed_by__isnull=False).values_list("pk", flat=True)
    }


def _changed_before_the_first_release(kind: Kind) -> set[str]:
    first = _first_release()
    if first is None:
        return _changed(kind)
    return {
        pk
        for model in kind.changed_in
        for pk in events_of(model)
        .filter(changed_by__isnull=False, changed_at__lte=first.published_at)
        .values_list("pgh_obj_id", flat=True)
    }


def _in_the_first_release(kind: Kind) -> Iterable[tuple[str, Any]]:
    first = _first_release()
    if first is None or kind.name not in Content.__struct_fields__:
        return ()
    return ((kind.id_of(one), one) for one in getattr(_content_of(first.document), kind.name))


def _first_release() -> Release | None:
    return Release.objects.order_by("sequence").first()


@functools.lru_cache(maxsize=1)
def _content_of(document: str) -> Content:
    """Return the content of a release; the kinds ask one after the other."""
    return decode(document.encode()).content
