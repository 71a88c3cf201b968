"""Work that waits for a person, and theirs that waits for others. Called by `sections`."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, F, Q, QuerySet, Subquery, TextField, Value

from aeo.guides.editing.models import GuideText
from catalog.dates import moment_words
from catalog.editorial.models import Revision
from catalog.editorial.pending.selectors import approvable_by, returned_to, waiting_of
from catalog.editorial.permissions import may
from catalog.editorial.selectors import (
    DRAFTED_BY_A_PROGRAM,
    agreed_of,
    drafts_of,
    in_review_by,
    not_measured_for,
    owes_approval_of,
    returns_of,
    reviewable_by,
    was_returned,
)
from catalog.editorial.workflow import EditorAction, State
from catalog.models import ChangeSet, ChangeSetState
from compliance.desk.publishing import checks_before_publishing
from compliance.desk.shapes import FEW, Line, Row, Section, address, line
from compliance.teamwork.topics import REVIEWED
from compliance.teamwork.webhooks.models import DeskWebhook
from rules.analysis.selectors import Seen
from rules.models import (
    AcceptedCase,
    Disagreement,
    PlannedRelease,
    PlanState,
    Release,
    RollBackRequest,
    SoloRelease,
    VerdictCase,
)
from rules.publishing.admin.waiting import alone_approvable_by, may_approve

Counts = dict[str, dict[str, int]]
"""How many rows of each kind, by the name of its model, a person has to do with, by what they have to do."""

CHANGE_SET = "changeset"
WEBHOOK = "deskwebhook"


def counts_for(user: User) -> Counts:
    """Return all counts of a person's own work. One query."""
    paused = _counted(DeskWebhook.objects.all(), WEBHOOK, paused=Q(paused__isnull=False))
    first, *others = [_of_revisions(user, model) for model in REVIEWED.values()] + [
        _of_change_sets(user),
        paused,
    ]
    rows = {kind: counts for kind, *counts in first.union(*others, all=True)}
    # An empty table has no row.
    nothing = [0] * len(NAMES)
    kinds = [*REVIEWED, CHANGE_SET, WEBHOOK]
    return {kind: dict(zip(NAMES, rows.get(kind, nothing), strict=True)) for kind in kinds}


def waiting(user: User, present: Seen, counts: Counts, alone: Sequence[SoloRelease]) -> Section:
    """Return the rows that a person must review, correct or publish, and the cases that they may accept."""
    lines: list[Line] = []
    for model in REVIEWED.values():
        lines += _revisions(user, model, counts[str(model._meta.model_name)])
    lines += [
        *_failing_cases(user, present),
        *_releases(user, alone),
        *_plans(user),
        *_change_sets(user, counts[CHANGE_SET]),
        *_webhooks(user, counts[WEBHOOK]),
    ]
    return Section(
        title="Waiting for you",
        calm="Nothing waits for you.",
        lines=tuple(lines),
        rows_title="Returned to you",
        rows=tuple(_returned(user)),
    )


def others(user: User, counts: Counts) -> Section | None:
    """Return the work of a person that waits for others; None if they write nothing."""
    lines: list[Line] = []
    for model in REVIEWED.values():
        if may(user, EditorAction.SUBMIT, model):
            names = str(model._meta.verbose_name_plural).lower()
            mine = counts[str(model._meta.model_name)]
            lines.append(line(mine["mine"], f"Your {names} in review", model, desk="mine"))
            what = f"Your approved {names}, not published yet"
            lines.append(line(mine["agreed"], what, model, desk="agreed", state=State.APPROVED))
    if may(user, EditorAction.DISCARD, ChangeSet):
        link = address("admin:catalog_changeset_changelist", desk="mine")
        what = "Your change sets of the catalog that wait for approval"
        lines.append(Line(count=counts[CHANGE_SET]["mine"], what=what, link=link))
    if not lines:
        return None
    return Section(
        title="You wait for others", calm="None of your work waits for others.", lines=tuple(lines)
    )


def _revisions(user: User, model: type[Revision], counts: dict[str, int]) -> Iterator[Line]:
    """Yield what a person has to do with revisions of one kind."""
    names = str(model._meta.verbose_name_plural).capitalize()
    if may(user, EditorAction.APPROVE, model):
        yield line(counts["review"], f"{names} to review", model, "info", desk="waits")
        # What changes no answer needs no second approval.
        if model not in (Disagreement, VerdictCase, GuideText):
            what, approved = f"Second approvals owed: {names.lower()}", {"state": State.APPROVED}
            yield line(counts["owed"], what, model, "warning", desk="owed", **approved)
            what = f"{names} approved once, and not measured yet"
            yield line(counts["again"], what, model, "info", desk="again", **approved)
    if may(user, EditorAction.SUBMIT, model):
        yield line(counts["returned"], f"{names} returned to you", model, "warning", desk="returned")
        yield line(counts["drafts"], f"Your drafts of {names.lower()}", model, desk="drafts")
        yield line(counts["programs"], f"{names} drafted by a program", model, "info", desk="programs")
    if user.has_perm("rules.publish_release"):
        yield line(counts["approved"], f"{names} to publish", model, "info", state=State.APPROVED)


def _failing_cases(user: User, present: Seen) -> Iterator[Line]:
    """Yield how many failing cases block publishing and lack the acceptance of this person."""
    report = present.report
    if report is None or user.pk in report.authors or not may(user, EditorAction.ACCEPT, AcceptedCase):
        return
    yield Line(
        count=sum(one.first_reviewer != user.pk for one in report.failing),
        what="Failing verdict cases that block publishing: return the change, or accept the failure",
        link=checks_before_publishing(),
        tone="danger",
    )


def _releases(user: User, alone: Sequence[SoloRelease]) -> Iterator[Line]:
    """Yield the releases of one person that a user may approve, and the roll-backs that they may do."""
    if may_approve(user):
        yield Line(
            count=len(alone_approvable_by(user, alone)),
            what="Releases published alone to approve",
            link=address("admin:rules_release_publish"),
            tone="danger",
        )
    if not may(user, EditorAction.ROLL_BACK, Release):
        return
    current = Release.objects.order_by("-sequence").values("pk")[:1]
    asked = RollBackRequest.objects.filter(base=Subquery(current)).exclude(created_by=user)
    for version, key in (
        asked.order_by("back_to").values_list("back_to__ruleset_version", "back_to").distinct()
    ):
        yield Line(
            count=1,
            what=f"Roll-back to release {version}, which another publisher requested",
            link=address("admin:rules_release_roll_back", key),
            tone="danger",
        )


def _plans(user: User) -> Iterator[Line]:
    """Yield the plans of a person, and those with their work, that could not go. One query."""
    mine = Q(created_by=user) | Q(authors__contains=[user.pk])
    for plan in PlannedRelease.objects.filter(mine, state=PlanState.FAILED).order_by("due"):
        yield Line(
            count=1,
            what=f"Planned publishing of {moment_words(plan.due)} that could not go: {plan.failure}",
            link=address("admin:rules_release_publish"),
            tone="danger",
        )


def _change_sets(user: User, counts: dict[str, int]) -> Iterator[Line]:
    """Yield how many change sets of the catalog a person must approve or correct."""
    lists = "admin:catalog_changeset_changelist"
    if may(user, EditorAction.APPROVE, ChangeSet):
        what = "Change sets of the catalog to approve"
        yield Line(count=counts["review"], what=what, link=address(lists, desk="waits"), tone="info")
    if may(user, EditorAction.DISCARD, ChangeSet):
        what = "Change sets of the catalog returned to you"
        yield Line(count=counts["returned"], what=what, link=address(lists, desk="returned"), tone="warning")


def _webhooks(user: User, counts: dict[str, int]) -> Iterator[Line]:
    """Yield how many of the team's tools hear nothing until a person resumes them."""
    if user.has_perm("compliance.change_deskwebhook"):
        yield Line(
            count=counts["paused"],
            what="Webhooks of the desk that are paused",
            link=address("admin:compliance_deskwebhook_changelist", paused__isempty=0),
            tone="warning",
        )


NAMES = ("review", "owed", "again", "drafts", "programs", "returned", "approved", "mine", "agreed", "paused")
"""The names of the counts, in the order of the columns of their query."""


def _of_revisions(user: User, model: type[Revision]) -> QuerySet[Any, Any]:
    """Return the query of the counts of one kind of revisions."""
    waiting = model._default_manager.filter(state__in=(State.DRAFT, State.IN_REVIEW, State.APPROVED))
    return _counted(
        waiting,
        str(model._meta.model_name),
        review=reviewable_by(user),
        owed=owes_approval_of(user, model),
        again=not_measured_for(user, model),
        drafts=drafts_of(user),
        programs=DRAFTED_BY_A_PROGRAM,
        returned=drafts_of(user) & was_returned(model),
        approved=Q(state=State.APPROVED),
        mine=in_review_by(user),
        agreed=agreed_of(user),
    )


def _of_change_sets(user: User) -> QuerySet[Any, Any]:
    open_ones = ChangeSet.objects.filter(state__in=(ChangeSetState.WAITING, ChangeSetState.RETURNED))
    return _counted(
        open_ones, CHANGE_SET, review=approvable_by(user), returned=returned_to(user), mine=waiting_of(user)
    )


def _counted(rows: QuerySet[Any], kind: str, **conditions: Q) -> QuerySet[Any, Any]:
    """Return the query that counts the rows that meet each condition."""
    counts = {
        f"of_{name}": Count("pk", filter=conditions[name]) if name in conditions else Value(0)
        for name in NAMES
    }
    grouped = rows.order_by().annotate(of_kind=Value(kind, TextField())).values("of_kind")
    return grouped.annotate(**counts).values_list("of_kind", *counts)


def _returned(user: User) -> list[Row]:
    """Return the drafts that were returned to a person last, with the reasons. One query."""
    kinds = {kind: m for kind, m in REVIEWED.items() if may(user, EditorAction.SUBMIT, m)}
    if not kinds:
        return []
    first, *more = [_returned_of(user, model) for model in kinds.values()]
    rows = first.union(*more, all=True).order_by(F("of_at").desc())[:FEW]
    return [
        Row(
            name=name if revision == 1 else f"{name}, revision {revision}",
            says=f"{by} returned it: {why}",
            link=address(f"admin:{kinds[kind]._meta.app_label}_{kind}_change", pk),
            at=at,
        )
        for kind, pk, name, revision, why, by, at in rows
    ]


def _returned_of(user: User, model: type[Revision]) -> QuerySet[Any, Any]:
    last = returns_of(model)
    drafts = model._default_manager.filter(drafts_of(user) & was_returned(model)).order_by()
    return drafts.annotate(
        of_kind=Value(str(model._meta.model_name), TextField()),
        of_name=F(model.id_field),
        of_why=Subquery(last.values("reason")[:1]),
        of_by=Subquery(last.values("done_by__username")[:1]),
        of_at=Subquery(last.values("done_at")[:1]),
    ).values_list("of_kind", "pk", "of_name", "revision", "of_why", "of_by", "of_at")
