"""Who wrote what a release would newly contain. Reads only."""

from collections.abc import Collection, Iterable
from itertools import chain
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Max, Q

from catalog.editorial.selectors import writers_of
from catalog.editorial.workflow import AGREED, State
from catalog.models import Source
from catalog.tables.history import events_of
from rules.engine.document import ID_FIELD, Content, UnreadableDocument
from rules.engine.facts import Source as SourceRecord
from rules.impact.kept import KEPT, LATE, last_said
from rules.impact.writers import changers, first_published, people_of, writers_in, written
from rules.next_release import REVISED
from rules.publishing.chosen import Chosen
from rules.publishing.models import SoloRelease
from rules.publishing.only_adding import cited_sources
from rules.publishing.selection import Key
from rules.releases.comparison import RecordChange, compare
from rules.releases.models import Release


def authors_of(
    base: Release | None,
    content: Content,
    *,
    chosen: Chosen | None = None,
    only: Collection[Key] | None = None,
) -> frozenset[int]:
    """Return the authors of every approved revision that is not published, and who changed the catalog.

    Of revisions only of the `chosen` ones, if one person publishes these alone, or of the records `only`, if
    only these are published. The first release has no base, so of the catalog it names no one.
    """
    if chosen is not None:
        return frozenset(chosen.authors() | _changers(base, content))
    people: set[int] = set()
    for kind, model in REVISED.items():
        newest = model._default_manager.filter(state__in=AGREED).newest().filter(state=State.APPROVED)
        if only is not None:
            ids = [name for of, name in only if of == kind]
            newest = newest.filter(**{f"{model.id_field}__in": ids})
        names = list(newest.values_list(model.id_field, flat=True))
        people.update(*writers_of(model, names).values())
    return frozenset(people | _changers(base, content))


def authors_of_alone() -> frozenset[int]:
    """Return the authors of what one person published alone, and others have not approved or followed yet.

    Their work can be why a case fails already in the current release.
    """
    by_others = Release.objects.filter(solo__isnull=True).aggregate(last=Max("sequence"))["last"] or 0
    rows = SoloRelease.objects.filter(Q(release__sequence__gt=by_others) | Q(approved_at__isnull=True))
    return frozenset(chain.from_iterable(rows.values_list("authors", flat=True)))


def authors_of_earlier(to: Release, content: Content, changes: Iterable[RecordChange]) -> frozenset[int]:
    """Return the authors of the records that a roll-back to a release with some content would restore."""
    changes = list(changes)
    people: set[int] = set()
    for kept in KEPT:
        if names := {change.id for change in changes if change.kind == kept}:
            people |= writers_in(kept, names, release=to)
    for kind, model in REVISED.items():
        names = {change.id for change in changes if change.kind == kind}
        wanted = [one for one in getattr(content, kind) if getattr(one, ID_FIELD[kind]) in names]
        published = model._default_manager.filter(
            **{f"{model.id_field}__in": names}, published_at__isnull=False, withdraws=False
        )
        for row in published.prefetch_related(*model.record_parts):
            if row.to_record() in wanted:
                people.update(row.authors)
    return frozenset(people)


def evidence_changed_by(person: User, base: Release, before: Content, after: Content) -> list[str]:
    """Return the cited sources that differ from the base and that a person changed or read since.

    “Since” is after the last event that says what the base says, and after the instant of the base: the
    transaction of an event may have begun long before the base and ended after it. Who only recorded a new
    source has not changed it.
    """
    known = {source.id: source for source in before.sources}
    cited = cited_sources(after)
    differ = [one.id for one in after.sources if one.id in cited and known.get(one.id) != one]
    since = first_published(base) - LATE
    later: dict[str, list[Any]] = {name: [] for name in differ}
    recent: list[Any] = []
    events = events_of(Source).filter(pgh_obj_id__in=differ).select_related("pgh_context")
    for event in events.order_by("pgh_id"):
        name = event.pgh_obj_id
        if name in known and _says(event, known[name]):
            later[name] = []
        elif name in known:
            later[name].append(event)
        if event.changed_at is not None and event.changed_at > since:
            recent.append(event)
    changed = [*recent, *chain.from_iterable(later.values())]
    updates = [event for event in changed if event.pgh_label == "update"]
    return sorted({event.pgh_obj_id for event in updates if person.pk in people_of(event)})


def _says(event: Any, source: SourceRecord) -> bool:
    """Return whether the row of an event says what a source of a release says."""
    return all(getattr(event, name) == getattr(source, name) for name in source.__struct_fields__)


def _changers(base: Release | None, content: Content) -> set[int]:
    """Return who wrote the records of the catalog that differ from the base. Approvers wrote nothing."""
    if base is None:
        return set()
    try:
        before = base.read().content
    except UnreadableDocument:
        return set()
    people: set[int] = set()
    changed = compare(before, content)
    for kind in KEPT:
        names = {change.id for change in changed if change.kind == kind}
        if names:
            known = last_said(kind, names, base=base, content=before)
            people.update(*changers(kind, written(kind, names), known=known, authors_alone=True).values())
    return people
