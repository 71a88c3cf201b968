"""Who wrote what a release would newly contain. Reads only."""

from collections.abc import Iterable

from catalog.editorial.selectors import writers_of
from catalog.editorial.workflow import AGREED, State
from rules.engine.document import ID_FIELD, Content, UnreadableDocument
from rules.impact.second_approvals import KEPT, changers
from rules.next_release import REVISED
from rules.releases.comparison import RecordChange, compare
from rules.releases.models import Release


def authors_of(base: Release | None, content: Content) -> frozenset[int]:
    """Return the authors of every approved revision that is not published, and who changed the catalog.

    The first release has no base, so of the catalog it names no one.
    """
    people: set[int] = set()
    for model in REVISED.values():
        newest = model._default_manager.filter(state__in=AGREED).newest().filter(state=State.APPROVED)
        names = list(newest.values_list(model.id_field, flat=True))
        people.update(*writers_of(model, names).values())
    return frozenset(people | _changers(base, content))


def authors_of_earlier(base: Release, content: Content, changes: Iterable[RecordChange]) -> frozenset[int]:
    """Return the authors of the revisions that a roll-back to some content would restore."""
    people: set[int] = set()
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


def _changers(base: Release | None, content: Content) -> set[int]:
    """Return who changed the records of the catalog that differ from the base."""
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
            people.update(*changers(kind, names, since=base.published_at).values())
    return people
