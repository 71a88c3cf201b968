"""What the API tells of the watch: figures for anybody, every page for partners, never an old state."""

import datetime
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from compliance.api.protocol.callers import ANONYMOUS
from rules.corpus import Published
from rules.models import SignalKind, Snapshot, WatchedPage, WatchSignal
from rules.watch import selectors
from tests.compliance.api.reading import pages, read, walk
from tests.compliance.api.test_policy_changes import answer_from
from tests.support.factories import a_rule, a_source, a_user, an_airline
from tests.support.starter import NOW

CHANGES = "/api/policy-changes"
HOUR = datetime.timedelta(hours=1)

RULE_PAGE = "https://northwing.example/batteries"
OTHER_PAGE = "https://northwing.example/other"
OFFICIAL = "https://northwing.example/policy"
ELSEWHERE = "https://recalls.example/notice"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("asked_now", "_watched")]


def a_page(url: str, **known: Any) -> WatchedPage:
    columns = {"host": "northwing.example", "follows_text": True, "visit_days": 7, "due": NOW + HOUR}
    return WatchedPage.objects.create(url=url, **columns | known)


def a_text(mark: str) -> Snapshot:
    return Snapshot.objects.create(
        fingerprint=mark * 64, extractor="test", text=b"", body=b"", media_type="text/html", taken=NOW
    )


def a_signal(page: WatchedPage, kind: str, **known: Any) -> WatchSignal:
    after = None if kind == SignalKind.DEAD_LINK else page.newest
    return WatchSignal.objects.create(
        page=page, kind=kind, after=after, opened=NOW - HOUR, moved=NOW - HOUR, **known
    )


@pytest.fixture
def _watched(asked_now: Published, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An airline whose rule and policy rest on two pages, its official page, and a page of no policy."""
    answer_from(
        monkeypatch,
        sources=(a_source(), a_source(id="other-page", url=OTHER_PAGE)),
        airlines=(an_airline(policy_url=OFFICIAL, sources=("other-page",)),),
        rules=(a_rule(),),
    )
    text = a_text("a")
    answered = {"visited": NOW - HOUR, "answered": NOW - HOUR}
    a_page(RULE_PAGE, newest=text, newest_since=NOW - 5 * HOUR, reviewed=text, **answered)
    a_page(OTHER_PAGE, visited=NOW - 2 * HOUR, trouble="robots", trouble_detail="secret of ours")
    a_page(OFFICIAL, follows_text=False)
    a_page(ELSEWHERE, visited=NOW, trouble="http_status")
    selectors.forget()
    yield
    selectors.forget()


def as_anonymous(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compliance.api.protocol.views.caller_of", lambda request: ANONYMOUS)


def test_anyone_gets_figures_and_nothing_else(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    a_signal(WatchedPage.objects.get(url=RULE_PAGE), SignalKind.TEXT_CHANGED)
    a_signal(WatchedPage.objects.get(url=ELSEWHERE), SignalKind.DEAD_LINK)
    as_anonymous(monkeypatch)
    answer = client.get(CHANGES)
    watch_body = answer.json()["watch"]
    assert watch_body["pages"] == {
        "watched": 1,
        "waiting": 1,
        "unreadable": 0,
        "forbidden_by_robots": 1,
        "unreachable": 0,
        "not_watched": 0,
    }
    # The notice of a recall is nobody's policy.
    assert watch_body["open_signals"] == {"quote_gone": 0, "text_changed": 1, "dead_link": 0}
    assert b"northwing.example" not in answer.content


def test_a_partner_sees_what_the_watch_last_saw_of_each_page(client: Client) -> None:
    rows = {row["source_id"]: row["page"] for row in walk(client, CHANGES, "source_watch")}
    assert rows["northwing-page"] == {
        "state": "watched",
        "follows_text": True,
        "last_visited": "2026-11-21T08:30:15.250000Z",
        "last_answered": "2026-11-21T08:30:15.250000Z",
        "trouble": None,
        "page_fingerprint": "a" * 64,
        "page_unchanged_since": "2026-11-21T04:30:15.250000Z",
    }
    assert (rows["other-page"]["state"], rows["other-page"]["trouble"]) == ("forbidden_by_robots", "robots")
    # Details are for editors.
    assert b"secret of ours" not in client.get(CHANGES).content


@pytest.mark.parametrize(
    ("known", "state"),
    [
        ({}, "waiting"),
        ({"visited": NOW, "answered": NOW}, "watched"),
        ({"visited": NOW, "answered": NOW, "due": None}, "not_watched"),
        ({"visited": NOW, "trouble": "busy"}, "waiting"),
        ({"visited": NOW, "answered": NOW - HOUR, "trouble": "busy"}, "watched"),
        ({"visited": NOW, "trouble": "robots"}, "forbidden_by_robots"),
        ({"visited": NOW, "trouble": "no_text"}, "unreadable"),
        ({"visited": NOW, "trouble": "program_failed"}, "unreadable"),
        ({"visited": NOW, "answered": NOW - HOUR, "trouble": "timed_out"}, "unreachable"),
    ],
)
def test_the_state_of_a_page_is_one_word(client: Client, known: dict[str, Any], state: str) -> None:
    WatchedPage.objects.filter(url=OFFICIAL).update(**known)
    watch_body = read(client, CHANGES)["watch"]["pages"]
    others = {"watched": 1, "forbidden_by_robots": 1}
    assert watch_body == dict.fromkeys(watch_body, 0) | others | {state: others.get(state, 0) + 1}


def test_a_page_that_no_one_visits_is_not_watched(client: Client) -> None:
    WatchSignal.objects.all().delete()
    WatchedPage.objects.all().delete()
    assert read(client, CHANGES)["watch"]["pages"]["not_watched"] == 3
    assert {row["page"]["state"] for row in walk(client, CHANGES, "source_watch")} == {"not_watched"}


def test_open_signals_come_first_with_what_depends_on_the_page(client: Client) -> None:
    page, other = WatchedPage.objects.get(url=RULE_PAGE), WatchedPage.objects.get(url=OFFICIAL)
    a_signal(other, SignalKind.DEAD_LINK)
    gone = a_signal(page, SignalKind.QUOTE_GONE)
    first, second, *_ = walk(client, CHANGES, "review_queue", limit=1)
    assert (first["signal"], first["airline"], first["rule_id"]) == ("quote_gone", "N1", a_rule().rule_id)
    assert first["date"] == "2026-11-21"
    assert first["page"] == {
        "url": RULE_PAGE,
        "opened_at": "2026-11-21T08:30:15.250000Z",
        "source_ids": ["northwing-page"],
        "rule_ids": [a_rule().rule_id],
        "airlines": ["N1"],
    }
    assert (second["signal"], second["airline"], second["rule_id"]) == ("dead_link", "N1", None)
    WatchSignal.objects.filter(pk=gone.pk).update(
        outcome="dismissed", reason="Layout.", closed_at=NOW, closed_by=a_user(), moved=NOW
    )
    selectors.forget()
    assert read(client, CHANGES)["review_queue"][0]["signal"] == "dead_link"


def test_a_walk_in_which_a_signal_opened_begins_again(client: Client) -> None:
    a_signal(WatchedPage.objects.get(url=RULE_PAGE), SignalKind.TEXT_CHANGED)
    first = next(pages(client, CHANGES, limit=1))
    query = {"limit": 1, "cursor": first["next_cursor"]}
    # A visit that finds the same moves nothing.
    WatchedPage.objects.filter(url=RULE_PAGE).update(visited=NOW, answered=NOW)
    selectors.forget()
    assert client.get(CHANGES, query).status_code == 200
    a_signal(WatchedPage.objects.get(url=OFFICIAL), SignalKind.DEAD_LINK)
    selectors.forget()
    assert client.get(CHANGES, query).status_code == 400


@pytest.mark.parametrize("partner", [True, False])
def test_an_answer_that_is_held_goes_stale_when_what_it_shows_moves(
    client: Client, monkeypatch: pytest.MonkeyPatch, partner: bool
) -> None:
    if not partner:
        as_anonymous(monkeypatch)
    first_answer = client.get(CHANGES)

    def now_answers(**condition: str) -> int:
        selectors.forget()
        return client.get(CHANGES, headers=condition).status_code

    tag = {"if-none-match": first_answer["ETag"]}
    assert now_answers(**tag) == 304
    WatchedPage.objects.filter(url=RULE_PAGE).update(visited=NOW + HOUR, answered=NOW + HOUR)
    # Figures are the same after a visit that found the same.
    assert now_answers(**tag) == (200 if partner else 304)
    WatchedPage.objects.filter(url=RULE_PAGE).update(trouble="timed_out")
    assert now_answers(**tag) == 200
    assert now_answers(**{"if-modified-since": first_answer["Last-Modified"]}) == 200


def test_the_watch_is_read_with_few_queries_and_not_again_at_once(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(3):
        for _ in range(3):
            read(client, CHANGES)


def test_while_the_database_is_away_the_rest_is_answered(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = client.get(CHANGES)

    def away(*args: Any, **kwargs: Any) -> Any:
        raise OperationalError

    with monkeypatch.context() as outage:
        outage.setattr(WatchedPage.objects, "select_related", away)
        outage.setattr(selectors._cached, "seconds", 0)
        answer = client.get(CHANGES)
        watch_body = answer.json()
        assert (watch_body["watch"]["pages"], watch_body["watch"]["open_signals"]) == (None, None)
        assert watch_body["watch"]["sources_watched"] == 2
        assert {row["page"] for row in watch_body["source_watch"]} == {None}
        assert answer["ETag"] != whole["ETag"]
    selectors.forget()
    assert client.get(CHANGES, headers={"if-none-match": whole["ETag"]}).status_code == 304


def test_an_airline_narrows_the_pages_to_its_own(client: Client) -> None:
    watch_body = read(client, CHANGES, airline="N1")["watch"]["pages"]
    assert sum(watch_body.values()) == 3
