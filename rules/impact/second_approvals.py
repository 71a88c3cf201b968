"""Second approvals of leniency: what blocks publishing a change that makes answers less strict.

A rule or a recall that makes any answer less strict is published only with a second approval, by another
person than its author, and with evidence that another person read after the evidence of the current release
for it. A change in the catalog has no approver, so another person than its author must publish it.
`docs/editorial-workflow.md` describes this.

Reads only. Called by the action that publishes and by the screens before it.
"""

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import User

from catalog.editorial.models import Revision
from catalog.editorial.selectors import writers_of
from catalog.editorial.workflow import AGREED, EditorAction, State
from catalog.models import Airline, AirlinePolicy, AuditEntry, Country, Device, Jurisdiction
from catalog.tables.history import events_of
from recalls.editing.models import Recall
from rules.editing.models import Rule
from rules.impact.measurements import Proposal
from rules.impact.readings import Readings
from rules.impact.survey import Cause, Changed, Kind, Result

REVISED: dict[Kind, type[Revision]] = {"rules": Rule, "recalls": Recall}
"""The kinds of records that are approved."""

KEPT: dict[Kind, tuple[Any, ...]] = {
    "countries": (Country,),
    "jurisdictions": (Jurisdiction,),
    "airlines": (Airline, AirlinePolicy),
    "devices": (Device,),
}
"""The kinds of records that are changed in place, and the tables that keep one by its id."""

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
            people = changers(kind, causes, since=proposal.base.published_at) if publisher else {}
            lacking = {
                name: ["you changed it or released its hold, so another person must publish it"]
                for name in causes
                if publisher is not None and publisher.pk in people.get(name, ())
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


def changers(kind: Kind, record_ids: Collection[str], *, since: datetime.datetime) -> dict[str, set[int]]:
    """Return for each record of the catalog who changed it after an instant, and who did so last.

    A person who released its hold has also changed what the next release says.
    """
    people: defaultdict[str, set[int]] = defaultdict(set)
    last: dict[tuple[str, str], set[int]] = {}
    for model in KEPT[kind]:
        events = events_of(model).filter(pgh_obj_id__in=record_ids).select_related("pgh_context")
        for event in events.order_by("pgh_id"):
            last[event.pgh_obj_id, model.__name__] = _people(event)
            if event.pgh_created_at > since:
                people[event.pgh_obj_id] |= _people(event)
    for (record_id, _), of_last in last.items():
        people[record_id] |= of_last
    released = AuditEntry.objects.filter(
        verb=EditorAction.LET_GO,
        kind=KEPT[kind][0]._meta.model_name,
        subject__in=record_ids,
        done_at__gt=since,
    )
    for record_id, person in released.values_list("subject", "done_by"):
        people[record_id].add(person)
    return people


def _people(event: Any) -> set[int]:
    """Return the people behind an event of a row: the author that it names, and the user of the request."""
    of_row = getattr(event, "changed_by_id", None) or event.created_by_id
    context = event.pgh_context.metadata if event.pgh_context else {}
    return {person for person in (of_row, context.get("user")) if person is not None}


def _sentence(cause: Cause, reasons: Sequence[str]) -> str:
    count, about = cause.count, ""
    if not count:
        count, about = cause.unlisted, " about units that are not in the catalog"
    answers = "1 answer" if count == 1 else f"{count:,} answers"
    return f"makes {answers}{about} less strict; {', and '.join(reasons)}"


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
