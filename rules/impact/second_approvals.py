"""Second approvals of leniency: what blocks publishing a change that makes answers less strict.

A rule or a recall that makes any answer less strict is published only with a second approval, by another
person than its author, and with evidence that another person read after the evidence of the current release
for it. A change in the catalog rests on such evidence too. Its change set was approved as a whole, so there
is no second approval, but another person than its authors and its approver must publish it.
`docs/editorial-workflow.md` describes this.

Reads only. Called by the action that publishes and by the screens before it.
"""

import datetime
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import User

from catalog.editorial.models import Revision
from catalog.editorial.pending.selectors import authors_of_facts
from catalog.editorial.selectors import writers_of
from catalog.editorial.workflow import AGREED, EditorAction, State
from catalog.models import AuditEntry
from catalog.tables.history import events_of
from recalls.editing.models import Recall
from rules.editing.models import Rule
from rules.impact.kept import KEPT, LATE, LastSaid, last_said
from rules.impact.measurements import Proposal
from rules.impact.readings import Readings
from rules.impact.survey import Cause, Changed, Kind, Result
from rules.releases.models import Release

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
    result: Result, proposal: Proposal, *, publisher: User | None = None
) -> list[MissingApproval]:
    """Return what blocks publishing what was measured; empty if nothing does.

    Without a `publisher`, records that another person has to publish are left out.
    """
    if not result.causes:
        return []
    readings = Readings(proposal)
    missing = []
    for kind, causes in _by_kind(result).items():
        if kind in REVISED:
            agreed = REVISED[kind]._default_manager.filter(state__in=AGREED).identified(causes)
            rows = {row.stable_id: row for row in agreed.prefetch_related("evidence")}
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
            people = changers(kind, causes, known=known)
            authors = changers(kind, causes, known=known, of=authors_in)
            lacking = {
                name: [
                    *_other_publisher(people.get(name, set()), publisher),
                    *readings.lacks_of_record(kind, name, authors.get(name, set()), known.get(name)),
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


def changes_since(base: Release) -> datetime.datetime:
    """Return the instant from which changes count as later than a release, by the clock of the service.

    Rows and releases have the times of that clock. Events have those of the database, whose clock can differ.
    """
    return base.published_at - LATE


def people_of(event: Any) -> set[int]:
    """Return the people behind an event of a row: the author that it names, and the user of the request."""
    context = event.pgh_context.metadata if event.pgh_context else {}
    return {person for person in (_writer(event), context.get("user")) if person is not None}


def authors_in(event: Any) -> set[int]:
    """Return the author that an event of a row names, and not the approver whose request wrote it."""
    return {_writer(event)}


def changers(
    kind: Kind,
    record_ids: Collection[str],
    *,
    known: Mapping[str, LastSaid],
    of: Callable[[Any], set[int]] = people_of,
) -> dict[str, set[int]]:
    """Return for each record of the catalog who changed it after it was last released, and who did so last.

    `known` are the last releases that contain the records; of a record that none contains, every change
    counts. All authors of a change set have changed its records; so have those of the last one, however long
    it took to write it. A person who released the hold on a record has also changed what the next release
    says. Who approved a change set counts, unless `of` are the authors alone.
    """
    since = {name: changes_since(said.release) for name, said in known.items()}

    def is_later(record_id: str, at: datetime.datetime) -> bool:
        return record_id not in since or at > since[record_id]

    people: defaultdict[str, set[int]] = defaultdict(set)
    last: dict[tuple[str, str], set[int]] = {}
    for model in KEPT[kind]:
        events = events_of(model).filter(pgh_obj_id__in=record_ids).select_related("pgh_context")
        for event in events.order_by("pgh_id"):
            last[event.pgh_obj_id, model.__name__] = of(event)
            if is_later(event.pgh_obj_id, _written_at(event)):
                people[event.pgh_obj_id] |= of(event)
    for (record_id, _), of_last in last.items():
        people[record_id] |= of_last
    table = KEPT[kind][0]._meta.model_name
    for record_id, sets in authors_of_facts(table, record_ids).items():
        people[record_id] |= sets[-1][1]
        people[record_id].update(*(authors for at, authors in sets if is_later(record_id, at)))
    released = AuditEntry.objects.filter(verb=EditorAction.LET_GO, kind=table, subject__in=record_ids)
    for record_id, at, person in released.values_list("subject", "done_at", "done_by"):
        if is_later(record_id, at):
            people[record_id].add(person)
    return people


def writers_in(kind: Kind, record_ids: Collection[str], *, release: Release) -> set[int]:
    """Return who wrote records of the catalog as a release contains them."""
    until = release.published_at
    last: dict[tuple[str, str], int] = {}
    for model in KEPT[kind]:
        for event in events_of(model).filter(pgh_obj_id__in=record_ids).order_by("pgh_id"):
            if _written_at(event) <= until:
                last[event.pgh_obj_id, model.__name__] = _writer(event)
    table = KEPT[kind][0]._meta.model_name
    people = set(last.values())
    for sets in authors_of_facts(table, record_ids).values():
        people.update(*[authors for at, authors in sets if at <= until][-1:])
    return people


def _writer(event: Any) -> Any:
    return getattr(event, "changed_by_id", None) or event.created_by_id


def _written_at(event: Any) -> datetime.datetime:
    """Return when an event's row was written, by the clock of the service."""
    found: datetime.datetime = getattr(event, "changed_at", None) or event.created_at
    return found


def _sentence(cause: Cause, reasons: Sequence[str]) -> str:
    if cause.beyond:
        return f"{cause.beyond}; {', and '.join(reasons)}"
    count, about = cause.count, ""
    if not count:
        count, about = cause.unlisted, " about units that are not in the catalog"
    answers = "1 answer" if count == 1 else f"{count:,} answers"
    return f"makes {answers}{about} less strict; {', and '.join(reasons)}"


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
