"""The sections that the editor desk shows to a person, in a constant number of queries."""

import datetime
from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, QuerySet, TextField, Value

from aeo.coverage import admin
from catalog.models import AuditEntry
from compliance.desk import own, publishing, upkeep, waiting
from compliance.desk.evidence import evidence
from compliance.desk.shapes import FEW, Line, Row, Section, Tone, address
from compliance.partners.admin.filters import KEYLESS, expires_soon
from compliance.partners.models import Partner, PartnerKey, WebhookDelivery
from rules.analysis.open_findings import sorted_out
from rules.analysis.selectors import seen
from rules.engine.outcomes import UPCOMING_DAYS
from rules.models import SoloRelease


def sections(user: User, now: datetime.datetime) -> list[Section]:
    """Return the sections of a person's desk, those with waiting work first."""
    shown = [*_of_rules(user, now)] if user.has_perm("rules.view_rule") else []
    if user.has_perm("compliance.view_partner"):
        shown.append(_partners(now))
    if user.has_perm("compliance.export_verdictrecord"):
        shown.append(_exports(user))
    return shown


def _of_rules(user: User, now: datetime.datetime) -> Iterator[Section]:
    present, today = seen(now), now.date()
    sorted_findings = sorted_out(present.report.findings if present.report else ())
    counts, alone = waiting.counts_for(user), list(SoloRelease.objects.waiting())
    yield waiting.waiting(user, present, counts, alone)
    yield from own.sections(user, now)
    if (elsewhere := waiting.others(user, counts)) is not None:
        yield elsewhere
    if user.has_perm("rules.view_watchsignal"):
        yield evidence(now)
    yield upkeep.sources(today)
    if user.has_perm(admin.VIEW_PERMISSION):
        yield upkeep.read_next(now)
    published = upkeep.published_rules(today)
    yield upkeep.dates(today, published.ending)
    known = sorted_findings.open + [finding for finding, _ in sorted_findings.accepted]
    yield upkeep.unverified(known, published.unverified)
    yield publishing.findings(sorted_findings.open, present, now)
    yield publishing.current_release(present, now, alone)
    if user.has_perm("aeo.view_curation"):
        yield publishing.guides()


def _partners(now: datetime.datetime) -> Section:
    """Return what waits for a partner manager. One query."""
    keyless = Partner.objects.filter(pk__in=Partner.objects.with_keys(now).filter(KEYLESS).values("pk"))
    found: list[tuple[QuerySet[Any], str, str | None, Tone]] = [
        (
            PartnerKey.objects.filter(expires_soon(now)),
            f"Keys that expire within {UPCOMING_DAYS} days",
            address("admin:compliance_partnerkey_changelist", state="soon"),
            "warning",
        ),
        (
            keyless,
            "Partners without a valid key",
            address("admin:compliance_partner_changelist", keys="none"),
            "info",
        ),
        (
            WebhookDelivery.objects.filter(
                outcome="dead", webhook__ended=None, webhook__partner__isnull=False
            ),
            "Deliveries of webhooks that were given up",
            address("admin:compliance_webhookdelivery_changelist", outcome__exact="dead"),
            "warning",
        ),
    ]
    first, *others = [
        rows.order_by().annotate(word=Value(what, TextField())).values_list("word").annotate(Count("pk"))
        for rows, what, _, _ in found
    ]
    counts = dict(first.union(*others, all=True))
    return Section(
        title="Partners",
        calm="Every partner has a valid key, none expires soon, and no delivery was given up.",
        lines=tuple(
            Line(count=counts.get(what, 0), what=what, link=link, tone=tone) for _, what, link, tone in found
        ),
    )


def _exports(user: User) -> Section:
    """Return the last exports of an auditor. One query."""
    made = AuditEntry.objects.filter(kind="verdicts", done_by=user).order_by("-pk")[:FEW]
    return Section(
        title="Audit exports",
        calm="The command “manage.py audit export” makes an archive of the verdicts of a period.",
        rows_title="Your last exports",
        rows=tuple(Row(name=one.subject, says=one.reason, at=one.done_at) for one in made),
    )
