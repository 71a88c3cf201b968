"""The editors' side of the source watch: the queue, a signal's page, watched pages, runs, dead letters."""

import datetime
import html
import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.utils import timezone
from msgspec.structs import replace
from pytest_django import Settings

from catalog.editorial.workflow import State
from catalog.models import AuditEntry, DeadLetter, RunOutcome, Source
from catalog.sources.actions import record_source
from compliance.signin.groups import EDITOR, PUBLISHER, REVIEWER, VIEWER
from rules.editing.actions import approve_rules, change_rule, revise_rules, submit_rules
from rules.engine.quotes import Quote
from rules.models import Rule, SignalKind, SignalOutcome, WatchedPage, WatchSignal
from rules.publishing.actions.releases import publish_release
from rules.watch.actions import signals as signal_actions
from tests.support.desk.visiting import TOKEN, Visitor, listed, member
from tests.support.factories import READ_ON, a_source, a_user
from tests.support.watched_pages import (
    ONE,
    TWO,
    URL,
    a_letter,
    a_page,
    a_quote,
    a_run,
    a_signal,
    a_silent_page,
    a_snapshot,
    a_visit,
)

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


QUEUE, PAGES = "/admin/rules/watchsignal/", "/admin/rules/watchedpage/"
LETTERS, RUNS = "/admin/catalog/deadletter/", "/admin/catalog/run/"
RULE = "n1.two-units"
HOUR = datetime.timedelta(hours=1)


@pytest.fixture
def editor(db: None) -> Visitor:
    """An editor, in the drawn world; its sources were last read some days ago."""
    return member(EDITOR)


def of(signal: WatchSignal) -> str:
    return f"{QUEUE}{signal.pk}/"


def text_of(signal: WatchSignal) -> str:
    """Return the fingerprint of what a signal is about."""
    assert signal.after is not None
    return signal.after.fingerprint


def words(page: str) -> str:
    """Return the main part of a page as plain text."""
    main = page[page.index('id="content-main"') :]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


def seen_on(page: str) -> str:
    """Return the fingerprint that the buttons of a page send along."""
    (seen,) = set(re.findall(r'name="seen" value="(\w*)"', page))
    return str(seen)


def choose(visitor: Visitor, path: str, action: str, *keys: int) -> HttpResponse:
    """Tick rows of a list and press what stands below it."""
    token = TOKEN.search(visitor.page(path))
    assert token is not None
    fields: dict[str, Any] = {"action": action, "_selected_action": keys, "index": "0"}
    return visitor.client.post(path, {"csrfmiddlewaretoken": token[1], **fields}, follow=True)  # type: ignore[return-value]


# --- The queue ---


def test_the_queue_shows_what_is_open_the_gravest_first_then_what_waits_longest(editor: Visitor) -> None:
    now = timezone.now()
    days = [now - datetime.timedelta(days=number) for number in range(5)]
    silent = a_silent_page(f"{URL}/4")
    changed, gone, older, dead = (
        a_signal(a_page(f"{URL}/1", says=ONE), opened=days[3]),
        a_signal(a_page(f"{URL}/2", says=ONE), SignalKind.QUOTE_GONE, opened=days[1]),
        a_signal(a_page(f"{URL}/3", says=ONE), SignalKind.QUOTE_GONE, opened=days[2]),
        a_signal(silent, SignalKind.DEAD_LINK, opened=days[4]),
    )
    closed = a_signal(a_page(f"{URL}/5", says=ONE), outcome=SignalOutcome.CAME_BACK)

    assert listed(editor, QUEUE) == [older.pk, gone.pk, dead.pk, changed.pk]
    assert listed(editor, f"{QUEUE}?kind=quote_gone") == [older.pk, gone.pk]
    assert listed(editor, f"{QUEUE}?state=came_back") == [closed.pk]
    assert listed(editor, f"{QUEUE}?state=every")[-1] == closed.pk
    assert "4 days ago" in editor.page(QUEUE)


def test_the_queue_says_whose_page_it_is_and_how_much_depends_on_it(editor: Visitor) -> None:
    mine = a_signal(a_page(says=ONE))
    record_source(by=editor.user, source=a_source(id="other", url=f"{URL}/2", authority="Somebody else"))
    other = a_signal(a_page(f"{URL}/2", says=ONE))

    page = editor.page(QUEUE)

    rules = Rule.objects.to_publish().filter(evidence__source="northwing-page").count()
    assert f"{rules} rules, 1 airline" in page
    assert "northwing-page" in page
    assert listed(editor, f"{QUEUE}?authority=Northwing") == [mine.pk]
    assert listed(editor, f"{QUEUE}?authority=Somebody+else") == [other.pk]


def test_a_signal_is_found_by_its_number_and_by_the_address_of_its_page(editor: Visitor) -> None:
    one, two = a_signal(a_page(says=ONE)), a_signal(a_page("https://other.example/", says=ONE))

    assert listed(editor, f"{QUEUE}?q={two.pk}") == [two.pk]
    assert listed(editor, f"{QUEUE}?q=northwing") == [one.pk]


# --- The page of a signal ---


def quoted(*quotes: str) -> None:
    """Have a rule of the page hold words of it, and be agreed."""
    author = a_user()
    revise_rules(by=author, rule_ids=[RULE], reason="Quote the page.")
    found = tuple(Quote(source="northwing-page", words=quote) for quote in quotes)
    record = Rule.objects.get(rule_id=RULE, state=State.DRAFT).to_record()
    change_rule(by=author, rule=replace(record, quotes=found))
    submit_rules(by=author, rule_ids=[RULE])
    approve_rules(by=a_user("reviewer"), rule_ids=[RULE])


def test_a_signal_says_what_happened_where_and_what_depends_on_it(editor: Visitor) -> None:
    quoted("two power banks", "160 Wh")
    page = a_page(says=ONE)
    signal = a_signal(page, SignalKind.QUOTE_GONE, quotes=[a_quote(RULE, "two power banks")])

    shown = editor.page(f"{of(signal)}change/")

    text = words(shown)
    assert "1 quote of a rule is no longer on this page." in text
    link = re.search(rf'<a [^>]*href="{URL}"[^>]*>', shown)
    assert link is not None
    assert 'rel="noopener noreferrer"' in link[0]
    assert 'target="_blank"' in link[0]
    assert re.search(rf"Gone two power banks {RULE}", text)
    assert re.search(rf"Still there 160 Wh {RULE}", text)
    assert re.search(r"<del[^>]*>[^<]*two[^<]*</del>", shown)
    assert re.search(r"<ins[^>]*>[^<]*one[^<]*</ins>", shown)
    assert "Northwing (N1)" in text


def test_what_a_page_says_is_shown_as_text_and_never_as_markup(editor: Visitor) -> None:
    nasty = f"{TWO}\n<script>alert(1)</script><img src=x onerror=alert(1)>"
    signal = a_signal(a_page(says=nasty))

    shown = editor.page(f"{of(signal)}change/")

    assert "<script>alert" not in shown
    assert "<img src=x" not in shown
    assert "&lt;script&gt;alert(1)" in shown


def test_starting_a_revision_opens_a_draft_closes_the_signal_and_leads_to_the_draft(editor: Visitor) -> None:
    signal = a_signal(a_page(says=ONE))
    shown = editor.page(f"{of(signal)}change/")
    assert f"The page {URL} has changed; noticed on " in shown

    response = editor.post(
        f"{of(signal)}revise/", rule=[RULE], seen=seen_on(shown), reason="One unit only now."
    )

    draft = Rule.objects.get(rule_id=RULE, state=State.DRAFT)
    assert (response.status_code, response["Location"]) == (302, f"/admin/rules/rule/{draft.pk}/change/")
    signal.refresh_from_db()
    assert (signal.outcome, signal.closed_by) == (SignalOutcome.REVISED, editor.user)
    assert "One unit only now." in editor.page(response["Location"])


def test_several_revisions_lead_to_the_drafts_of_the_person_who_began_them(editor: Visitor) -> None:
    signal = a_signal(a_page(says=ONE))
    ids = list(Rule.objects.to_publish().filter(evidence__source="northwing-page").values_list("rule_id")[:2])
    rules = [rule_id for (rule_id,) in ids]

    response = editor.post(f"{of(signal)}revise/", rule=rules, seen=text_of(signal), reason="Changed.")

    page = editor.page(response["Location"])
    assert all(rule_id in page for rule_id in rules)


def test_where_each_rule_is_being_revised_no_revision_is_offered(editor: Visitor) -> None:
    signal = a_signal(a_page(says=ONE))
    first = editor.page(f"{of(signal)}change/")
    for rule_id in re.findall(r'name="rule" value="([^"]+)"', first):
        revise_rules(by=a_user("other"), rule_ids=[rule_id], reason="Something.")

    shown = editor.page(f"{of(signal)}change/")

    assert "Start a revision" in first
    assert "Start a revision" not in shown
    assert "None of these rules can be revised here" in words(shown)


def test_a_rule_that_is_being_revised_says_so_and_cannot_be_ticked(editor: Visitor) -> None:
    revise_rules(by=a_user("other"), rule_ids=[RULE], reason="Something.")
    signal = a_signal(a_page(says=ONE))

    shown = editor.page(f"{of(signal)}change/")

    assert "Already being revised: draft" in words(shown)
    assert f'value="{RULE}"' not in shown
    assert 'name="rule"' in shown

    refused = editor.post(
        f"{of(signal)}revise/", rule=[RULE], seen=seen_on(shown), reason="It says one unit."
    )
    assert refused.status_code == 409
    assert "Nothing was done" in refused.content.decode()
    assert "It says one unit." in refused.content.decode()
    assert WatchSignal.objects.get().outcome == ""


def test_still_true_makes_the_sources_of_the_page_count_as_read_today(editor: Visitor) -> None:
    signal = a_signal(a_page(says=ONE))
    shown = editor.page(f"{of(signal)}change/")
    assert "The reading date of 1 source becomes today: northwing-page" in words(shown)

    response = editor.post(f"{of(signal)}still-true/", seen=seen_on(shown))

    assert response.status_code == 302
    assert Source.objects.get(pk="northwing-page").read_on == timezone.localdate()
    assert WatchSignal.objects.get().outcome == SignalOutcome.STILL_TRUE
    assert "Still true: 1 source has today as the reading date: northwing-page." in editor.page(QUEUE)
    assert not Rule.objects.filter(state=State.DRAFT).exists()


def test_dismissing_needs_a_reason_and_moves_no_source(editor: Visitor) -> None:
    signal = a_signal(a_page(says=ONE))
    seen = text_of(signal)
    assert editor.post(f"{of(signal)}dismiss/", seen=seen, reason=" ").status_code == 400
    assert WatchSignal.objects.get().outcome == ""

    assert editor.post(f"{of(signal)}dismiss/", seen=seen, reason="Only the menu.").status_code == 302

    assert Source.objects.get(pk="northwing-page").read_on == READ_ON
    shown = words(editor.page(f"{of(signal)}change/"))
    assert f"Dismissed, by {editor.user}" in shown
    assert "Only the menu." in shown


@pytest.mark.parametrize("button", ["revise", "still-true", "dismiss"])
def test_no_one_acts_on_a_text_that_they_have_not_seen_and_nothing_typed_is_lost(
    editor: Visitor, button: str
) -> None:
    signal = a_signal(a_page(says=ONE))
    seen = seen_on(editor.page(f"{of(signal)}change/"))
    newer = a_snapshot(f"{ONE}\nNot in checked bags.")
    WatchSignal.objects.update(after=newer)

    refused = editor.post(f"{of(signal)}{button}/", seen=seen, rule=[RULE], reason="As I read it.")

    page = refused.content.decode()
    assert refused.status_code == 409
    assert "Nothing was done: the page has changed again since it was shown; look at it again." in words(page)
    assert "Not in checked bags." in page
    assert seen_on(page) == newer.fingerprint
    if button != "still-true":
        assert "As I read it." in page
    if button == "revise":
        assert re.search(rf'value="{RULE}"[^>]* checked', page)
    assert WatchSignal.objects.get().outcome == ""
    assert Source.objects.get(pk="northwing-page").read_on == READ_ON


def test_where_a_person_was_faster_the_page_says_so_and_keeps_what_was_written(editor: Visitor) -> None:
    signal = a_signal(a_page(says=ONE))
    signal_actions.confirm_still_true(by=a_user("other"), signal_id=signal.pk, seen=text_of(signal))

    refused = editor.post(f"{of(signal)}dismiss/", seen=text_of(signal), reason="Only the menu, I think.")

    page = words(refused.content.decode())
    assert refused.status_code == 409
    assert "is already closed" in page
    assert "You wrote: Only the menu, I think." in page
    assert "Still true, by other" in page


def test_a_dead_link_can_be_dismissed_or_revised_and_never_confirmed(editor: Visitor) -> None:
    signal = a_signal(a_silent_page(), SignalKind.DEAD_LINK, detail="It answered 404.")

    shown = editor.page(f"{of(signal)}change/")

    assert "The page did not answer on three different days." in shown
    assert "It answered 404." in shown
    assert "still-true" not in shown
    assert editor.post(f"{of(signal)}still-true/", seen="").status_code == 409
    assert editor.post(f"{of(signal)}dismiss/", seen="", reason="It moved.").status_code == 302


def test_of_a_page_that_no_one_ever_read_no_source_can_count_as_read(editor: Visitor) -> None:
    unread = a_source(id="unread", url=f"{URL}/unread", basis="general_knowledge")
    record_source(by=editor.user, source=unread)
    signal = a_signal(a_page(f"{URL}/unread", says=ONE))

    assert "No source of this page was ever read" in editor.page(f"{of(signal)}change/")


@pytest.mark.parametrize("group", [VIEWER, REVIEWER, PUBLISHER])
def test_who_may_not_act_sees_everything_without_buttons(editor: Visitor, group: str) -> None:
    page = a_page(says=ONE)
    signal = a_signal(page)
    visitor = member(group)

    shown = visitor.page(f"{of(signal)}change/")

    assert RULE in shown
    assert "<del" in shown
    assert not re.search(r'name="(seen|rule|reason)"', shown)
    assert "Visit soon" not in visitor.page(f"{PAGES}{page.pk}/change/")
    assert "Confirm all of these" not in visitor.page(f"{PAGES}unchanged/")
    for button in ("revise", "still-true", "dismiss"):
        assert visitor.post(f"{of(signal)}{button}/", seen=text_of(signal)).status_code == 403


# --- Watched pages ---


def test_a_watched_page_says_how_it_stands_its_last_visits_and_its_text(editor: Visitor) -> None:
    page = a_silent_page(newest_since=timezone.now())
    for _ in range(30):
        a_visit(page)
    a_visit(page, outcome="failed", status=404, trouble="http_status", detail="It answered 404.")
    signal = a_signal(page, SignalKind.DEAD_LINK)

    shown = editor.page(f"{PAGES}{page.pk}/change/")

    text = words(shown)
    assert "Did not answer, on 3 days: its host answered with an error. It answered 404." in text
    assert "Failed : its host answered with an error" in text
    assert shown.count("UTC</time></td>") == 20
    assert "Each passenger may carry two power banks." in shown
    assert f"{QUEUE}{signal.pk}/change/" in shown
    assert "every 7 days" in text


def test_pages_are_listed_by_how_they_stand(editor: Visitor) -> None:
    now = timezone.now()
    fine, changed, silent = a_page(f"{URL}/1"), a_page(f"{URL}/2", says=ONE), a_silent_page(f"{URL}/3")
    late = a_page(f"{URL}/4", due=now - datetime.timedelta(hours=25))
    aside = a_page(f"{URL}/5", due=None)
    by_hand = a_silent_page(f"{URL}/7", trouble="robots")
    new = a_page(
        f"{URL}/6", visited=None, answered=None, newest=None, newest_since=None, reviewed=None, due=now
    )

    assert listed(editor, PAGES) == [fine.pk, changed.pk, silent.pk, late.pk, aside.pk, new.pk, by_hand.pk]
    for state, page in (
        ("changed", changed),
        ("trouble", silent),
        ("late", late),
        ("aside", aside),
        ("new", new),
        ("by_hand", by_hand),
    ):
        assert listed(editor, f"{PAGES}?state={state}") == [page.pk], state
    shown = editor.page(PAGES)
    for state in (
        "Unchanged",
        "Changed",
        "Does not answer",
        "No longer visited",
        "Not visited yet",
        "A person must read it",
    ):
        assert state in shown


def test_pages_are_visited_soon_one_or_many(editor: Visitor) -> None:
    one, two = a_page(f"{URL}/1"), a_page(f"{URL}/2", due=None)
    a_letter(two.url)

    said = choose(editor, PAGES, "visit_many", one.pk, two.pk).content.decode()

    assert "2 pages are visited as soon as possible." in html.unescape(said)
    assert WatchedPage.objects.filter(due__lte=timezone.now()).count() == 2
    assert not DeadLetter.objects.exists()
    WatchedPage.objects.update(due=None)
    assert editor.post(f"{PAGES}{one.pk}/visit/").status_code == 302
    one.refresh_from_db()
    assert one.due is not None


def test_chosen_pages_are_confirmed_each_by_itself_and_it_is_said_before_and_after(editor: Visitor) -> None:
    record_source(by=editor.user, source=a_source(id="two", url=f"{URL}/2"))
    then = timezone.now() - datetime.timedelta(days=30)
    same, changed = a_page(newest_since=then), a_page(f"{URL}/2", says=ONE)

    asked = choose(editor, PAGES, "confirm_many", same.pk, changed.pk).content.decode()

    assert "1 of 2 chosen can be confirmed" in words(asked)
    assert "Refused: is not known to be unchanged" in words(asked)
    assert Source.objects.get(pk="northwing-page").read_on == READ_ON

    done = editor.post(f"{PAGES}confirm/", page=[same.pk, changed.pk]).content.decode()

    assert "1 confirmed, 1 refused." in words(done)
    assert Source.objects.get(pk="northwing-page").read_on == timezone.localdate()
    assert Source.objects.get(pk="two").read_on == READ_ON


def test_all_pages_that_are_as_a_person_read_them_are_confirmed_at_once_and_no_other(editor: Visitor) -> None:
    then = timezone.now() - datetime.timedelta(days=30)
    for name in ("changed", "signal", "silent", "fresh", "later", "before"):
        source = a_source(id=name, url=f"{URL}/{name}", read_on=then.date())
        record_source(by=editor.user, source=source)
    same = a_page(newest_since=then)
    a_page(f"{URL}/changed", says=ONE, newest_since=then)
    a_signal(a_page(f"{URL}/signal", newest_since=then), SignalKind.DEAD_LINK)
    a_silent_page(f"{URL}/silent", newest_since=then)
    Source.objects.filter(pk="fresh").update(read_on=timezone.localdate())
    a_page(f"{URL}/fresh", newest_since=then)
    before = a_page(f"{URL}/before", newest_since=then + datetime.timedelta(days=1))

    shown = editor.page(f"{PAGES}unchanged/")

    assert "1 page has not changed since it was read" in words(shown)
    assert "1 more page has not changed either" in words(shown)
    assert "northwing-page" in shown
    assert listed(editor, f"{PAGES}?state=unchanged") == [same.pk]
    assert listed(editor, f"{PAGES}?state=unread") == [before.pk]

    # What nobody has been shown is not confirmed.
    a_page(f"{URL}/later", newest_since=then)
    keys = re.search(r'name="shown" value="([\d,]*)"', shown)
    assert keys is not None
    assert editor.post(f"{PAGES}unchanged/", shown=keys[1]).status_code == 302

    today = timezone.localdate()
    moved = Source.objects.filter(read_on=today).values_list("pk", flat=True)
    assert set(moved) == {"northwing-page", "fresh"}
    assert "1 page has not changed since it was read" in words(editor.page(f"{PAGES}unchanged/"))


# --- Runs and dead letters ---


def test_runs_say_how_far_they_are_and_what_became_of_them(editor: Visitor) -> None:
    now = timezone.now()
    a_run(outcome=RunOutcome.FAILED, note="The disk is full.")
    a_run(outcome=RunOutcome.RUNNING, ended=None, total=500, counts={"unchanged": 11, "failed": 2, "tls": 2})
    a_run(outcome=RunOutcome.RUNNING, ended=None, started=now - HOUR, seen=now - HOUR)

    page = words(editor.page(RUNS))

    assert "13 of 500" in page
    assert "11 unchanged" in page
    assert "The disk is full." in page
    assert "last seen 60 minutes ago" in page


def test_what_a_job_gave_up_on_is_tried_again_and_the_log_keeps_it(editor: Visitor) -> None:
    page = a_page(due=None)
    watched, notice = a_letter(page.url), a_letter("26-101", name="recall feed cpsc", reason="No model.")
    unwatched = a_letter(f"{URL}/gone")
    assert "No model." in editor.page(LETTERS)

    choose(editor, LETTERS, "try_many_again", watched.pk, notice.pk)
    assert editor.post(f"{LETTERS}{unwatched.pk}/try-again/").status_code == 302

    assert not DeadLetter.objects.exists()
    page.refresh_from_db()
    assert page.due is not None
    logged = AuditEntry.objects.filter(verb="retry", done_by=editor.user).values_list("kind", "subject")
    assert set(logged) == {("page", page.url), ("dead letter", "26-101"), ("dead letter", unwatched.subject)}
    log = editor.page("/admin/catalog/auditentry/")
    assert f"dead letter {unwatched.subject}" in log


def test_viewers_see_what_jobs_gave_up_on_and_cannot_have_it_tried(editor: Visitor) -> None:
    letter = a_letter()
    viewer = member(VIEWER)

    assert "It answered 404." in viewer.page(LETTERS)
    assert "try_many_again" not in viewer.page(LETTERS)
    assert viewer.post(f"{LETTERS}{letter.pk}/try-again/").status_code == 403


# --- The ways from elsewhere ---


def test_the_desk_counts_what_the_watch_found_and_says_plainly_where_it_is_off(
    editor: Visitor, settings: Settings
) -> None:
    settings.WATCH_SOURCES = False
    assert "The watch is off on this copy" in editor.page("/admin/")
    calm = "No page has changed, all pages answer, and no recall notice or proposal waits."
    assert calm in editor.page("/admin/")

    settings.WATCH_SOURCES = True
    a_signal(a_page(says=ONE), SignalKind.QUOTE_GONE)
    a_silent_page(f"{URL}/2", due=timezone.now() - datetime.timedelta(days=2))
    a_letter()
    a_run(outcome=RunOutcome.FAILED, note="The disk is full.")

    page = editor.page("/admin/")

    assert "The watch is off" not in page
    for what in (
        "Pages that lost a quote of a rule",
        "Watched pages that do not answer",
        "Watched pages overdue by more than a day",
        "Dead letters",
    ):
        assert what in page
    assert "The disk is full." in page


def test_a_source_and_a_rule_lead_to_what_is_open_about_their_page(editor: Visitor) -> None:
    source = "/admin/catalog/source/northwing-page/change/"
    rule = f"/admin/rules/rule/{Rule.objects.get(rule_id=RULE).pk}/change/"
    assert "Not watched yet." in editor.page(source)
    page = a_page(says=ONE)
    signal = a_signal(page)

    assert f"{PAGES}{page.pk}/change/" in editor.page(source)
    for path in (source, rule):
        assert f"{of(signal)}change/" in editor.page(path)

    signal_actions.dismiss_signal(by=editor.user, signal_id=signal.pk, seen=text_of(signal), reason="Menu.")
    assert f"{of(signal)}change/" not in editor.page(rule)


def test_the_log_leads_to_the_signal_that_a_person_closed(editor: Visitor) -> None:
    publish_release(by=a_user("publisher"), note="First.", now=timezone.now(), cases=[])
    signal = a_signal(a_page(says=ONE))
    signal_actions.dismiss_signal(by=editor.user, signal_id=signal.pk, seen=text_of(signal), reason="Menu.")

    log = html.unescape(editor.page("/admin/catalog/auditentry/"))

    assert f"{QUEUE}?q={signal.pk}&state=every" in log
    assert listed(editor, f"{QUEUE}?q={signal.pk}&state=every") == [signal.pk]
