"""Taking back a change set of the catalog that was approved and is in no release yet.

As for rules, one reviewer is enough: travelers never read it. A new record goes. If a revision names it that
is over for good, such as a recall that was taken back, the record is held back instead: the history of the
recall needs it, and no release contains it.
"""

import dataclasses
from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from catalog.bulk.tables import Table
from catalog.editorial.audit.actions import log
from catalog.editorial.pending import actions
from catalog.editorial.pending.models import ChangeSet
from catalog.editorial.workflow import EditorAction, State
from catalog.errors import NotRecorded, StillReferred, WrongState
from catalog.tables.actions.inserting import insert
from catalog.tables.references import only_in_states
from rules.next_release import FACTS
from rules.publishing.change_sets import is_in_releases, is_published
from rules.releases.ledger import content_or_none
from rules.releases.models import HeldBack, Release

OVER = (State.WITHDRAWN, State.SUPERSEDED)
"""The states of revisions that no release will contain again."""


@transaction.atomic
def take_back_change_set(*, by: User, change_set: int, reason: str, tables: Mapping[str, Table]) -> list[str]:
    """Undo an approved change set. Its records are as they were before; `tables` are by kind.

    Returns the ids of new records that are held back, because something that is over still names them.

    Raises `WrongState` if a release contains some of it, if readers see it without a release, or if one of
    its records was changed since, and `Refused` for what a table refuses.
    """
    found = ChangeSet.objects.filter(pk=change_set).first()
    if found is None:
        raise NotRecorded(str(change_set), "there is no such change set")
    with connection.cursor() as cursor:
        # A release that is being made now is finished first, and the next one sees what this does.
        cursor.execute("LOCK TABLE rules_rule IN ROW EXCLUSIVE MODE")
    if not is_in_releases(found):
        raise WrongState(f"change set {found.pk}", "was public as soon as it was approved: change it again")
    current = Release.objects.current()
    content = content_or_none(current)
    if current is None or content is None or is_published(found, content):
        raise WrongState(f"change set {found.pk}", "is published already: change its records again")
    holding = {
        kind: _Holding(kind, table, current, reason, []) for kind, table in tables.items() if kind in FACTS
    }
    instead = {kind: dataclasses.replace(one.table, remove=one.remove) for kind, one in holding.items()}
    actions.take_back(found.pk, by=by, reason=reason, tables={**tables, **instead})
    return [name for one in holding.values() for name in one.held]


@dataclasses.dataclass(frozen=True)
class _Holding:
    """Takes new records of one kind out of the tables, or holds them back. `held` are those held back."""

    kind: str
    table: Table
    current: Release
    reason: str
    held: list[str]

    def remove(self, by: User, record_id: str) -> None:
        """Delete a record, or hold it back. Raises `Refused`."""
        if self.table.remove is None:
            self._hold(by, record_id)
            return
        try:
            self.table.remove(by, record_id)
        except StillReferred as refused:
            row = self.table.model._default_manager.get(pk=record_id)
            if not only_in_states(row, OVER):
                raise StillReferred(
                    record_id, f"{refused.reason}: discard that or take it back first"
                ) from refused
            self._hold(by, record_id)

    def _hold(self, by: User, record_id: str) -> None:
        now = timezone.now()
        kind, _ = FACTS[self.kind]
        held = HeldBack(kind=kind, record_id=record_id, since=self.current, created_at=now, created_by=by)
        insert([held], owner="record_id")
        self.held.append(record_id)
        log(
            by=by,
            at=now,
            action=EditorAction.HOLD_BACK,
            kind=self.kind,
            subjects=[(record_id, None)],
            reason=self.reason,
        )
