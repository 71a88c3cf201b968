"""The state of the source watch: conditions on its pages, figures, and lines to read. Reads only.

`lines` makes four queries. Called by the desk, the screens, the metrics and `manage.py watch`.
"""

import datetime
from collections.abc import Iterator
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from catalog.dates import moment_words
from catalog.jobs.counts import in_words
from catalog.models import DeadLetter, Run, RunOutcome, Source
from catalog.records import POINTER
from rules.watch import BROKEN, JOB
from rules.watch.actions.recording import BY_LEAVE
from rules.watch.models import SignalKind, VisitOutcome, WatchedPage, WatchSignal

LAST_RUNS = 5

DONE = (*VisitOutcome.values, BROKEN)
"""The words with which a run counts each visit once; other words say why a visit failed."""

LATE = datetime.timedelta(days=1)
"""A page that has been due for this long shows that the watch is late, or off."""

UNANSWERED = Q(due__isnull=False) & ~Q(trouble__in=["", *BY_LEAVE])
AS_SEEN = Q(newest__isnull=False, newest=F("reviewed"), trouble="")
CHANGED = Q(newest__isnull=False) & ~Q(newest=F("reviewed"))


class Pages(NamedTuple):
    """How many pages are watched: due now, in trouble, never visited, no longer visited."""

    watched: int
    due: int
    troubled: int
    new: int
    left: int


def late(now: datetime.datetime) -> Q:
    """Return the condition that a page should have been visited more than a day ago."""
    return Q(due__lt=now - LATE)


def confirmable() -> Q:
    """Return the condition that a page can be confirmed without a look at it, and that this moves a source.

    The page has not changed, and each of its sources was read when it already said what it says now.
    """
    return _quiet() & Q(Exists(_older())) & ~Q(Exists(_never_compared()))


def never_compared() -> Q:
    """Return the condition that a page has not changed, but that no one read the text it is compared with."""
    return _quiet() & Q(Exists(_never_compared()))


def _quiet() -> Q:
    return AS_SEEN & ~Q(Exists(WatchSignal.objects.filter(page=OuterRef("pk"), outcome="")))


def _older() -> QuerySet[Source]:
    """Return the sources of a page of an outer query that were read before the page last answered."""
    read = Source.objects.filter(url=OuterRef("url")).exclude(basis=POINTER)
    return read.filter(read_on__lt=OuterRef("answered__date"))


def _never_compared() -> QuerySet[Source]:
    """Return the sources of those that were read before the watch knew the text, or at another address."""
    elsewhere = Q(read_url__isnull=False) & ~Q(read_url=F("url"))
    return _older().filter(Q(read_on__lt=OuterRef("newest_since__date")) | elsewhere)


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
    """Yield the whole state, line by line."""
    by_clock = "on" if settings.WATCH_SOURCES else "off; `manage.py watch run` visits pages anyway"
    yield f"The schedule of the watch is {by_clock}."
    seen = pages(now)
    yield f"Pages: {seen.watched} watched, {seen.due} due, {seen.new} new, {seen.troubled} with problems."
    if seen.left:
        yield f"{seen.left} pages are no longer visited: they are set aside, or no record uses them."
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
    counted = in_words(run.counts) or "nothing to do"
    return f"Run of {moment_words(run.started)}: {state}{note}; {progress} visits: {counted}."
