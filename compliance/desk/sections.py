"""What the editor desk shows to somebody: only what concerns them, in a constant number of queries."""

import datetime
from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, F, Q, Subquery

from aeo.coverage import admin
from aeo.guides.admin import guides_checked
from catalog.editorial.models import Revision
from catalog.editorial.permissions import may
from catalog.editorial.selectors import (
    DRAFTED_BY_A_PROGRAM,
    drafts_of,
    is_due,
    is_overdue,
    returns_of,
    reviewable_by,
    was_returned,
)
from catalog.editorial.workflow import State, Verb
from catalog.models import PolicyChange, Source
from catalog.sources.evidence_columns import age
from catalog.tables.references import is_referred_to
from compliance.desk.evidence import evidence
from compliance.desk.shapes import Line, Row, Section, Tone, address
from compliance.models import Partner, PartnerKey
from compliance.partners.admin.filters import KEYLESS, expires_soon
from rules.analysis.admin.report_age import as_of
from rules.analysis.checks import KINDS, Finding
from rules.analysis.open_findings import sorted_out
from rules.analysis.selectors import Seen, seen
from rules.engine.outcomes import UPCOMING_DAYS
from rules.models import Release, Rule
from rules.next_release import REVISED

FEW = 5
"""So many rows are shown of what a section counts or recalls."""


def sections(user: User, now: datetime.datetime) -> list[Section]:
    """Return the sections of somebody's desk, what waits for them first."""
    shown = [*_of_rules(user, now)] if user.has_perm("rules.view_rule") else []
    if user.has_perm("compliance.view_partner"):
        shown.append(_partners(now))
    return shown


def _of_rules(user: User, now: datetime.datetime) -> Iterator[Section]:
    present = seen(now)
    looked = sorted_out(present.outlook.findings if present.outlook else ())
    yield _waiting(user)
    if user.has_perm("rules.view_watchsignal"):
        yield evidence(now)
    yield _sources(now.date())
    if user.has_perm(admin.LOOK):
        yield _read_next(now)
    yield _dates(now.date())
    yield _unverified(looked.open + [finding for finding, _ in looked.accepted])
    yield _findings(looked.open, present, now)
    yield _release(present, now)
    if user.has_perm("aeo.view_curation"):
        yield _guides()


# --- What waits ---


def _waiting(user: User) -> Section:
    lines: list[Line] = []
    rows: list[Row] = []
    for model in REVISED.values():
        names = str(model._meta.verbose_name_plural).capitalize()
        reviews, writes = may(user, Verb.APPROVE, model), may(user, Verb.SUBMIT, model)
        counts = _counts(user, model)
        if reviews:
            lines.append(_line(counts["review"], f"{names} to review", model, "info", desk="waits"))
        if writes:
            lines.append(
                _line(counts["returned"], f"{names} returned to you", model, "warning", desk="returned")
            )
            lines.append(_line(counts["drafts"], f"Drafts of {names.lower()}", model, desk="drafts"))
            lines.append(
                _line(counts["programs"], f"{names} drafted by a program", model, "info", desk="programs")
            )
            rows += _returned(user, model)
        if user.has_perm("rules.publish_release"):
            lines.append(
                _line(counts["approved"], f"{names} to publish", model, "info", state=State.APPROVED)
            )
    return Section(
        title="Waits for you",
        calm="Nothing waits for you.",
        lines=tuple(lines),
        rows_title="Returned to you",
        rows=tuple(rows[:FEW]),
    )


def _counts(user: User, model: type[Revision]) -> dict[str, int]:
    waiting = model._default_manager.filter(state__in=(State.DRAFT, State.IN_REVIEW, State.APPROVED))
    return waiting.aggregate(
        review=Count("pk", filter=reviewable_by(user)),
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
            link=_change(draft),
            at=draft.at,
        )
        for draft in drafts.order_by(F("at").desc())[:FEW]
    ]


# --- What the world does ---


def _sources(today: datetime.date) -> Section:
    used = Source.objects.filter(is_referred_to(Source))
    old = used.aggregate(due=Count("pk", filter=is_due(today)), overdue=Count("pk", filter=is_overdue(today)))
    changes = PolicyChange.objects.select_related("policy__airline").order_by("-date", "-pk")[:FEW]
    return Section(
        title="Changed at its source",
        calm="Every source that something rests on was read as lately as its cadence asks.",
        lines=(
            Line(
                count=old["due"],
                what="Sources in use, due to be read again",
                link=address("admin:catalog_source_changelist", freshness="due", used="yes"),
                tone="warning",
            ),
            Line(
                count=old["overdue"],
                what="Of these, overdue: twice as old as is good",
                link=address("admin:catalog_source_changelist", freshness="overdue", used="yes"),
                tone="danger",
            ),
        ),
        rows_title="The newest changes of policies",
        rows=tuple(
            Row(
                name=change.policy.airline.name,
                says=change.what,
                link=address("admin:catalog_airline_change", change.policy_id),
                at=change.date,
            )
            for change in changes
        ),
    )


def _read_next(now: datetime.datetime) -> Section:
    """Return where an hour of reading helps most; it is never done, so nothing is counted."""
    return Section(
        title="Read next",
        calm="Where an hour of reading helps most.",
        rows_title="First in the list",
        rows=tuple(
            Row(name=one.name, says=why, link=address("pages:read_next"))
            for one, why in admin.first(now, FEW)
        ),
    )


def _dates(today: datetime.date) -> Section:
    soon = today + datetime.timedelta(days=UPCOMING_DAYS)
    ending = Rule.objects.filter(state=State.PUBLISHED, effective_until__range=(today, soon))
    return Section(
        title=f"Expires within {UPCOMING_DAYS} days",
        calm="No published rule ends soon.",
        lines=(
            _line(ending.count(), "Published rules", Rule, "warning", state=State.PUBLISHED, in_force="soon"),
        ),
        rows=tuple(
            Row(name=str(rule), says=rule.summary, link=_change(rule), at=rule.effective_until)
            for rule in ending.order_by("effective_until", "rule_id")[:FEW]
        ),
    )


def _unverified(found: Sequence[Finding]) -> Section:
    rules = Rule.objects.filter(state=State.PUBLISHED, confidence="unverified").count()
    lines = [
        _line(
            rules, "Published rules", Rule, "warning", state=State.PUBLISHED, confidence__exact="unverified"
        )
    ]
    for kind, what in (
        ("airline_unverified", "Airlines that rest on nothing else"),
        ("airline_not_covered", "Airlines without a rule in force"),
    ):
        lines.append(
            Line(
                count=sum(one.kind == kind for one in found),
                what=what,
                link=address("desk:findings", kind=kind, state="all"),
                tone="warning",
            )
        )
    return Section(title="Unverified", calm="Everything that is published was verified.", lines=tuple(lines))


# --- What the analysis and the ledger say ---


def _findings(found: Sequence[Finding], present: Seen, now: datetime.datetime) -> Section:
    counts = {kind: sum(one.kind == kind for one in found) for kind in KINDS}
    lines = [
        Line(
            count=count,
            what=KINDS[kind].title,
            link=address("desk:findings", kind=kind),
            tone="danger" if kind in ("gap", "contradiction") else "warning",
        )
        for kind, count in counts.items()
    ]
    calm = "No finding is open." if present.outlook else "The rows have not been analyzed yet."
    return Section(title="Open findings", calm=calm, lines=tuple(lines), note=as_of(present, now))


def _release(present: Seen, now: datetime.datetime) -> Section:
    release: Any = Release.objects.without_document().select_related("published_by").current()
    rows = []
    if release is not None:
        rows.append(
            Row(
                name=f"{release}, {age(release.published_at.date())}, by {release.published_by}",
                says=release.note,
                link=address("admin:rules_release_change", release.pk),
                at=release.published_at,
            )
        )
    counts = present.outlook.counts if present.outlook else {}
    lines = [
        Line(
            count=count,
            what=f"{kind.capitalize()} to be {'withdrawn' if change == 'removed' else change}",
            link=address("desk:changes", kind=kind, change=change),
            tone="info",
        )
        for kind, of_kind in counts.items()
        for change, count in of_kind.items()
    ]
    if present.outlook and present.outlook.problems:
        lines.append(
            Line(
                count=len(present.outlook.problems),
                what="Problems that stand against publishing",
                link=address("desk:changes"),
                tone="danger",
            )
        )
    calm = "Publishing now would change nothing." if present.outlook else "Not compared with the rows yet."
    return Section(
        title="Current release" if release else "Nothing is published yet",
        calm=calm,
        lines=tuple(lines),
        rows=tuple(rows),
        note=as_of(present, now),
    )


def _guides() -> Section:
    held = [one for one in guides_checked() if not one.holds]
    return Section(
        title="Guides",
        calm="No guide states anything that the current release does not.",
        lines=(
            Line(
                count=len(held),
                what="Guides held back",
                link=address("pages:guides"),
                tone="warning",
            ),
        ),
        rows=tuple(
            Row(name=one.guide.slug, says=one.reasons[0], link=address("pages:guides")) for one in held[:FEW]
        ),
    )


# --- Partners ---


def _partners(now: datetime.datetime) -> Section:
    return Section(
        title="Partners",
        calm="Every partner has a key, and none expires soon.",
        lines=(
            Line(
                count=PartnerKey.objects.filter(expires_soon(now)).count(),
                what=f"Keys that expire within {UPCOMING_DAYS} days",
                link=address("admin:compliance_partnerkey_changelist", state="soon"),
                tone="warning",
            ),
            Line(
                count=Partner.objects.with_keys(now).filter(KEYLESS).count(),
                what="Partners without a key that counts",
                link=address("admin:compliance_partner_changelist", keys="none"),
                tone="info",
            ),
        ),
    )


# --- Addresses ---


def _line(count: int, what: str, model: type[Revision], tone: Tone = "default", **query: str) -> Line:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
    return Line(count=count, what=what, link=address(name, **query), tone=tone)


def _change(row: Revision) -> str | None:
    return address(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", row.pk)
