"""Work that waits for a person: reviews, returned rows, drafts. Called by `sections`."""

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, F, Q, Subquery

from aeo.guides.editing.models import GuideText
from catalog.editorial.models import Revision
from catalog.editorial.pending.selectors import approvable_by, returned_to
from catalog.editorial.permissions import may
from catalog.editorial.selectors import (
    DRAFTED_BY_A_PROGRAM,
    drafts_of,
    not_measured_for,
    owes_approval_of,
    returns_of,
    reviewable_by,
    was_returned,
)
from catalog.editorial.workflow import EditorAction, State
from catalog.models import ChangeSet
from compliance.desk.publishing import checks_before_publishing
from compliance.desk.shapes import FEW, Line, Row, Section, address, change_page, line
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
from rules.next_release import REVISED
from rules.publishing.admin.waiting import alone_approvable_by, may_approve


def waiting(user: User, present: Seen) -> Section:
    """Return the rows that a person must review, correct or publish, and the cases that they may accept."""
    lines: list[Line] = []
    rows: list[Row] = []
    for model in (*REVISED.values(), VerdictCase, GuideText):
        names = str(model._meta.verbose_name_plural).capitalize()
        reviews, writes = may(user, EditorAction.APPROVE, model), may(user, EditorAction.SUBMIT, model)
        counts = _counts(user, model)
        if reviews:
            lines.append(line(counts["review"], f"{names} to review", model, "info", desk="waits"))
        # What changes no answer needs no second approval.
        if reviews and model not in (Disagreement, VerdictCase, GuideText):
            what, approved = f"Second approvals owed: {names.lower()}", {"state": State.APPROVED}
            lines.append(line(counts["owed"], what, model, "warning", desk="owed", **approved))
            what = f"{names} approved once, and not measured yet"
            lines.append(line(counts["again"], what, model, "info", desk="again", **approved))
        if writes:
            lines.append(
                line(counts["returned"], f"{names} returned to you", model, "warning", desk="returned")
            )
            lines.append(line(counts["drafts"], f"Your drafts of {names.lower()}", model, desk="drafts"))
            lines.append(
                line(counts["programs"], f"{names} drafted by a program", model, "info", desk="programs")
            )
            rows += _returned(user, model) if counts["returned"] else []
        if user.has_perm("rules.publish_release"):
            lines.append(line(counts["approved"], f"{names} to publish", model, "info", state=State.APPROVED))
    lines += [*_failing_cases(user, present), *_releases(user), *_plans(user), *_change_sets(user)]
    return Section(
        title="Waiting for you",
        calm="Nothing waits for you.",
        lines=tuple(lines),
        rows_title="Returned to you",
        rows=tuple(rows[:FEW]),
    )


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


def _releases(user: User) -> Iterator[Line]:
    """Yield the releases of one person that a user may approve, and the roll-backs that they may do."""
    if may_approve(user):
        yield Line(
            count=len(alone_approvable_by(user, list(SoloRelease.objects.waiting()))),
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
            what=f"Planned publishing of {plan.due:%Y-%m-%d %H:%M} UTC that could not go: {plan.failure}",
            link=address("admin:rules_release_publish"),
            tone="danger",
        )


def _change_sets(user: User) -> list[Line]:
    """Return how many change sets of the catalog a person must approve or correct. One query."""
    counts = ChangeSet.objects.order_by().aggregate(
        waits=Count("pk", filter=approvable_by(user)), returned=Count("pk", filter=returned_to(user))
    )
    lists, lines = "admin:catalog_changeset_changelist", []
    if may(user, EditorAction.APPROVE, ChangeSet):
        what = "Change sets of the catalog to approve"
        lines.append(Line(count=counts["waits"], what=what, link=address(lists, desk="waits"), tone="info"))
    if may(user, EditorAction.DISCARD, ChangeSet):
        what = "Change sets of the catalog returned to you"
        link = address(lists, desk="returned")
        lines.append(Line(count=counts["returned"], what=what, link=link, tone="warning"))
    return lines


def _counts(user: User, model: type[Revision]) -> dict[str, int]:
    waiting = model._default_manager.filter(state__in=(State.DRAFT, State.IN_REVIEW, State.APPROVED))
    return waiting.aggregate(
        review=Count("pk", filter=reviewable_by(user)),
        owed=Count("pk", filter=owes_approval_of(user, model)),
        again=Count("pk", filter=not_measured_for(user, model)),
        drafts=Count("pk", filter=drafts_of(user)),
        programs=Count("pk", filter=DRAFTED_BY_A_PROGRAM),
        returned=Count("pk", filter=drafts_of(user) & was_returned(model)),
        approved=Count("pk", filter=Q(state=State.APPROVED)),
    )


def _returned(user: User, model: type[Revision]) -> list[Row]:
    last = returns_of(model)
    drafts: Any = model._default_manager.filter(drafts_of(user) & was_returned(model)).annotate(
        why=Subquery(last.values("reason")[:1]),
        by=Subquery(last.values("done_by__username")[:1]),
        at=Subquery(last.values("done_at")[:1]),
    )
    return [
        Row(
            name=str(draft),
            says=f"{draft.by} returned it: {draft.why}",
            link=change_page(draft),
            at=draft.at,
        )
        for draft in drafts.order_by(F("at").desc())[:FEW]
    ]
