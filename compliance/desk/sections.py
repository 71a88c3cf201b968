"""The sections that the editor desk shows to a person, in a constant number of queries."""

import datetime
from collections.abc import Iterator

from django.contrib.auth.models import User

from aeo.coverage import admin
from compliance.desk import publishing, upkeep, waiting
from compliance.desk.evidence import evidence
from compliance.desk.shapes import Line, Section, address
from compliance.partners.admin.filters import KEYLESS, expires_soon
from compliance.partners.models import Partner, PartnerKey
from rules.analysis.open_findings import sorted_out
from rules.analysis.selectors import seen
from rules.engine.outcomes import UPCOMING_DAYS


def sections(user: User, now: datetime.datetime) -> list[Section]:
    """Return the sections of a person's desk, those with waiting work first."""
    shown = [*_of_rules(user, now)] if user.has_perm("rules.view_rule") else []
    if user.has_perm("compliance.view_partner"):
        shown.append(_partners(now))
    return shown


def _of_rules(user: User, now: datetime.datetime) -> Iterator[Section]:
    present = seen(now)
    sorted_findings = sorted_out(present.report.findings if present.report else ())
    yield waiting.waiting(user, present)
    if user.has_perm("rules.view_watchsignal"):
        yield evidence(now)
    yield upkeep.sources(now.date())
    if user.has_perm(admin.VIEW_PERMISSION):
        yield upkeep.read_next(now)
    yield upkeep.dates(now.date())
    yield upkeep.unverified(sorted_findings.open + [finding for finding, _ in sorted_findings.accepted])
    yield publishing.findings(sorted_findings.open, present, now)
    yield publishing.current_release(present, now)
    if user.has_perm("aeo.view_curation"):
        yield publishing.guides()


def _partners(now: datetime.datetime) -> Section:
    return Section(
        title="Partners",
        calm="Every partner has a valid key, and none expires soon.",
        lines=(
            Line(
                count=PartnerKey.objects.filter(expires_soon(now)).count(),
                what=f"Keys that expire within {UPCOMING_DAYS} days",
                link=address("admin:compliance_partnerkey_changelist", state="soon"),
                tone="warning",
            ),
            Line(
                count=Partner.objects.with_keys(now).filter(KEYLESS).count(),
                what="Partners without a valid key",
                link=address("admin:compliance_partner_changelist", keys="none"),
                tone="info",
            ),
        ),
    )
