"""What the pages of an announcement show: the proposals in sentences, and the revisions that came from it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import User

from catalog.editorial.permissions import may
from catalog.editorial.screens.bulk_actions import MANY
from catalog.editorial.screens.workflow import COLORS
from catalog.editorial.workflow import AGREED, EditorAction, State
from catalog.models import Source
from rules.editing.admin.panels import names_for
from rules.editing.announcement.forms import AnnouncementForm
from rules.editing.announcement.models import Announcement
from rules.editing.announcement.proposals import Outcome, Proposal
from rules.editing.models import Rule
from rules.engine import facts

CONSEQUENCES: Mapping[Outcome, str] = {
    Outcome.NEW: "A new rule.",
    Outcome.REVISES: "The next revision of this rule.",
    Outcome.SUCCEEDS: "A new rule. The published one ends on the day before:",
    Outcome.BESIDE: "A new rule. The published one stays as it is, and both apply in that time:",
    Outcome.KNOWN: "Published already, so nothing is drafted.",
}

SUBJECT_TO: Mapping[EditorAction, State] = {
    EditorAction.SUBMIT: State.DRAFT,
    EditorAction.DISCARD: State.DRAFT,
    EditorAction.APPROVE: State.IN_REVIEW,
    EditorAction.RETURN: State.IN_REVIEW,
    EditorAction.APPROVE_AGAIN: State.APPROVED,
}
"""The actions for all revisions of an announcement, and the state in which each is possible."""


class ShownProposal(NamedTuple):
    """A proposal in words. `before` and `after` are sentences of the published rule, if it changes."""

    rule_id: str
    sentence: str
    consequence: str
    before_id: str
    before: str
    after: str


def shown_meaning(form: AnnouncementForm) -> dict[str, Any]:
    """Return what the panel next to the form shows, as far as the form is filled in."""
    meant = form.meant
    if meant is None:
        return {"missing": form.missing()}
    every = [rule for one in meant.proposals for rule in (one.rule, one.before, one.ended) if rule]
    read = names_for(every).read
    return {
        "proposals": [_proposal(one, read) for one in meant.proposals],
        "left": meant.left,
        "missing": form.missing(),
        "digest": "" if form.errors else form.digest(),
        "drafted": len(form.drafts),
    }


def _proposal(one: Proposal, read: Any) -> ShownProposal:
    before, after = "", ""
    if one.before is not None and one.outcome in (Outcome.REVISES, Outcome.SUCCEEDS, Outcome.BESIDE):
        before = read(one.before)
        after = read(one.ended) if one.ended else ""
    return ShownProposal(
        one.rule.rule_id,
        read(one.rule),
        CONSEQUENCES[one.outcome],
        one.before.rule_id if one.before else "",
        before,
        after,
    )


class ShownRevision(NamedTuple):
    """A revision that came from an announcement: its sentence, and that of the approved one before it."""

    row: Rule
    state: str
    color: str
    sentence: str
    before: str


def shown_revisions(announcement: Announcement) -> list[ShownRevision]:
    """Return the revisions that came from an announcement. A fixed number of queries."""
    rows = list(
        Rule.objects.filter(announced__announcement=announcement).prefetch_related(*Rule.record_parts)
    )
    earlier = _agreed_before(rows)
    records = {row: row.to_record() for row in rows}
    read = names_for([*records.values(), *earlier.values()]).read
    return [
        ShownRevision(
            row,
            str(State(row.state).label),
            COLORS[State(row.state).label],
            read(record),
            read(earlier[row]) if row in earlier else "",
        )
        for row, record in records.items()
    ]


def _agreed_before(rows: Sequence[Rule]) -> dict[Rule, facts.Rule]:
    """Return the revision that was approved before each of these, if there is one."""
    agreed = Rule.objects.filter(rule_id__in=[row.rule_id for row in rows if row.revision > 1])
    ended = [*AGREED, State.SUPERSEDED]
    by_id = agreed.filter(state__in=ended).prefetch_related(*Rule.record_parts).by_record()
    found = {}
    for row in rows:
        before = [one for one in by_id.get(row.rule_id, []) if one.revision < row.revision]
        if before:
            found[row] = before[-1].to_record()
    return found


def offered(user: User, revisions: Sequence[ShownRevision]) -> list[tuple[Any, list[int]]]:
    """Return the buttons for all revisions of an announcement, each with the keys that it concerns."""
    buttons = []
    for action, state in SUBJECT_TO.items():
        keys = [one.row.pk for one in revisions if one.row.state == state]
        if keys and may(user, action, Rule):
            buttons.append((MANY[action], keys))
    return buttons


def latest_sources(number: int) -> list[tuple[str, str]]:
    """Return the sources that were recorded last: their ids and titles."""
    return list(Source.objects.order_by("-recorded_at").values_list("id", "title")[:number])
