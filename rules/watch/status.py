"""How the source watch is doing, in figures and in lines to read. Reads only; four queries."""

import datetime
from collections.abc import Iterator
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Q

from catalog.jobs.counts import told
from catalog.models import DeadLetter, Run, RunOutcome
from rules.watch import BROKEN, JOB
from rules.watch.models import SignalKind, VisitOutcome, WatchedPage, WatchSignal

LAST_RUNS = 5

DONE = (*VisitOutcome.values, BROKEN)
"""The words by which a run counts each visit once; others say why one failed."""


class Pages(NamedTuple):
    """How many pages are watched: due now, in trouble, never visited yet, not visited any more."""

    watched: int
    due: int
    troubled: int
    new: int
    left: int


def pages(now: datetime.datetime) -> Pages:
    """Return how many pages are in which state."""
    visited = Q(due__isnull=False)
    counted = WatchedPage.objects.aggregate(
        all_watched=Count("pk", filter=visited),
        now_due=Count("pk", filter=Q(due__lte=now)),
        in_trouble=Count("pk", filter=visited & ~Q(trouble="")),
        never_visited=Count("pk", filter=visited & Q(visited__isnull=True)),
        left_alone=Count("pk", filter=~visited),
    )
    return Pages(
        watched=counted["all_watched"],
        due=counted["now_due"],
        troubled=counted["in_trouble"],
        new=counted["never_visited"],
        left=counted["left_alone"],
    )


def open_signals() -> dict[SignalKind, int]:
    """Return how many signals are open, by kind, the gravest first."""
    counted = dict(
        WatchSignal.objects.filter(outcome="").order_by().values_list("kind").annotate(Count("pk"))
    )
    return {kind: counted.get(kind, 0) for kind in SignalKind}


def last_runs() -> list[Run]:
    """Return the last runs of the watch, the newest first."""
    return list(Run.objects.filter(name=JOB)[:LAST_RUNS])


def lines(now: datetime.datetime) -> Iterator[str]:
    """Say it all, line by line."""
    by_clock = "on" if settings.WATCH_SOURCES else "off; `manage.py watch run` visits all the same"
    yield f"The clock of the watch is {by_clock}."
    seen = pages(now)
    yield f"Pages: {seen.watched} watched, {seen.due} due, {seen.new} new, {seen.troubled} in trouble."
    if seen.left:
        yield f"{seen.left} pages are not visited any more: set aside, or nothing leads to them."
    signals = open_signals()
    listed = ", ".join(f"{count} {kind.label.lower()}" for kind, count in signals.items())
    yield f"Open signals: {listed}."
    yield from map(_run, last_runs())
    for letter in DeadLetter.objects.filter(name=JOB):
        yield f"Set aside after {letter.tries} tries: {letter.subject} ({letter.reason})"


def _run(run: Run) -> str:
    done = sum(run.counts.get(word, 0) for word in DONE)
    progress = f"{done} of {run.total}" if run.total is not None else "beginning"
    state = f"running, last seen {run.seen:%H:%M:%S}" if run.outcome == RunOutcome.RUNNING else run.outcome
    note = f" ({run.note})" if run.note else ""
    counted = told(run.counts) or "nothing to do"
    return f"Run of {run.started:%Y-%m-%d %H:%M} UTC: {state}{note}; {progress} visits: {counted}."
