"""The sections that the editor desk shows to a person, in a constant number of queries."""

import datetime
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from aeo.coverage import admin
from catalog.models import AuditEntry
from compliance.desk import evidence, own, publishing, upkeep, waiting
from compliance.desk.shapes import FEW, Line, Row, Section, Tone, address, counted
from compliance.partners.admin.filters import KEYLESS, expires_soon
from compliance.partners.models import Partner, PartnerKey, WebhookDelivery
from rules.analysis.open_findings import sorted_out
from rules.analysis.selectors import seen
from rules.engine.outcomes import UPCOMING_DAYS
from rules.models import Release, SoloRelease


def sections(user: User, now: datetime.datetime, current: Release | None) -> list[Section]:
    """Return the sections of a person's desk, those with waiting work first. `current` is the release."""
    of_rules, of_partners = user.has_perm("rules.view_rule"), user.has_perm("compliance.view_partner")
    partners = _of_partners(now) if of_partners else []
    asked = [*evidence.to_count(now), *upkeep.to_count(now.date())] if of_rules else []
    asked += [(what, rows) for what, rows, _, _ in partners]
    counts = counted(asked) if asked else {}
    shown = [*_of_rules(user, now, counts, current)] if of_rules else []
    if of_partners:
        shown.append(_partners(partners, counts))
    if user.has_perm("compliance.export_verdictrecord"):
        shown.append(_exports(user))
    return shown


def _of_rules(
    user: User, now: datetime.datetime, counts: Mapping[str, int], current: Release | None
) -> Iterator[Section]:
    present, today = seen(now), now.date()
    sorted_findings = sorted_out(present.report.findings if present.report else ())
    work, alone = waiting.counts_for(user), list(SoloRelease.objects.waiting())
    yield waiting.waiting(user, present, work, alone)
    yield from own.sections(user, now)
    if (elsewhere := waiting.others(user, work)) is not None:
        yield elsewhere
    if user.has_perm("rules.view_watchsignal"):
        yield evidence.evidence(counts)
    yield upkeep.sources(counts)
    if user.has_perm(admin.VIEW_PERMISSION):
        yield upkeep.read_next(now)
    yield upkeep.dates(today, counts)
    known = sorted_findings.open + [finding for finding, _ in sorted_findings.accepted]
    yield upkeep.unverified(known, counts)
    yield publishing.findings(sorted_findings.open, present, now)
    yield publishing.current_release(current, present, now, alone)
    if user.has_perm("aeo.view_curation"):
        yield publishing.guides()


def _of_partners(now: datetime.datetime) -> list[tuple[str, QuerySet[Any], str | None, Tone]]:
    """Return what waits for a partner manager: what it is, its rows, their list, and how grave that is."""
    keyless = Partner.objects.filter(pk__in=Partner.objects.with_keys(now).filter(KEYLESS).values("pk"))
    return [
        (
            f"Keys that expire within {UPCOMING_DAYS} days",
            PartnerKey.objects.filter(expires_soon(now)),
            address("admin:compliance_partnerkey_changelist", state="soon"),
            "warning",
        ),
        (
            "Partners without a valid key",
            keyless,
            address("admin:compliance_partner_changelist", keys="none"),
            "info",
        ),
        (
            "Deliveries of webhooks that were given up",
            WebhookDelivery.objects.filter(
                outcome="dead", webhook__ended=None, webhook__partner__isnull=False
            ),
            address("admin:compliance_webhookdelivery_changelist", outcome__exact="dead"),
            "warning",
        ),
    ]


def _partners(
    found: Iterable[tuple[str, QuerySet[Any], str | None, Tone]], counts: Mapping[str, int]
) -> Section:
    """Return what waits for a partner manager."""
    return Section(
        title="Partners",
        calm="Every partner has a valid key, none expires soon, and no delivery was given up.",
        lines=tuple(
            Line(count=counts.get(what, 0), what=what, link=link, tone=tone) for what, _, link, tone in found
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
