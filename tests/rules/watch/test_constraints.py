"""The database itself refuses rows of the watch that contradict themselves, whoever writes them."""

import datetime

import pytest
from django.db.models import F
from django.utils import timezone

from rules.models import SignalKind, Snapshot, Visit, WatchedPage, WatchSignal
from tests.support.constraints import Write, change, constraints_of, copy, violated
from tests.support.factories import a_user
from tests.support.watched_pages import ONE, a_page, a_signal

LONG_AGO = datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC)


def refused() -> list[tuple[str, Write]]:
    """Return writes to rows that are there, each with the constraint that should refuse it."""
    page = a_page(says=ONE)
    visit, kept = page.visits.get(), Snapshot.objects.earliest("pk")
    about_text, about_link = a_signal(page), a_signal(page, SignalKind.DEAD_LINK)
    closed = {"closed_at": timezone.now(), "closed_by": a_user().pk}
    proposed = {"proposed_at": closed["closed_at"], "proposed_by": closed["closed_by"]}
    later = F("moved") + datetime.timedelta(days=1)
    return [
        ("snapshot_once", copy(Snapshot, {}, pk=kept.pk)),
        ("snapshot_fingerprint_is_a_digest", change(Snapshot, kept.pk, fingerprint="no digest")),
        ("watched_page_is_visited_every_so_many_days", change(WatchedPage, page.pk, visit_days=0)),
        ("watched_page_newest_is_a_pair", change(WatchedPage, page.pk, newest_since=None)),
        ("watched_page_begins_reviewed", change(WatchedPage, page.pk, reviewed=None)),
        ("watched_page_has_answered_where_it_has_a_text", change(WatchedPage, page.pk, answered=None)),
        ("visit_outcome_is_known", change(Visit, visit.pk, outcome="lost")),
        ("visit_failed_says_why", change(Visit, visit.pk, outcome="failed")),
        ("watch_signal_kind_is_known", change(WatchSignal, about_link.pk, kind="gone")),
        ("watch_signal_outcome_is_known", change(WatchSignal, about_text.pk, outcome="lost")),
        ("watch_signal_one_open_about_a_text", copy(WatchSignal, {"kind": "quote_gone"}, pk=about_text.pk)),
        ("watch_signal_one_open_about_a_link", copy(WatchSignal, {}, pk=about_link.pk)),
        ("watch_signal_about_a_text_shows_it", change(WatchSignal, about_text.pk, after=None)),
        (
            "watch_signal_closing_is_a_pair",
            change(WatchSignal, about_text.pk, outcome="still_true", closed_at=timezone.now()),
        ),
        ("watch_signal_closed_by_somebody", change(WatchSignal, about_text.pk, **closed)),
        (
            "watch_signal_dismissed_says_why",
            change(WatchSignal, about_text.pk, outcome="dismissed", **closed),
        ),
        (
            "watch_signal_closed_after_opening",
            change(WatchSignal, about_text.pk, outcome="still_true", **closed | {"closed_at": LONG_AGO}),
        ),
        ("watch_signal_proposal_is_a_pair", change(WatchSignal, about_text.pk, proposed_at=timezone.now())),
        (
            "watch_signal_lost_quote_takes_two_people",
            change(WatchSignal, about_text.pk, kind="quote_gone", outcome="still_true", **closed, **proposed),
        ),
        (
            "watch_signal_lost_quote_takes_two_people",
            change(WatchSignal, about_text.pk, kind="quote_gone", outcome="still_true", **closed),
        ),
        ("watch_signal_moved_after_opening", change(WatchSignal, about_text.pk, opened=later)),
    ]


@pytest.mark.django_db
def test_the_database_refuses_each_of_these_rows_and_every_constraint_is_among_them() -> None:
    found = refused()
    assert [(name, violated(write)) for name, write in found] == [(name, name) for name, _ in found]
    tables = ("Snapshot", "WatchedPage", "Visit", "WatchSignal")
    assert {name for name, _ in found} == constraints_of("rules", *tables)
