"""What the watch makes of visits: which signals it opens, moves and closes, and when it comes again."""

import datetime
import random

import pytest

from catalog.models import DeadLetter
from rules.models import Snapshot, Visit, WatchSignal
from rules.watch import JOB
from rules.watch.actions.recording import align_pages, forget_visits, record_breakdown
from rules.watch.schedule import FIRST_PAUSE, LONGEST_PAUSE, LONGEST_WAIT, after_failure
from rules.watch.snapshots import body_of, text_of
from tests.rules.watch.days import MONDAY, TEXT, URL, WORDS, Days, quoted

pytestmark = pytest.mark.django_db

OTHER = TEXT.replace("in the cabin", "in the cabin or on the person")
WITHOUT_QUOTE = TEXT.replace("two per passenger", "one per passenger")


def test_the_first_visit_opens_nothing_and_keeps_what_the_page_says() -> None:
    days = Days()
    assert days.says(TEXT) == "first"
    assert days.signals == []
    assert days.page.newest == days.page.reviewed
    kept = Snapshot.objects.get()
    assert text_of(kept) == TEXT
    assert body_of(kept) == TEXT.encode()


def test_a_cosmetic_change_raises_nothing_and_is_not_kept() -> None:
    days = Days(quotes=quoted())
    days.says(TEXT)
    assert days.says(f"  {TEXT} ".replace(" ", "  ").replace("\n", "\n\n")) == "unchanged"
    assert days.is_not_modified() == "unchanged"
    assert days.signals == []
    assert Snapshot.objects.count() == 1


def test_another_text_opens_one_quiet_signal_however_often_it_is_seen() -> None:
    days = Days(quotes=quoted())
    days.says(TEXT)
    assert days.says(OTHER) == "changed"
    assert days.says(OTHER) == "unchanged"
    assert days.is_not_modified() == "unchanged"
    assert days.signals == [("text_changed", "")]
    signal = WatchSignal.objects.get()
    assert (text_of(signal.before), text_of(signal.after)) == (TEXT, OTHER)  # type: ignore[arg-type]
    assert signal.quotes == []


def test_a_quote_that_is_gone_opens_a_review_at_once_and_names_the_rule() -> None:
    days = Days(quotes=quoted())
    days.says(TEXT)
    days.says(WITHOUT_QUOTE)
    assert days.signals == [("quote_gone", "")]
    [gone] = WatchSignal.objects.get().quotes
    assert (gone["rule_id"], gone["words"], gone["source"]) == ("n1.two-units", WORDS, "northwing-page")


def test_a_quote_that_never_stood_there_opens_a_review_with_the_first_visit() -> None:
    days = Days(quotes=quoted("five per passenger"))
    days.says(TEXT)
    assert days.signals == [("quote_gone", "")]


def test_a_change_after_a_change_moves_the_open_signal_and_keeps_what_was_known() -> None:
    days = Days(quotes=quoted())
    days.says(TEXT)
    days.says(OTHER)
    days.says(WITHOUT_QUOTE)
    assert days.signals == [("quote_gone", "")]
    signal = WatchSignal.objects.get()
    assert (text_of(signal.before), text_of(signal.after)) == (TEXT, WITHOUT_QUOTE)  # type: ignore[arg-type]
    assert signal.opened < signal.moved
    days.says(OTHER)
    assert days.signals == [("text_changed", "")]
    assert WatchSignal.objects.get().quotes == []


def test_a_page_that_says_again_what_it_said_closes_its_signal_by_itself() -> None:
    days = Days(quotes=quoted())
    days.says(TEXT)
    days.says(WITHOUT_QUOTE)
    days.says(TEXT)
    assert days.signals == [("quote_gone", "came_back")]
    days.says(WITHOUT_QUOTE)
    assert days.signals == [("quote_gone", "came_back"), ("quote_gone", "")]


def test_another_quote_is_looked_for_though_the_page_is_the_same() -> None:
    days = Days(quotes=quoted())
    days.says(TEXT)
    days.quotes = quoted("three per passenger")
    days.align()
    assert days.page.due == days.now
    assert days.is_not_modified() == "unchanged"
    assert days.signals == [("quote_gone", "")]
    days.quotes = quoted()
    days.align()
    days.is_not_modified()
    assert days.signals == [("quote_gone", "came_back")]


def test_a_newer_extractor_is_no_change_of_the_page() -> None:
    days = Days(quotes=quoted())
    days.says(TEXT, extractor="plain-0")
    # What it reads off the same bytes: the watch reads the bytes that it kept once more.
    assert days.says(TEXT, extractor="plain-1") == "unchanged"
    assert days.page.newest == days.page.reviewed
    assert days.page.newest.extractor == "plain-1"  # type: ignore[union-attr]
    assert days.signals == []


def test_a_page_that_changed_while_the_extractor_did_is_still_noticed() -> None:
    days = Days()
    days.says(TEXT, extractor="plain-0")
    assert days.says(OTHER, extractor="plain-1") == "changed"
    assert days.signals == [("text_changed", "")]


def test_a_link_is_dead_after_three_tries_on_different_days() -> None:
    days = Days()
    days.says(TEXT)
    for _ in range(5):
        days.fails("http_status", status=404, days=0)
    assert days.signals == []
    days.fails("timed_out")
    assert days.signals == []
    days.fails("http_status", status=404)
    assert days.signals == [("dead_link", "")]
    days.fails("http_status", status=404)
    assert days.signals == [("dead_link", "")]


def test_a_dead_link_that_answers_again_closes_its_signal_and_counts_from_the_beginning() -> None:
    days = Days(follows_text=False)
    for _ in range(3):
        days.fails("unknown_host")
    days.says(TEXT)
    assert days.signals == [("dead_link", "came_back")]
    days.fails("unknown_host")
    days.fails("unknown_host")
    assert days.signals == [("dead_link", "came_back")]


@pytest.mark.parametrize("trouble", ["unknown_host", "no_connection", "timed_out", "tls"])
def test_no_link_is_dead_while_nothing_at_all_answers_since_that_is_our_own_network(trouble: str) -> None:
    days = Days()
    days.says(TEXT)
    days.online = False
    for _ in range(5):
        days.fails(trouble, days=2)
    assert days.signals == []
    assert days.page.trouble == trouble
    days.online = True
    for _ in range(3):
        days.fails(trouble)
    assert days.signals == [("dead_link", "")]


@pytest.mark.parametrize("trouble", ["robots", "busy"])
def test_a_site_that_does_not_want_us_is_no_dead_link(trouble: str) -> None:
    days = Days()
    for _ in range(5):
        days.fails(trouble)
    assert days.signals == []
    assert days.page.due is not None
    assert days.page.due > days.now + datetime.timedelta(days=6)


def test_a_page_that_was_never_more_than_a_wall_is_for_a_person_to_read_and_no_dead_link() -> None:
    days = Days()
    for _ in range(5):
        days.fails("no_text", answered=True)
    assert days.signals == []


def test_a_page_that_turned_into_a_wall_is_a_signal_after_three_days_and_no_change_of_its_text() -> None:
    days = Days(quotes=quoted())
    days.says(TEXT)
    for _ in range(3):
        days.fails("bot_wall", answered=True)
    assert days.signals == [("dead_link", "")]
    days.says(TEXT)
    assert days.signals == [("dead_link", "came_back")]


def test_a_failure_says_nothing_about_the_text_and_loses_nothing() -> None:
    days = Days(quotes=quoted())
    days.says(TEXT)
    known = days.page.newest
    days.fails("timed_out")
    assert days.page.newest == known
    assert (days.page.trouble, days.page.tries) == ("timed_out", 1)
    days.says(TEXT)
    assert (days.page.trouble, days.page.tries, days.page.failed_days) == ("", 0, 0)


def test_a_visit_is_due_again_after_its_days_and_a_failure_sooner() -> None:
    days = Days()
    days.says(TEXT)
    assert days.page.due is not None
    assert 6 < (days.page.due - days.now).total_seconds() / 86_400 < 8
    days.fails("timed_out")
    assert days.page.due is not None
    assert days.page.due - days.now < 2 * FIRST_PAUSE


def test_the_pauses_between_failures_grow_up_to_a_day_and_are_never_shorter_than_the_server_asks() -> None:
    def pause(tries: int, *, failed_days: int = 1, asked: int | None = None) -> datetime.timedelta:
        retry_after = None if asked is None else datetime.timedelta(days=asked)
        chance = random.Random(tries)
        due = after_failure(
            MONDAY, tries=tries, failed_days=failed_days, visit_days=7, retry_after=retry_after, chance=chance
        )
        return due - MONDAY

    assert pause(1) < pause(3) < pause(5) <= LONGEST_PAUSE * 1.1
    assert all(pause(tries) <= LONGEST_PAUSE * 1.1 for tries in range(1, 2000, 100))
    assert pause(1, asked=3) == datetime.timedelta(days=3)
    assert pause(1, asked=400) == LONGEST_WAIT
    assert pause(9, failed_days=3) > LONGEST_PAUSE * 2


def test_a_page_that_our_own_program_breaks_down_at_is_set_aside_until_a_person_looks() -> None:
    days = Days()
    for tries in range(1, 4):
        record_breakdown(page_id=days.page.pk, error=ValueError("odd"), now=days.now)
        assert DeadLetter.objects.count() == (tries == 3)
    assert days.page.due is None
    letter = DeadLetter.objects.get()
    assert (letter.name, letter.subject, letter.reason) == (JOB, URL, "ValueError: odd")
    days.align()
    assert days.page.due is None


def test_a_page_to_which_nothing_leads_is_not_visited_until_something_does() -> None:
    days = Days()
    days.says(TEXT)
    align_pages(wanted={}, quotes={}, now=days.now)
    assert days.page.due is None
    assert days.page.newest is not None
    days.align()
    assert days.page.due == days.now


def test_validators_are_kept_only_of_a_page_whose_text_was_seen() -> None:
    days = Days(follows_text=False)
    days.says(TEXT)
    assert days.page.etag == ""
    days.follows_text = True
    days.align()
    assert days.page.due == days.now
    days.says(TEXT)
    assert days.page.etag == '"1"'


def test_old_visits_are_forgotten_but_never_what_a_signal_or_a_page_leads_to() -> None:
    days = Days(quotes=quoted())
    for text in (TEXT, OTHER, WITHOUT_QUOTE):
        days.says(text)
    assert Snapshot.objects.count() == 3
    forget_visits(before=days.now + datetime.timedelta(days=1))
    assert Visit.objects.count() == 0
    # The text between the two is of no use any more.
    assert {text_of(kept) for kept in Snapshot.objects.all()} == {TEXT, WITHOUT_QUOTE}
