"""Who wrote the records of the catalog, and when: the history of their rows, with the change sets behind it.

A row names one author. A corrected change set has several, and its approver's request wrote the row. Reads
only.
"""

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Min, Q

from catalog.editorial.workflow import EditorAction
from catalog.models import AuditEntry, ChangeSet
from catalog.tables.history import events_of
from rules.impact.kept import KEPT, LATE, LastSaid
from rules.impact.survey import Kind
from rules.releases.models import Release


class Written(NamedTuple):
    """One change of a row: `people` are its `authors` and, of a change set, who approved it.

    `done_at` is when the row was changed, `written_at` when the change set was saved: earlier, if there is
    one.
    """

    record_id: str
    table: str
    done_at: datetime.datetime
    written_at: datetime.datetime
    authors: frozenset[int]
    people: frozenset[int]
    is_approved: bool


def changes_since(base: Release) -> datetime.datetime:
    """Return the instant from which changes of a record count as later than what a release says of it.

    A release of chosen changes leaves others behind, so they count since the last one that left nothing.
    """
    return first_published(last_of_all(base)) - LATE


def first_published(base: Release) -> datetime.datetime:
    """Return when the content of a release was first published, by the clock of the service.

    Rows and releases have the times of that clock. Events have those of the database, whose clock can differ.
    A roll-back publishes older content again, without what was changed since that was first published.
    """
    same = Release.objects.filter(content_sha256=base.content_sha256, sequence__lte=base.sequence)
    first: datetime.datetime = same.aggregate(first=Min("published_at"))["first"] or base.published_at
    return first


def last_of_all(base: Release) -> Release:
    """Return a release, or the last one before it that left no approved change behind.

    A roll-back to a release that left some leaves them behind as well.
    """
    published = AuditEntry.objects.filter(kind="release", verb=EditorAction.PUBLISH)
    # What one person published alone may have left some, too, and once did not say so.
    alone = Release.objects.filter(solo__isnull=False).values("ruleset_version")
    some = published.filter(Q(details__left__gt=0) | Q(details__left__isnull=True, subject__in=alone))
    left_some = Release.objects.filter(ruleset_version__in=some.values("subject"))
    back = AuditEntry.objects.filter(kind="release", verb=EditorAction.ROLL_BACK)
    back_to_some = Q(
        ruleset_version__in=back.values("subject"), content_sha256__in=left_some.values("content_sha256")
    )
    whole = Release.objects.without_document().filter(sequence__lte=base.sequence)
    found = whole.exclude(Q(pk__in=left_some) | back_to_some).current()
    return found or base


def people_of(event: Any) -> set[int]:
    """Return the people behind an event of a row: the author that it names, and the user of the request."""
    context = event.pgh_context.metadata if event.pgh_context else {}
    return {person for person in (_writer(event), context.get("user")) if person is not None}


def written(kind: Kind, record_ids: Collection[str]) -> list[Written]:
    """Return all changes of the rows of some records, those of one table in the order of their events."""
    return [one for model in KEPT[kind] for one in _of_rows(model, record_ids)]


def changers(
    kind: Kind, changes: Sequence[Written], *, known: Mapping[str, LastSaid], authors_alone: bool = False
) -> dict[str, set[int]]:
    """Return for each record of the catalog who changed it after it was last released, and who did so last.

    `changes` are all of the records, `known` the last releases that contain them; of a record that none
    contains, every change counts. All authors of a change set have changed its records; so have those of the
    last one, whatever was changed after it without approval, such as notes. A person who released the hold on
    a record has also changed what the next release says. Who approved a change set counts, unless only
    `authors_alone` are asked for.
    """
    of = attrgetter("authors" if authors_alone else "people")
    releases = {said.release.pk: said.release for said in known.values()}
    instants = {key: changes_since(release) for key, release in releases.items()}
    since = {name: instants[said.release.pk] for name, said in known.items()}

    def is_later(record_id: str, at: datetime.datetime) -> bool:
        return record_id not in since or at > since[record_id]

    people: defaultdict[str, set[int]] = defaultdict(set)
    last = _Last()
    for one in changes:
        last.note(one, of(one))
        if is_later(one.record_id, one.done_at):
            people[one.record_id] |= of(one)
    for (record_id, *_), of_last in last.people.items():
        people[record_id] |= of_last
    table = KEPT[kind][0]._meta.model_name
    names = {one.record_id for one in changes}
    released = AuditEntry.objects.filter(verb=EditorAction.LET_GO, kind=table, subject__in=names)
    for record_id, at, person in released.values_list("subject", "done_at", "done_by"):
        if is_later(record_id, at):
            people[record_id].add(person)
    return people


def writers_in(kind: Kind, record_ids: Collection[str], *, release: Release) -> set[int]:
    """Return who wrote records of the catalog as a release contains them: last, or since the one before."""
    until = release.published_at
    since = until if release.predecessor is None else changes_since(release.predecessor)
    left_some = last_of_all(release) != release
    # What was written last may have been left behind. Then an earlier change is what the release says.
    last, earlier, people = _Last(), _Last(), set[int]()
    for one in written(kind, record_ids):
        if one.done_at <= until:
            last.note(one, one.authors)
            people |= one.authors if one.done_at > since else set()
        if left_some and one.done_at <= since:
            earlier.note(one, one.authors)
    return people.union(*last.people.values(), *earlier.people.values())


def last_written(changes: Sequence[Written]) -> dict[str, datetime.datetime]:
    """Return for each record of the catalog when its last words were written, before anyone approved them."""
    found: dict[str, datetime.datetime] = {}
    for one in changes:
        found[one.record_id] = max(one.written_at, found.get(one.record_id, one.written_at))
    return found


class _Last:
    """Who changed each row last, and who last did so with approval: what follows may be only a note."""

    def __init__(self) -> None:
        self.people: dict[tuple[str, str, str], frozenset[int]] = {}

    def note(self, one: Written, people: frozenset[int]) -> None:
        """Take the people of a change that came after all others."""
        self.people[one.record_id, one.table, "last"] = people
        if one.is_approved:
            self.people[one.record_id, one.table, "last approved"] = people


def _of_rows(model: Any, record_ids: Collection[str]) -> Iterator[Written]:
    events = events_of(model).filter(pgh_obj_id__in=record_ids).select_related("pgh_context")
    events = list(events.order_by("pgh_id"))
    sets = ChangeSet.objects.in_bulk({number for number in map(_change_set, events) if number})
    for event in events:
        change_set = sets.get(_change_set(event))
        done_at, authors, people = _done_at(event), {_writer(event)}, people_of(event)
        if change_set is not None:
            authors.update(change_set.authors)
            people.update(change_set.authors, filter(None, (change_set.decided_by_id,)))
        yield Written(
            event.pgh_obj_id,
            model.__name__,
            done_at,
            change_set.created_at if change_set else done_at,
            frozenset(authors),
            frozenset(people),
            is_approved=change_set is not None,
        )


def _done_at(event: Any) -> datetime.datetime:
    """Return when an event's row was written, by the clock of the service; a deletion does not say."""
    if event.pgh_label == "delete":
        return event.pgh_created_at
    return getattr(event, "changed_at", None) or event.created_at


def _change_set(event: Any) -> Any:
    """Return the number of the change set that an event wrote; None if there was none."""
    return event.pgh_context.metadata.get("change_set") if event.pgh_context else None


def _writer(event: Any) -> Any:
    return getattr(event, "changed_by_id", None) or event.created_by_id
