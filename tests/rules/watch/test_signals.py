"""What editors do about signals: nothing is lost, nothing is done to a page that moved on meanwhile."""

import datetime
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User

from catalog.errors import NotRecorded, ReasonMissing, Refused, Unfit, WrongState
from catalog.models import AuditEntry, DeadLetter, Source
from catalog.sources.actions import reread_source
from rules.editing.actions import revise_rules
from rules.models import Rule, WatchSignal
from rules.watch.actions import signals
from rules.watch.actions.recording import record_breakdown
from tests.rules.watch.days import TEXT, URL, Days
from tests.support.factories import READ_ON, a_user
from tests.support.world import build_world

OTHER = TEXT.replace("100", "160")
TODAY = datetime.date(2026, 11, 30)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _monday() -> Iterator[None]:
    with time_machine.travel("2026-11-30T09:00:00Z", tick=False):
        yield


@pytest.fixture
def editor() -> User:
    return a_user()


@pytest.fixture
def days(editor: User) -> Days:
    """A page of the world that changed. Two sources stand for it: one that was read, and a pointer."""
    build_world(by=editor)
    Source.objects.filter(pk="northwing-page").update(url=URL)
    Source.objects.filter(pk="untold-pointer").update(url=URL)
    days = Days()
    days.says(TEXT)
    days.says(OTHER)
    return days


def seen() -> dict[str, Any]:
    """Return what an editor names who has just looked at the signal."""
    signal = WatchSignal.objects.get()
    return {"signal_id": signal.pk, "seen": signal.after.fingerprint if signal.after else ""}


def test_what_is_dismissed_is_known_from_then_on_and_no_reading_is_renewed(editor: User, days: Days) -> None:
    read_on = Source.objects.get(pk="northwing-page").read_on
    signals.dismiss_signal(by=editor, reason="Only the photo moved.", **seen())
    assert days.signals == [("text_changed", "dismissed")]
    assert days.page.reviewed == days.page.newest
    assert Source.objects.get(pk="northwing-page").read_on == read_on
    days.says(OTHER)
    assert days.signals == [("text_changed", "dismissed")]


def test_still_true_renews_the_reading_of_what_was_read_and_of_nothing_else(editor: User, days: Days) -> None:
    pointer = Source.objects.get(pk="untold-pointer").read_on
    assert signals.confirm_still_true(by=editor, **seen()) == ["northwing-page"]
    assert days.signals == [("text_changed", "still_true")]
    assert Source.objects.get(pk="northwing-page").read_on == TODAY
    assert Source.objects.get(pk="untold-pointer").read_on == pointer


def test_starting_revisions_opens_drafts_changes_no_rule_and_closes_the_signal(
    editor: User, days: Days
) -> None:
    rule = Rule.objects.filter(evidence__source="northwing-page").first()
    assert rule is not None
    before = rule.to_record()
    signals.start_revisions(by=editor, rule_ids=[rule.rule_id], reason="The page changed.", **seen())
    assert days.signals == [("text_changed", "revised")]
    revisions = Rule.objects.filter(rule_id=rule.rule_id).order_by("revision")
    assert [one.state for one in revisions] == ["approved", "draft"]
    assert [one.to_record() for one in revisions] == [before, before]


def test_a_rule_with_an_open_revision_keeps_the_signal_open_and_nothing_is_begun(
    editor: User, days: Days
) -> None:
    first, second = Rule.objects.filter(evidence__source="northwing-page").distinct()[:2]
    both: dict[str, Any] = {"rule_ids": [first.rule_id, second.rule_id], "reason": "The page changed."}
    revise_rules(by=editor, rule_ids=[second.rule_id], reason="Before.")
    with pytest.raises(WrongState, match="open revision"):
        signals.start_revisions(by=editor, **both, **seen())
    assert days.signals == [("text_changed", "")]
    assert Rule.objects.filter(rule_id=first.rule_id).count() == 1


Act = Callable[..., object]

ACTS: dict[str, Act] = {
    "dismiss": lambda by, **named: signals.dismiss_signal(by=by, reason="Nothing.", **named),
    "still true": lambda by, **named: signals.confirm_still_true(by=by, **named),
    "revise": lambda by, **named: signals.start_revisions(
        by=by, rule_ids=[Rule.objects.earliest("pk").rule_id], reason="Changed.", **named
    ),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_no_one_acts_on_a_page_that_changed_again_since_they_looked(
    editor: User, days: Days, act: Act
) -> None:
    seen_state = seen()
    days.says(TEXT.replace("two", "three"))
    with pytest.raises(WrongState, match="changed again"):
        act(editor, **seen_state)
    assert days.signals == [("text_changed", "")]


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_a_signal_is_acted_on_once(editor: User, days: Days, act: Act) -> None:
    seen_state = seen()
    signals.dismiss_signal(by=editor, reason="Nothing.", **seen_state)
    with pytest.raises(WrongState, match="already closed"):
        act(editor, **seen_state)


def test_bad_input_gets_a_reason_and_changes_nothing(editor: User, days: Days) -> None:
    with pytest.raises(ReasonMissing):
        signals.dismiss_signal(by=editor, reason=" ", **seen())
    with pytest.raises(Unfit, match="no rule"):
        signals.start_revisions(by=editor, rule_ids=[], reason="Changed.", **seen())
    with pytest.raises(NotRecorded):
        signals.dismiss_signal(by=editor, signal_id=0, seen="", reason="Nothing.")
    assert days.signals == [("text_changed", "")]


def test_a_page_with_a_dead_link_cannot_have_been_read(editor: User, days: Days) -> None:
    signals.dismiss_signal(by=editor, reason="Nothing.", **seen())
    for _ in range(3):
        days.fails("unknown_host")
    dead = WatchSignal.objects.get(outcome="")
    with pytest.raises(WrongState, match="dead link"):
        signals.confirm_still_true(by=editor, signal_id=dead.pk, seen="")
    signals.dismiss_signal(by=editor, signal_id=dead.pk, seen="", reason="They moved it; mended.")
    assert WatchSignal.objects.filter(outcome="").count() == 0


def test_pages_that_stayed_as_a_person_read_them_are_confirmed_as_of_their_last_answer(
    editor: User, days: Days
) -> None:
    with pytest.raises(WrongState, match="is not known to be unchanged"):
        signals.confirm_unchanged(by=editor, urls=[URL])
    signals.dismiss_signal(by=editor, reason="Nothing.", **seen())
    reread_source(by=editor, source_id="northwing-page", read_on=days.now.date())
    days.says(OTHER, days=3)
    answered = days.now.date()
    assert signals.confirm_unchanged(by=editor, urls=[URL]) == {"northwing-page": answered}
    assert Source.objects.get(pk="northwing-page").read_on == answered
    # Once more confirms nothing new.
    assert signals.confirm_unchanged(by=editor, urls=[URL]) == {}
    days.fails("timed_out")
    with pytest.raises(Refused):
        signals.confirm_unchanged(by=editor, urls=[URL])


@pytest.mark.parametrize("reading", [{"read_on": READ_ON}, {"read_url": "https://archive.example/batteries"}])
def test_a_reading_that_the_watch_never_compared_is_not_renewed_unseen(
    editor: User, days: Days, reading: dict[str, object]
) -> None:
    signals.dismiss_signal(by=editor, reason="Nothing.", **seen())
    source = Source.objects.filter(pk="northwing-page")
    source.update(**{"read_on": days.now.date(), **reading})
    before = source.values().get()
    days.says(OTHER, days=3)
    with pytest.raises(WrongState, match="was not compared with the reading of northwing-page"):
        signals.confirm_unchanged(by=editor, urls=[URL])
    assert source.values().get() == before


def test_what_was_set_aside_is_tried_again_when_a_person_says_so(editor: User, days: Days) -> None:
    for _ in range(3):
        record_breakdown(page_id=days.page.pk, error=ValueError("odd"), now=days.now)
    assert DeadLetter.objects.count() == 1
    signals.visit_again(by=editor, urls=[URL])
    assert DeadLetter.objects.count() == 0
    assert days.page.due is not None
    with pytest.raises(NotRecorded):
        signals.visit_again(by=editor, urls=["https://nobody.example/"])


def test_every_action_is_in_the_log(editor: User, days: Days) -> None:
    signal = WatchSignal.objects.get()
    signals.dismiss_signal(by=editor, reason="Only the photo moved.", **seen())
    entry = AuditEntry.objects.filter(kind="signal").get()
    assert (entry.verb, entry.subject, entry.reason) == ("dismiss", str(signal.pk), "Only the photo moved.")
    assert entry.details == {"kind": "text_changed", "page": URL}
