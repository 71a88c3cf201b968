"""What the desk says of the source watch: what is open, what does not answer, and whether the watch keeps up.

Called by `compliance.admin.desk.sections`. Four queries.
"""

import datetime

from django.conf import settings
from django.db.models import Count, Q

from catalog.admin.jobs import counts_of, progress_of
from catalog.models import DeadLetter, Run
from compliance.admin.desk.shapes import Line, Row, Section, Tone, address
from rules.admin.watch.filters import UNANSWERED, late
from rules.models import SignalKind, WatchedPage, WatchSignal

SIGNALS: tuple[tuple[SignalKind, str, Tone], ...] = (
    (SignalKind.QUOTE_GONE, "Pages that lost words which carry a rule", "danger"),
    (SignalKind.TEXT_CHANGED, "Pages that say something else", "warning"),
    (SignalKind.DEAD_LINK, "Links that are dead", "warning"),
)


def evidence(now: datetime.datetime) -> Section:
    """Return the section."""
    return Section(
        title="Evidence",
        calm="No page has changed, and all of them answer.",
        lines=(*_signals(), *_pages(now), _letters()),
        rows_title="The last run",
        rows=_last_run(),
        note=""
        if settings.WATCH_SOURCES
        else "The watch is off on this copy (WATCH_SOURCES): no page is visited by itself.",
    )


def _signals() -> list[Line]:
    counts = dict(
        WatchSignal.objects.filter(outcome="")
        .order_by()
        .values_list("kind")
        .annotate(signals=Count("pk"))
        .values_list("kind", "signals")
    )
    return [
        Line(
            count=counts.get(kind, 0),
            what=what,
            link=address("admin:rules_watchsignal_changelist", kind=kind.value),
            tone=tone,
        )
        for kind, what, tone in SIGNALS
    ]


def _pages(now: datetime.datetime) -> list[Line]:
    counts = WatchedPage.objects.aggregate(
        trouble=Count("pk", filter=UNANSWERED), late=Count("pk", filter=Q(late(now)))
    )
    return [
        Line(
            count=counts["trouble"],
            what="Watched pages that do not answer",
            link=address("admin:rules_watchedpage_changelist", state="trouble"),
        ),
        Line(
            count=counts["late"],
            what="Watched pages due for over a day: the watch lags or is off",
            link=address("admin:rules_watchedpage_changelist", state="late"),
            tone="warning",
        ),
    ]


def _letters() -> Line:
    return Line(
        count=DeadLetter.objects.count(),
        what="Dead letters: what jobs gave up on",
        link=address("admin:catalog_deadletter_changelist"),
        tone="warning",
    )


def _last_run() -> tuple[Row, ...]:
    run = Run.objects.order_by("-pk").first()
    if run is None:
        return ()
    told = ", ".join(filter(None, [run.get_outcome_display().lower(), progress_of(run), counts_of(run)]))
    return (
        Row(
            name=run.name,
            says=f"{told}. {run.note}".strip(),
            link=address("admin:catalog_run_change", run.pk),
            at=run.started,
        ),
    )
