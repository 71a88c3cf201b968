"""Sources to read, rules that end soon, and unverified records. Called by `sections`."""

import datetime
from collections.abc import Mapping, Sequence

from django.db.models import Q

from aeo.coverage import admin
from catalog.editorial.workflow import State
from catalog.models import PolicyChange, Source
from catalog.sources.selectors import is_due, is_overdue
from catalog.tables.references import is_referred_to
from compliance.desk.shapes import FEW, Counted, Line, Row, Section, address, change_page, line
from rules.analysis.checks import Finding
from rules.engine.outcomes import UPCOMING_DAYS
from rules.models import Rule

DUE, OVERDUE, ENDING, UNVERIFIED = "due", "overdue", "ending", "unverified"


def to_count(today: datetime.date) -> list[Counted]:
    """Return what the sections count."""
    used = Source.objects.filter(is_referred_to(Source))
    published = Rule.objects.filter(state=State.PUBLISHED)
    return [
        (DUE, used.filter(is_due(today))),
        (OVERDUE, used.filter(is_overdue(today))),
        (ENDING, published.filter(_ends_soon(today))),
        (UNVERIFIED, published.filter(confidence="unverified")),
    ]


def sources(counts: Mapping[str, int]) -> Section:
    """Return the sources that are due to be read again, and the newest changes of policies. One query."""
    changes = PolicyChange.objects.select_related("policy__airline").order_by("-date", "-pk")[:FEW]
    return Section(
        title="Sources",
        calm="Every used source was read as recently as its cadence requires.",
        lines=(
            Line(
                count=counts.get(DUE, 0),
                what="Sources in use, due to be read again",
                link=address("admin:catalog_source_changelist", freshness="due", used="yes"),
                tone="warning",
            ),
            Line(
                count=counts.get(OVERDUE, 0),
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


def _ends_soon(today: datetime.date) -> Q:
    return Q(effective_until__range=(today, today + datetime.timedelta(days=UPCOMING_DAYS)))


def dates(today: datetime.date, counts: Mapping[str, int]) -> Section:
    """Return the published rules that end soon."""
    ending = Rule.objects.filter(_ends_soon(today), state=State.PUBLISHED)
    soon = {"state": State.PUBLISHED, "in_force": "soon"}
    return Section(
        title=f"Expires within {UPCOMING_DAYS} days",
        calm="No published rule ends soon.",
        lines=(line(counts.get(ENDING, 0), "Published rules", Rule, "warning", **soon),),
        rows=tuple(
            Row(name=str(rule), says=rule.summary, link=change_page(rule), at=rule.effective_until)
            for rule in ending.order_by("effective_until", "rule_id")[:FEW]
        ),
    )


def unverified(found: Sequence[Finding], counts: Mapping[str, int]) -> Section:
    """Return the published records that are not verified."""
    rules = {"state": State.PUBLISHED, "confidence__exact": "unverified"}
    lines = [line(counts.get(UNVERIFIED, 0), "Published rules", Rule, "warning", **rules)]
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
