"""Sources to read, rules that end soon, and unverified records. Called by `sections`."""

import datetime
from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Count, Q

from aeo.coverage import admin
from catalog.editorial.workflow import State
from catalog.models import PolicyChange, Source
from catalog.sources.selectors import is_due, is_overdue
from catalog.tables.references import is_referred_to
from compliance.desk.shapes import FEW, Line, Row, Section, address, change_page, line
from rules.analysis.checks import Finding
from rules.engine.outcomes import UPCOMING_DAYS
from rules.models import Rule


def sources(today: datetime.date) -> Section:
    """Return the sources that are due to be read again, and the newest changes of policies."""
    used = Source.objects.filter(is_referred_to(Source))
    old = used.aggregate(due=Count("pk", filter=is_due(today)), overdue=Count("pk", filter=is_overdue(today)))
    changes = PolicyChange.objects.select_related("policy__airline").order_by("-date", "-pk")[:FEW]
    return Section(
        title="Sources",
        calm="Every used source was read as recently as its cadence requires.",
        lines=(
            Line(
                count=old["due"],
                what="Sources in use, due to be read again",
                link=address("admin:catalog_source_changelist", freshness="due", used="yes"),
                tone="warning",
            ),
            Line(
                count=old["overdue"],
                what="Of these, overdue: twice as old as allowed",
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


def read_next(now: datetime.datetime) -> Section:
    """Return where an hour of reading helps most; this work never ends, so nothing is counted."""
    return Section(
        title="Read next",
        calm="What to read next, the most useful first.",
        rows_title="First in the list",
        rows=tuple(
            Row(name=one.name, says=why, link=address("pages:read_next"))
            for one, why in admin.first(now, FEW)
        ),
    )


class PublishedRules(NamedTuple):
    """How many published rules end soon, and how many are not verified."""

    ending: int
    unverified: int


def published_rules(today: datetime.date) -> PublishedRules:
    """Count published rules. One query."""
    counts = Rule.objects.filter(state=State.PUBLISHED).aggregate(
        ending=Count("pk", filter=_ends_soon(today)),
        unverified=Count("pk", filter=Q(confidence="unverified")),
    )
    return PublishedRules(**counts)


def _ends_soon(today: datetime.date) -> Q:
    return Q(effective_until__range=(today, today + datetime.timedelta(days=UPCOMING_DAYS)))


def dates(today: datetime.date, count: int) -> Section:
    """Return the published rules that end soon; `count` is how many."""
    ending = Rule.objects.filter(_ends_soon(today), state=State.PUBLISHED)
    return Section(
        title=f"Expires within {UPCOMING_DAYS} days",
        calm="No published rule ends soon.",
        lines=(line(count, "Published rules", Rule, "warning", state=State.PUBLISHED, in_force="soon"),),
        rows=tuple(
            Row(name=str(rule), says=rule.summary, link=change_page(rule), at=rule.effective_until)
            for rule in ending.order_by("effective_until", "rule_id")[:FEW]
        ),
    )


def unverified(found: Sequence[Finding], count: int) -> Section:
    """Return the published records that are not verified; `count` is how many rules."""
    lines = [
        line(count, "Published rules", Rule, "warning", state=State.PUBLISHED, confidence__exact="unverified")
    ]
    for kind, what in (
        ("airline_unverified", "Airlines without a verified rule"),
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
    return Section(
        title="Unverified", calm="All published rules and airlines are verified.", lines=tuple(lines)
    )
