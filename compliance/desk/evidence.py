"""The evidence on the desk: the watch, the feeds and the corpus: what is open, failing or late.

Called by `compliance.desk.sections`. One query, next to that of all counts.
"""

import datetime
from collections.abc import Mapping

from django.conf import settings

from catalog.jobs.admin import progress_of
from catalog.jobs.counts import in_words
from catalog.models import DeadLetter, Run
from compliance.desk.shapes import Counted, Line, Row, Section, Tone, address
from compliance.starter_corpus.models import CorpusProposal, ProposalState
from recalls.feeds.models import LIVE
from recalls.models import FeedNotice, FeedReview, FeedState
from rules.models import SignalKind, WatchedPage, WatchSignal
from rules.watch.status import UNANSWERED, late

SIGNALS: tuple[tuple[SignalKind, str, Tone], ...] = (
    (SignalKind.QUOTE_GONE, "Pages that lost a quote of a rule", "danger"),
    (SignalKind.TEXT_CHANGED, "Pages with changed text", "warning"),
    (SignalKind.DEAD_LINK, "Dead links", "warning"),
)

TROUBLE, LATE, LETTERS = "trouble", "late", "letters"
NOTICES, REVIEWS, DOUBTED = "notices", "reviews", "doubted"
PROPOSALS, CONFLICTS = "proposals", "conflicts"


def evidence(counts: Mapping[str, int]) -> Section:
    """Return the section."""
    return Section(
        title="Evidence",
        calm="No page has changed, all pages answer, and no recall notice or proposal waits.",
        lines=_lines(counts),
        rows_title="The last run",
        rows=_last_run(),
        note=""
        if settings.WATCH_SOURCES
        else "The watch is off on this copy (WATCH_SOURCES): no page is visited automatically.",
    )


def to_count(now: datetime.datetime) -> list[Counted]:
    """Return what the section counts."""
    pages = WatchedPage.objects.all()
    return [
        (TROUBLE, pages.filter(UNANSWERED)),
        (LATE, pages.filter(late(now))),
        (LETTERS, DeadLetter.objects.all()),
        (NOTICES, FeedNotice.objects.filter(state__in=LIVE)),
        (REVIEWS, FeedReview.objects.filter(closed_at__isnull=True)),
        (DOUBTED, FeedState.objects.exclude(suspicion="")),
        (PROPOSALS, CorpusProposal.objects.filter(state=ProposalState.OPEN)),
        (CONFLICTS, CorpusProposal.objects.filter(state=ProposalState.CONFLICT)),
        *((kind.value, WatchSignal.objects.filter(outcome="", kind=kind)) for kind, _, _ in SIGNALS),
    ]


def _lines(counts: Mapping[str, int]) -> tuple[Line, ...]:
    signals, pages = "admin:rules_watchsignal_changelist", "admin:rules_watchedpage_changelist"
    notices = "admin:recalls_feednotice_changelist"
    proposals = "admin:compliance_corpusproposal_changelist"
    listed: list[tuple[str, str, str | None, Tone]] = [
        *((kind.value, what, address(signals, kind=kind.value), tone) for kind, what, tone in SIGNALS),
        (TROUBLE, "Watched pages that do not answer", address(pages, state="trouble"), "default"),
        (
            LATE,
            "Watched pages overdue by more than a day: the watch is late or off",
            address(pages, state="late"),
            "warning",
        ),
        (NOTICES, "Recall notices to decide", address(notices, waits="model"), "warning"),
        (REVIEWS, "Corrected recall notices to review", address(notices, waits="review"), "danger"),
        (
            DOUBTED,
            "Recall feeds with a doubtful answer",
            address("admin:recalls_feedstate_changelist"),
            "warning",
        ),
        (PROPOSALS, "Proposals of the starter corpus to decide", address(proposals, state="open"), "info"),
        (
            CONFLICTS,
            "Proposals of the starter corpus that contradict an edit",
            address(proposals, state="conflict"),
            "warning",
        ),
        (
            LETTERS,
            "Dead letters: items that jobs could not process",
            address("admin:catalog_deadletter_changelist"),
            "warning",
        ),
    ]
    return tuple(
        Line(count=counts.get(word, 0), what=what, link=link, tone=tone) for word, what, link, tone in listed
    )


def _last_run() -> tuple[Row, ...]:
    run = Run.objects.order_by("-pk").first()
    if run is None:
        return ()
    counted = in_words(run.counts) or progress_of(run) or "nothing"
    said = f"{run.get_outcome_display().lower()}: {counted}"
    return (
        Row(
            name=run.name,
            says=f"{said}. {run.note}".strip(),
            link=address("admin:catalog_run_change", run.pk),
            at=run.started,
        ),
    )
