"""Steps for many revisions at once: what each of them says before and after, and why, on one page."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.db.models import prefetch_related_objects

from catalog.bulk.cells import differences
from catalog.editorial.audit.models import AuditEntry
from catalog.editorial.models import Revision
from catalog.editorial.screens.many_rows import Line, Seen, Statement, What, page_read
from catalog.editorial.screens.many_steps import Lines, ManyStepsAdmin
from catalog.editorial.screens.workflow import ACTIONS, ActionButton, WorkflowAdmin
from catalog.editorial.workflow import AGREED, EditorAction, State
from catalog.screens.record_forms import digest

MANY: dict[EditorAction, ActionButton] = {
    action: replace(ACTIONS[action], label=label, consequence=consequence)
    for action, label, consequence in [
        (
            EditorAction.SUBMIT,
            "Submit for review",
            "Another person reviews them. Until then they cannot be changed.",
        ),
        (
            EditorAction.APPROVE,
            "Approve",
            ("You confirm that you have read each of them and its evidence. The next release includes them."),
        ),
        (
            EditorAction.APPROVE_AGAIN,
            "Approve again",
            "You confirm that you, too, have read each of them and its evidence.",
        ),
        (
            EditorAction.RETURN,
            "Return",
            "They go back to their authors as drafts. All get the same reason.",
        ),
        (
            EditorAction.DISCARD,
            "Discard the drafts",
            "The drafts are deleted. Only the history keeps their content.",
        ),
    ]
}
"""The actions for many revisions, in the order in which they are offered."""

OPENS = (EditorAction.DRAFT, EditorAction.REVISE, EditorAction.WITHDRAW)
"""The verbs that open a revision: their reason is why it was written."""


class BulkMovesAdmin(ManyStepsAdmin, WorkflowAdmin):
    """A list that offers the workflow's steps for many revisions at once."""

    many: ClassVar[Mapping[EditorAction, ActionButton]] = MANY

    def sentences(self, records: Sequence[Any]) -> list[str]:
        """Return how records read, in a constant number of queries."""
        raise NotImplementedError

    def offers_step(self, user: User, action: EditorAction) -> bool:
        """Return whether this kind of revisions has a verb that a user may use."""
        return action in self.many and self.offers(user, action)

    def lines(self, action: EditorAction, keys: Collection[int]) -> list[Line]:
        """Return revisions with what they say before and after, their pages, and why they were written."""
        rows = list(self.model._default_manager.filter(pk__in=keys).order_by(self.model.id_field, "revision"))
        cited = ("evidence__source",) if hasattr(self.model, "evidence") else ()
        prefetch_related_objects(rows, *self.model.record_parts, *cited)
        before, reasons = self._agreed_before(rows), self._reasons(rows)
        records = [row.to_record() for row in rows]
        earlier = [one.to_record() if (one := before.get(row)) else self.before_all(row) for row in rows]
        said = self.sentences([*records, *(one for one in earlier if one is not None)])
        reads = iter(said[len(rows) :])
        found = []
        for row, record, old, after in zip(rows, records, earlier, said, strict=False):
            known = next(reads) if old is not None else ""
            statement = self._statement(row, before.get(row), old, record, known, after)
            found.append(
                Line(
                    pk=row.pk,
                    record_id=row.stable_id,
                    name=str(row),
                    state=State(row.state).label.lower(),
                    digest=digest(record),
                    statements=[statement],
                    reason=reasons.get((row.stable_id, row.revision), ""),
                )
            )
        return found

    def _statement(
        self, row: Any, before: Revision | None, old: Any, record: Any, known: str, after: str
    ) -> Statement:
        """Return what a revision makes of its record: `before` is the one that was approved before it."""
        pages = [page_read(link.source) for link in row.evidence.all()] if hasattr(row, "evidence") else []
        changes = self.labeled(differences(old, record))
        if row.withdraws:
            return Statement("withdrawn", before=after, pages=pages)
        if old is None:
            return Statement("new", after=after, changes=changes, pages=pages)
        what: What = "back" if before is not None and before.withdraws else "changed"
        return Statement(what, before=known, after=after, changes=changes, pages=pages)

    def _agreed_before(self, rows: Collection[Revision]) -> dict[Revision, Any]:
        """Return the revision that was approved before each of these, if there was one."""
        ids = {row.stable_id for row in rows}
        found = self.model._default_manager.filter(
            **{f"{self.model.id_field}__in": ids}, state__in=AGREED
        ).prefetch_related(*self.model.record_parts)
        agreed = found.by_record()
        return {
            row: before[-1]
            for row in rows
            if (before := [one for one in agreed.get(row.stable_id, []) if one.revision < row.revision])
        }

    def _reasons(self, rows: Sequence[Revision]) -> dict[tuple[str, int | None], str]:
        """Return why revisions were opened, by record and number."""
        opened = AuditEntry.objects.filter(
            kind=str(self.opts.model_name), subject__in={row.stable_id for row in rows}, verb__in=OPENS
        )
        listed = opened.order_by("pk").values_list("subject", "revision", "reason")
        return {(subject, revision): reason for subject, revision, reason in listed if reason}

    def take_step(self, action: EditorAction, one: Seen, *, by: User, reason: str, present: Lines) -> None:
        """Do a verb to one revision, if it is as it was seen."""
        self.take_steps(action, [one], by=by, reason=reason, present=present)

    def take_steps(
        self, action: EditorAction, seen: Sequence[Seen], *, by: User, reason: str, present: Lines
    ) -> None:
        """Do a verb to some revisions, all or none of them."""
        self.carry_out(ACTIONS[action], seen, by=by, reason=reason)

    def keys_now(self, done: Sequence[Seen]) -> dict[str, int]:
        """Return the newest revision of each record."""
        newest = self.model._default_manager.identified([one.record_id for one in done])
        return {row.stable_id: row.pk for row in newest}
