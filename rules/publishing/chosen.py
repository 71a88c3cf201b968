"""What one person publishes alone: the current release with the revisions that they chose, and nothing else.

Whatever else is approved waits, so neither a milder change nor a faulty row can hold up an urgent recall.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from django.contrib.auth.models import User

from catalog.editorial.selectors import writers_of
from catalog.editorial.workflow import AGREED, State
from catalog.errors import NotRecorded, Refused, WrongState
from recalls.editing.models import Recall
from rules.editing.models import Rule
from rules.engine.document import Content
from rules.next_release import REVISED, content_with
from rules.publishing.selection import Key

WAITING = (State.APPROVED, State.IN_REVIEW)
"""The states of revisions that one person can choose."""

KINDS = {model: kind for kind, model in REVISED.items()}
"""The kind of each model of revisions, as releases name it."""


def choosable(model: type[Rule] | type[Recall]) -> list[Rule | Recall]:
    """Return the revisions that one person can choose: the newest of each record, approved or in review."""
    rows = model._default_manager.filter(state__in=WAITING).newest()
    return list(rows.order_by(model.id_field).prefetch_related(*model.record_parts))


def may_be_chosen(row: object, newest: object = None) -> bool:
    """Return whether one person can choose this revision; `newest` is a newer one of its record.

    A withdrawal only takes away. A newer revision goes in place of this one, unless it is a draft.
    """
    if not isinstance(row, Rule | Recall) or row.state not in WAITING or row.withdraws:
        return False
    return not isinstance(newest, Rule | Recall) or newest.pk == row.pk or newest.state not in WAITING


def _not_choosable(model: type[Rule] | type[Recall], record_id: str) -> Refused:
    newest = model._default_manager.identified([record_id]).first()
    if newest is None:
        return NotRecorded(record_id, f"there is no such {model._meta.verbose_name}")
    return WrongState(record_id, f"is {State(newest.state).label.lower()}, not in review")


class Chosen(NamedTuple):
    """The ids of rules and recalls whose newest revisions one person publishes alone.

    `unread` are those that only this person has read.
    """

    rule_ids: Sequence[str] = ()
    recall_ids: Sequence[str] = ()
    unread: frozenset[Key] = frozenset()

    def by_model(self) -> Iterator[tuple[type[Rule] | type[Recall], Sequence[str]]]:
        """Yield the ids of each kind of revision."""
        yield Rule, self.rule_ids
        yield Recall, self.recall_ids

    def in_review(self) -> Iterator[tuple[type[Rule] | type[Recall], list[str]]]:
        """Yield the ids of which the newest revision that can be chosen is not approved."""
        for model, ids in self.by_model():
            approved = {row.stable_id for row in choosable(model) if row.state == State.APPROVED}
            yield model, [one for one in ids if one not in approved]

    def require_choosable(self) -> None:
        """Raise `NotRecorded` or `WrongState` for the first id whose newest revision no one can choose."""
        for model, ids in self.by_model():
            known = {row.stable_id for row in choosable(model)} if ids else set()
            for one in ids:
                if one not in known:
                    raise _not_choosable(model, one)

    def read_only_by(self, person: User) -> frozenset[Key]:
        """Return the records that a person wrote and no other person has approved."""
        return frozenset(
            (KINDS[model], row.stable_id)
            for model, ids in self.by_model()
            for row in choosable(model)
            if row.stable_id in ids and row.state == State.IN_REVIEW and person.pk in row.authors
        )

    def authors(self) -> set[int]:
        """Return who wrote in these revisions since each was published last."""
        written = (writers_of(model, ids).values() for model, ids in self.by_model())
        return {person for people in written for authors in people for person in authors}

    def content(self, before: Content) -> Content:
        """Return what follows a release: its content with the approved revisions.

        What they name and the release lacks comes from the tables, as does a page that they cite and that was
        not read when the release was published.
        """
        rows = [
            row
            for model, ids in self.by_model()
            for row in model._default_manager.filter(
                state__in=AGREED, **{f"{model.id_field}__in": ids}
            ).newest()
        ]
        cited = {source for row in rows for source in row.to_record().sources}
        sources = tuple(one for one in before.sources if one.citable or one.id not in cited)
        return content_with(msgspec.structs.replace(before, sources=sources), rows)
