"""Steps for many change sets at once: what each of them changes, record by record, on one page.

A change set with too many records to show is opened and decided on its own page.
"""

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import msgspec
from django.contrib.auth.models import User
from django.db.models import Count

from catalog.editorial.pending import actions
from catalog.editorial.pending.display import ShownChange, cited, shown_changes
from catalog.editorial.pending.models import ChangeSet, PendingChange
from catalog.editorial.pending.selectors import present_records
from catalog.editorial.screens.many_rows import Line, PageRead, Seen, Statement, What, page_read
from catalog.editorial.screens.many_steps import Lines, ManyStepsAdmin
from catalog.editorial.screens.workflow import ActionButton
from catalog.editorial.workflow import EditorAction
from catalog.errors import ChangedSinceSeen, Unfit
from catalog.sources.models import Source

MOST_RECORDS = 20
"""How many records of one change set the page shows."""


class ManyChangeSetsAdmin(ManyStepsAdmin):
    """A list that offers to approve, return or discard many change sets."""

    many: ClassVar[Mapping[EditorAction, ActionButton]]
    tables: Callable[[], Mapping[str, Any]]
    forms: Callable[[], Mapping[str, Any]]

    def lines(self, action: EditorAction, keys: Collection[int]) -> list[Line]:
        """Return change sets with what they change, the oldest first."""
        rows = ChangeSet.objects.filter(pk__in=keys).select_related("created_by").order_by("pk")
        found = list(rows.annotate(record_count=Count("changes")))
        small: dict[int, list[PendingChange]] = {
            row.pk: [] for row in found if row.record_count <= MOST_RECORDS
        }
        changes = list(PendingChange.objects.filter(change_set__in=small).order_by("pk"))
        for change in changes:
            small[change.change_set_id].append(change)
        tables = self.tables()
        lines = shown_changes(tables, changes, present_records(tables, changes), forms=self.forms())
        shown = dict(zip(changes, lines, strict=True))
        named = {change: _named(change) for change in changes}
        pages = Source.objects.in_bulk(set().union(*named.values()))
        statements = {
            pk: [_statement(shown[change], change, named[change], pages) for change in of_row]
            for pk, of_row in small.items()
        }
        return [_line(row, statements.get(row.pk, [])) for row in found]

    def present_lines(self, action: EditorAction, keys: Collection[int]) -> Lines:
        """Return what change sets say now, by key.

        What they contain never changes, and approving checks their state and their records again.
        """
        return {line.pk: line for line in self.lines(action, keys)}

    def take_step(self, action: EditorAction, one: Seen, *, by: User, reason: str, present: Lines) -> None:
        """Decide a change set, if its page showed all of it and nothing of it is otherwise now."""
        found = present.get(one.pk)
        if found is None or found.digest != one.digest:
            raise ChangedSinceSeen(one.record_id, "has changed since you opened it: look at it again first")
        if not found.statements:
            raise Unfit(one.record_id, "has too many records to show here: open it and decide it there")
        match action:
            case EditorAction.APPROVE:
                actions.approve(one.pk, by=by, tables=self.tables())
            case EditorAction.RETURN:
                actions.return_to_author(one.pk, by=by, reason=reason)
            case EditorAction.DISCARD:
                actions.discard(one.pk, by=by, reason=reason)


def of_many(buttons: Mapping[EditorAction, ActionButton]) -> dict[EditorAction, ActionButton]:
    """Return the buttons of one change set as those of many."""
    said = {
        EditorAction.APPROVE: (
            "You confirm that you have read the evidence of each and that it says this. All of it is "
            "written, and the next release includes it."
        ),
        EditorAction.RETURN: "They go back to their authors. All get the same reason. Nothing is written.",
        EditorAction.DISCARD: "Nothing of them is written. Their pages keep the content.",
    }
    return {action: replace(button, consequence=said[action]) for action, button in buttons.items()}


def _named(change: PendingChange) -> set[str]:
    """Return the ids of the sources of a change. A fact of an airport contains its pages itself."""
    return set() if change.kind == "airportfact" else cited(change)


def _line(row: ChangeSet, statements: list[Statement]) -> Line:
    read = msgspec.json.encode([row.state, row.reason, [msgspec.to_builtins(one) for one in statements]])
    return Line(
        pk=row.pk,
        record_id=str(row.pk),
        name=str(row).capitalize(),
        state=f"{row.get_state_display().lower()}, by {row.created_by}",
        digest=hashlib.sha256(read).hexdigest(),
        statements=statements,
        reason=row.reason,
    )


def _statement(
    shown: ShownChange, change: PendingChange, names: Collection[str], pages: Mapping[str, Source]
) -> Statement:
    read = [page_read(pages[name]) for name in sorted(names) if name in pages]
    if change.kind == "airportfact":
        sources = change.after.get("sources", ())
        read = [PageRead(one["url"], one["title"], f"read on {one['read_on']}") for one in sources]
    what: What = "new" if shown.is_new else "deleted" if shown.is_deleted else "changed"
    kind = "model" if change.kind == "device" else change.kind
    return Statement(what, changes=shown.differences, pages=read, subject=f"{kind} {change.record_id}")
