"""Second approvals of leniency: what blocks publishing a change that makes answers less strict.

A rule or a recall that makes any answer less strict is published only with a second approval, by another
person than its author, and with evidence that another person read after the evidence of the current release
for it. A change in the catalog rests on such evidence too, read after it was written. Its change set was
approved as a whole, so there is no second approval, but another person than its authors and its approver must
publish it.
`docs/editorial-workflow.md` describes this.

Reads only. Called by the action that publishes and by the screens before it.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import User

from catalog.editorial.models import Revision
from catalog.editorial.pending.models import ChangeSet
from catalog.editorial.selectors import writers_of
from catalog.editorial.workflow import AGREED, State
from recalls.editing.models import Recall
from rules.editing.models import Rule
from rules.impact.figures import answers
from rules.impact.kept import last_said
from rules.impact.measurements import Proposal
from rules.impact.readings import AsPlanned, Readings
from rules.impact.survey import Cause, Changed, Kind, Result
from rules.impact.writers import changers, last_written, written

REVISED: dict[Kind, type[Revision]] = {"rules": Rule, "recalls": Recall}
"""The kinds of records that are approved."""

NAMES: dict[Kind, str] = {
    "countries": "country",
    "jurisdictions": "jurisdiction",
    "airlines": "airline",
    "devices": "model",
    "rules": "rule",
    "recalls": "recall",
}


class MissingApproval(NamedTuple):
    """A record that makes answers less strict, and what it lacks, in one sentence."""

    record: Changed
    reason: str

    def __str__(self) -> str:
        return f"{NAMES[self.record.kind]} {self.record.record_id}: {self.reason}"


def missing_second_approvals(
    result: Result,
    proposal: Proposal,
    *,
    publisher: User | None = None,
    revisions: Collection[Revision] = (),
    change_set: ChangeSet | None = None,
    planned: AsPlanned | None = None,
) -> list[MissingApproval]:
    """Return what blocks publishing what was measured; empty if nothing does.

    Without a `publisher`, records that another person has to publish are left out. `revisions` are judged
    before they are approved, and `change_set` before it is written. `planned`: what was known when this
    was planned, if it was.
    """
    saved_at, waiting_authors = (change_set.created_at, change_set.authors) if change_set else (None, [])
    if not result.causes:
        return []
    readings = Readings(proposal, planned)
    missing = []
    for kind, causes in _by_kind(result).items():
        if kind in REVISED:
            agreed = REVISED[kind]._default_manager.filter(state__in=AGREED).identified(causes)
            rows = {row.stable_id: row for row in agreed.prefetch_related("evidence")}
            rows |= {row.stable_id: row for row in revisions if isinstance(row, REVISED[kind])}
            writers = writers_of(REVISED[kind], causes)
            lacking = {
                name: [
                    *_approval(rows.get(name), writers.get(name, set()), publisher),
                    *readings.lacks(kind, rows.get(name), writers.get(name, set())),
                ]
                for name in causes
            }
        else:
            known = last_said(kind, causes, base=proposal.base, content=readings.before)
            changes = written(kind, causes)
            people = changers(kind, changes, known=known)
            authors = changers(kind, changes, known=known, authors_alone=True)
            last = last_written(changes)
            lacking = {
                name: [
                    *_other_publisher(people.get(name, set()), publisher),
                    *readings.lacks_of_record(
                        kind,
                        name,
                        {*waiting_authors, *authors.get(name, set())},
                        known.get(name),
                        max(filter(None, (saved_at, last.get(name))), default=None),
                    ),
                ]
                for name in causes
            }
        missing += [
            MissingApproval(Changed(kind, name), _sentence(causes[name], reasons))
            for name, reasons in lacking.items()
            if reasons
        ]
    return missing


def _by_kind(result: Result) -> dict[Kind, dict[str, Cause]]:
    """Return the records that make answers less strict, by kind and id."""
    found: dict[Kind, dict[str, Cause]] = {}
    for cause in result.causes:
        found.setdefault(cause.record.kind, {})[cause.record.record_id] = cause
    return found


def _sentence(cause: Cause, reasons: Sequence[str]) -> str:
    if cause.beyond:
        return f"{cause.beyond}; {', and '.join(reasons)}"
    count, about = cause.count, ""
    if not count:
        count, about = cause.unlisted, " about units that are not in the catalog"
    return f"makes {answers(count)}{about} less strict; {', and '.join(reasons)}"


def _other_publisher(people: Collection[int], publisher: User | None) -> Iterator[str]:
    if publisher is not None and publisher.pk in people:
        yield "you changed it or released its hold, so another person must publish it"


def _approval(row: Any, writers: Collection[int], publisher: User | None) -> Iterator[str]:
    if row is None or row.state == State.PUBLISHED:
        # A roll-back restored an earlier revision. A published revision cannot be approved again.
        yield "it needs a new revision with two approvals"
        return
    if row.second_approved_at is None:
        yield "it needs a second approval"
    if not {row.approved_by_id, row.second_approved_by_id}.isdisjoint(writers):
        yield "a person who approved it wrote in an earlier revision of it; take it back and begin again"
    if publisher is not None and publisher.pk in writers:
        yield "you wrote it, so another person must publish it"
