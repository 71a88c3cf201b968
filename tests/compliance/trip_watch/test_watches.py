"""A trip is watched by a secret address: it changes only with the verdict, ends by itself, and is private."""

import datetime
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.utils import timezone
from icalendar import Calendar
from pytest_django.fixtures import Settings

from catalog.models import ChunkedWork
from compliance.models import TripWatch, TripWatchState
from compliance.trip_watch import actions
from compliance.trip_watch.actions import make_watch
from compliance.trip_watch.evaluation import Judged, judge
from compliance.trip_watch.secret import digest
from compliance.trip_watch.tasks import catch_up, forget_watches
from rules import corpus
from rules.engine.facts import Leg, Params, TripQuestion, Unit, When
from rules.engine.vocabulary import Verdict
from tests.compliance.trip_watch.watching import (
    ENDINGS,
    TRIP,
    browser,
    make,
    released,
    rule,
    shown,
    watch_body,
    written,
)
from tests.support import world
from tests.support.constraints import change, constraints_of, violated
from tests.support.factories import a_rule, a_source
from tests.support.ledger import DAY, FIRST, publish, world_content

pytestmark = pytest.mark.django_db

ATOM = {"a": "http://www.w3.org/2005/Atom"}

BAN = a_rule(
    rule_id="n1.none-over-50wh",
    when=When(watt_hour_over=Decimal(50)),
    effect="prohibit",
    code="over_watt_hour_limit",
    params=Params(limit_watt_hour=Decimal(50)),
    summary="Nothing above 50 Wh.",
)
BANNED = [*world.RULES, BAN]
ONE_UNIT = rule("n1.two-units", params=Params(max_units=1))


@pytest.fixture(autouse=True)
def clock(settings: Settings) -> Iterator[time_machine.Traveller]:
    """Half a day after the drawn world was published."""
    settings.SITE_URL = "http://127.0.0.1:8000"
    with time_machine.travel(FIRST, tick=False) as traveler:
        released()
        traveler.shift(DAY / 2)
        yield traveler


def event_in(calendar: bytes) -> dict[str, Any]:
    """Return the one event of a calendar."""
    (event,) = Calendar.from_ical(calendar).events
    return {name.lower(): value for name, value in event.items()}


# --- Making one ---


def test_the_page_of_a_trip_offers_a_watch_and_its_form_makes_one() -> None:
    page = shown(f"/trip?{TRIP}")
    (form,) = re.findall(r'<form method="post" action="/watch">.*?</form>', page, flags=re.DOTALL)
    (trip,) = re.findall(r'name="trip" value="([^"]*)"', form)
    path = make(trip)
    assert watch_body(path)["travel_date"] == "2026-12-01"


def test_the_page_the_feed_the_calendar_and_the_data_tell_one_verdict() -> None:
    path = make()
    body = watch_body(path)
    assert (body["verdict"], body["model"], body["ruleset_version"]) == (
        "allowed",
        "Lynx Lynx 27K",
        "2026-11-20",
    )
    assert 'class="verdict allowed"' in shown(path)
    feed = ElementTree.fromstring(written(path)["atom"])
    assert [entry.findtext("a:title", namespaces=ATOM) for entry in feed.findall("a:entry", ATOM)] == [
        "Lynx Lynx 27K on 1 December 2026: Allowed"
    ]
    event = event_in(written(path)["ics"])
    assert (event["dtstart"].dt, event["summary"]) == (
        datetime.date(2026, 12, 1),
        "Lynx Lynx 27K: Allowed since 21 November 2026",
    )


def test_its_page_shows_each_flight_with_route_airline_and_verdict() -> None:
    page = shown(make("model=lynx-27k&leg=XA-XB-N1&leg=XB-XC-ZZ&date=2026-12-01"))
    first, second = re.findall(r"<li>(.*?)</li>", page.partition('<ol class="plain">')[2])[:2]
    assert first.startswith("1. Northland to Southland, Northwing")
    assert first.endswith(" Allowed</strong>")
    assert second.startswith("2. Southland to ")
    assert ", ZZ <strong" in second
    assert second.endswith(" Not cleared</strong>")


def test_each_says_that_it_clears_nothing_and_leads_to_the_page_that_answers() -> None:
    path = make()
    answer = browser().get(watch_body(path)["check_url"].removeprefix("http://127.0.0.1:8000"), follow=True)
    assert 'class="banner allowed"' in answer.content.decode()
    for text in (shown(path), *(content.decode() for content in written(path).values())):
        assert "A watch does not clear anything" in text.replace("\r\n ", "")


def test_a_page_in_another_language_makes_a_watch_that_speaks_it() -> None:
    path = make(prefix="/ja")
    feed = ElementTree.fromstring(written(path.removeprefix("/ja"))["atom"])
    assert feed.get("{http://www.w3.org/XML/1998/namespace}lang") == "ja"
    assert 'lang="ja"' in shown(path)


@pytest.mark.parametrize(
    "trip",
    ["", "model=lynx-27k&airline=N1&from=XA", "wh=50&airline=N1&from=XA&to=XB", "model=nobody-1&airline=N1"],
    ids=["nothing", "no destination", "a label alone", "no such model"],
)
def test_what_gets_no_verdict_is_not_watched_and_leads_back_to_the_form(trip: str) -> None:
    answer = browser().post("/watch", {"trip": trip})
    assert answer.status_code == 303
    assert answer["Location"].startswith("/trip?")
    assert not TripWatch.objects.exists()


def test_one_address_makes_so_many_watches_and_is_then_told_when_to_come_again(settings: Settings) -> None:
    settings.WATCH_RATE = "2/d"
    watcher = browser()
    paths = [make(by=watcher), make(by=watcher)]
    answer = watcher.post("/watch", {"trip": TRIP})
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert re.search(r"Please wait \d+ (hours?|minutes|day) and ask again", answer.content.decode())
    assert TripWatch.objects.count() == 2
    # Reading goes on, and so does everybody else.
    assert [watcher.get(path).status_code for path in paths] == [200, 200]
    make()


def test_a_form_that_is_larger_than_any_trip_is_refused_unread() -> None:
    for form in ({"trip": TRIP + "&q=" + "x" * 16_384}, {"trip": TRIP, "file": BytesIO(b"x" * 16_384)}):
        assert browser().post("/watch", form).status_code == 413
    assert not TripWatch.objects.exists()


def test_there_are_never_more_watches_than_workers_can_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_WATCHES", 1)
    make()
    answer = browser().post("/watch", {"trip": TRIP})
    assert (answer.status_code, "Retry-After" in answer) == (503, True)


# --- What is kept, and who may read it ---


def test_no_table_holds_the_secret_and_nothing_that_is_read_repeats_it() -> None:
    path = make()
    secret = path.rpartition("/")[2]
    for content in written(path).values():
        assert secret.encode() not in content
    with connection.cursor() as cursor:
        for table in (TripWatch._meta.db_table, TripWatchState._meta.db_table):
            cursor.execute(f"SELECT row_to_json(one)::text FROM {table} one")
            rows = cursor.fetchall()
            assert rows
            assert all(secret not in row for (row,) in rows)


def test_no_serial_is_kept_and_none_has_a_say() -> None:
    # By its serial this very unit is affected, and banned.
    question = TripQuestion(
        unit=Unit(model_id="lynx-10k", serial="LX-0001"),
        legs=(Leg("XA", "XB", "N1"),),
        travel_date=datetime.date(2026, 12, 1),
    )
    made = make_watch(release=corpus.current(), question=question, language="en", now=FIRST)
    assert "LX-0001" not in json.dumps(made.row.question)
    assert TripWatchState.objects.get().verdict == "conditional"


def test_what_the_makers_list_answered_is_kept_and_counts() -> None:
    path = make(TRIP.replace("lynx-27k", "lynx-10k") + "&recall=affected")
    assert watch_body(path)["verdict"] == "banned"
    assert "recall=affected" in shown(path)


@pytest.mark.parametrize("path", ["/watch/x", "/watch/" + "a" * 32, "/watch/" + "A" * 32, "/watch/../trip"])
def test_what_is_no_secret_and_a_wrong_one_get_the_same_answer(path: str) -> None:
    for ending in ("", *(f".{one}" for one in ENDINGS)):
        assert Client().get(f"{path}{ending}").status_code == 404


def test_no_one_on_the_way_keeps_it_no_search_engine_lists_it_and_no_link_tells_where_it_stood() -> None:
    path = make()
    for one in (path, *(f"{path}.{ending}" for ending in ENDINGS)):
        answer = Client().get(one)
        assert answer["Cache-Control"] == ("private, no-store" if one == path else "private, no-cache")
        assert "noindex" in answer["X-Robots-Tag"]
        assert answer["Referrer-Policy"] == "no-referrer"
        assert not answer.cookies


def test_guesses_are_counted_like_questions(settings: Settings) -> None:
    settings.PAGES_RATE = "3/m"
    watcher = browser()
    answers = [watcher.get(f"/watch/{'a' * 31}{letter}.json").status_code for letter in "abcde"]
    assert answers == [404, 404, 404, 429, 429]


# --- When it changes ---


def test_no_byte_changes_while_the_verdict_does_not(clock: time_machine.Traveller) -> None:
    path = make()
    before = written(path)
    clock.shift(DAY)
    # A day later; sources were read again; a summary says it in other words; another airline's rule is new.
    sources = [
        a_source(**{name: getattr(one, name) for name in one.__struct_fields__} | {"read_on": FIRST.date()})
        for one in world.SOURCES
    ]
    others = rule("s2.one-unit", params=Params(max_units=2))
    released(FIRST + 2 * DAY, sources=sources, rules=others)
    assert written(path) == before
    assert TripWatch.objects.get().release_sha256 == corpus.current().sha256


def test_a_new_verdict_is_told_with_the_release_that_brought_it(clock: time_machine.Traveller) -> None:
    path = make()
    before = written(path)
    clock.shift(DAY)
    released(FIRST + DAY, rules=BANNED)
    body = watch_body(path)
    assert (body["verdict"], body["ruleset_version"]) == ("banned", "2026-11-21")
    assert [change["verdict"] for change in body["changes"]] == ["banned", "allowed"]
    assert {code["code"] for code in body["flights"][0]["constraints"]} >= {"over_watt_hour_limit"}
    after = written(path)
    assert all(after[ending] != before[ending] for ending in ENDINGS)
    entries = ElementTree.fromstring(after["atom"]).findall("a:entry", ATOM)
    assert len({entry.findtext("a:id", namespaces=ATOM) for entry in entries}) == 2
    event, earlier = event_in(after["ics"]), event_in(before["ics"])
    assert (event["uid"], event["sequence"]) == (earlier["uid"], earlier["sequence"] + 1)
    assert "Allowed since" in shown(path)


def test_another_constraint_of_the_same_verdict_is_a_change(clock: time_machine.Traveller) -> None:
    path = make()
    released(FIRST + DAY, rules=ONE_UNIT)
    body = watch_body(path)
    assert [change["verdict"] for change in body["changes"]] == ["allowed", "allowed"]
    assert "max_units_1" in {one["code"] for one in body["flights"][0]["constraints"]}


def test_who_has_what_it_says_is_told_so_until_it_changes(clock: time_machine.Traveller) -> None:
    path = make()
    etags = {ending: Client().get(f"{path}.{ending}")["ETag"] for ending in ENDINGS}
    assert len({*etags.values()}) == 3
    for ending, etag in etags.items():
        assert Client().get(f"{path}.{ending}", headers={"if-none-match": etag}).status_code == 304
    released(FIRST + DAY, rules=BANNED)
    for ending, etag in etags.items():
        assert Client().get(f"{path}.{ending}", headers={"if-none-match": etag}).status_code == 200


def test_a_day_alone_is_no_change_and_shows_that_workers_are_there(clock: time_machine.Traveller) -> None:
    path = make()
    clock.shift(3 * DAY)
    catch_up()
    assert len(watch_body(path)["changes"]) == 1
    assert TripWatch.objects.get().judged_on == (FIRST + 3 * DAY + DAY / 2).date()


def test_a_model_that_a_release_no_longer_holds_is_never_allowed() -> None:
    path = make()
    released(FIRST + DAY, devices=[one for one in world.DEVICES if one.model_id != "lynx-27k"])
    body = watch_body(path)
    assert (body["verdict"], body["error"], body["flights"]) == ("insufficient", "MODEL_NOT_FOUND", [])
    assert "there is no answer" in body["summary"]
    assert 'class="verdict insufficient"' in shown(path)


def test_an_airline_that_is_not_covered_keeps_the_trip_insufficient_by_its_flight() -> None:
    path = make("model=lynx-27k&leg=XA-XB-N1&leg=XB-XC-ZZ&date=2026-12-01")
    body = watch_body(path)
    assert body["verdict"] == "insufficient"
    assert [flight["error"] for flight in body["flights"]] == ["", "AIRLINE_NOT_COVERED"]


def test_only_so_many_verdicts_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_STATES", 2)
    path = make()
    for days, rules in enumerate((BANNED, world.RULES, BANNED), start=1):
        released(FIRST + days * DAY, rules=rules)
    assert [change["number"] for change in watch_body(path)["changes"]] == [3, 2]


def test_until_it_is_judged_by_the_new_release_its_page_shows_no_verdict() -> None:
    path = make()
    publish(world_content(rules=BANNED), now=FIRST + DAY)
    corpus.refresh()
    page = shown(path)
    assert "has not been checked again yet" in page
    assert 'class="verdict' not in page
    catch_up()
    assert 'class="verdict banned"' in shown(path)


def not_given(path: str) -> None:
    for ending in ENDINGS:
        answer = Client().get(f"{path}.{ending}")
        assert (answer.status_code, "Retry-After" in answer) == (503, True)


def test_where_no_worker_comes_for_an_hour_of_a_day_no_one_is_told_an_old_verdict(
    clock: time_machine.Traveller,
) -> None:
    path = make()
    # It was made at midnight.
    clock.shift(DAY + datetime.timedelta(hours=1))
    assert watch_body(path)["verdict"] == "allowed"
    clock.shift(1)
    not_given(path)
    clock.shift(5 * DAY)
    not_given(path)
    catch_up()
    assert watch_body(path)["verdict"] == "allowed"


def test_an_hour_after_a_release_no_one_is_told_a_verdict_of_the_one_before(
    clock: time_machine.Traveller,
) -> None:
    path = make()
    clock.shift(datetime.timedelta(hours=2))
    publish(world_content(rules=BANNED), now=timezone.now())
    corpus.refresh()
    clock.shift(datetime.timedelta(hours=1))
    assert watch_body(path)["verdict"] == "allowed"
    clock.shift(1)
    not_given(path)
    catch_up()
    assert watch_body(path)["verdict"] == "banned"


# --- Judging many ---


def test_hundreds_are_judged_in_chunks_and_none_is_left_out_or_judged_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(actions, "_AT_ONCE", 7)
    question = TripQuestion(
        unit=Unit(model_id="lynx-27k"), legs=(Leg("XA", "XB", "N1"),), travel_date=datetime.date(2026, 12, 1)
    )
    for _ in range(30):
        make_watch(release=corpus.current(), question=question, language="en", now=FIRST)
    released(FIRST + DAY, rules=BANNED)
    newest = TripWatchState.objects.order_by("watch_id", "-number").distinct("watch_id")
    assert [(state.number, state.verdict) for state in newest] == [(1, "banned")] * 30
    assert not ChunkedWork.objects.exists()
    catch_up()
    assert TripWatchState.objects.count() == 60


def test_what_a_killed_worker_left_is_taken_up_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    path = make()

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(actions, "judge", killed)
        with pytest.raises(KeyboardInterrupt):
            released(FIRST + DAY, rules=BANNED)
    assert watch_body(path)["verdict"] == "allowed"
    catch_up()
    assert watch_body(path)["verdict"] == "banned"


def test_one_that_cannot_be_judged_says_so_and_keeps_no_other_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlucky, other = make(TRIP.replace("lynx-27k", "lynx-10k")), make()

    def fails_once(release: object, question: TripQuestion, **asked: Any) -> Judged:
        if question.unit.model_id == "lynx-10k":
            raise ZeroDivisionError
        return judge(corpus.current(), question, **asked)

    with monkeypatch.context() as patch:
        patch.setattr(actions, "judge", fails_once)
        released(FIRST + DAY, rules=BANNED)
    assert (watch_body(unlucky)["verdict"], watch_body(unlucky)["error"]) == (
        "insufficient",
        "INTERNAL_ERROR",
    )
    assert watch_body(other)["verdict"] == "banned"


def test_one_whose_question_no_one_understands_any_more_keeps_no_other_waiting() -> None:
    unlucky, other = make(), make()
    row = TripWatch.objects.get(digest=digest(unlucky.rpartition("/")[2]))
    TripWatch.objects.filter(pk=row.pk).update(question=row.question | {"compartment_intent": "trunk"})
    released(FIRST + DAY, rules=BANNED)
    assert watch_body(other)["verdict"] == "banned"
    assert row.states.latest("number").verdict == "insufficient"


def test_a_watch_that_an_older_process_makes_meanwhile_is_judged_too() -> None:
    older = corpus.current()
    released(FIRST + DAY, rules=BANNED)
    question = TripQuestion(
        unit=Unit(model_id="lynx-27k"), legs=(Leg("XA", "XB", "N1"),), travel_date=datetime.date(2026, 12, 1)
    )
    make_watch(release=older, question=question, language="en", now=FIRST + DAY)
    catch_up()
    states: list[Verdict] = [state.verdict for state in TripWatchState.objects.order_by("number")]  # type: ignore[misc]
    assert states == ["allowed", "banned"]


# --- How it ends ---


def test_it_works_through_the_day_after_travel_and_is_then_gone(clock: time_machine.Traveller) -> None:
    path = make()
    clock.move_to(datetime.datetime(2026, 12, 2, 23, 59, 59, tzinfo=datetime.UTC))
    catch_up()
    assert forget_watches() == 0
    assert watch_body(path)["ends"] == "2026-12-03T00:00:00Z"
    assert "2 December 2026" in shown(path)
    clock.move_to(datetime.datetime(2026, 12, 3, tzinfo=datetime.UTC))
    for one in (path, *(f"{path}.{ending}" for ending in ENDINGS)):
        assert Client().get(one).status_code == 404
    assert forget_watches() == 1
    assert not TripWatchState.objects.exists()


def test_anyone_who_has_the_address_ends_it_at_once() -> None:
    path, other = make(), make()
    page = shown(path)
    (action,) = re.findall(r'<form method="post" action="([^"]+)"', page)
    answer = browser().post(action, follow=True)
    assert "The watch has ended" in answer.content.decode()
    assert Client().get(path).status_code == Client().get(f"{path}.json").status_code == 404
    assert browser().post(action).status_code == 404
    assert watch_body(other)["verdict"] == "allowed"


def test_nothing_is_made_or_ended_by_opening_an_address() -> None:
    path = make()
    assert Client().get("/watch").status_code == 405
    assert Client().get(f"{path}/end").status_code == 405
    assert watch_body(path)["verdict"] == "allowed"


# --- What the database refuses ---

REFUSED = [
    ("trip_watch_digest_is_sha256", {"digest": "A" * 64}),
    ("trip_watch_names_no_unit", {"question": {"unit": {"model_id": "lynx-10k", "serial": "LX-0001"}}}),
    ("trip_watch_names_no_unit", {"question": {"unit": {"model_id": "lynx-10k", "serial_hash": "a" * 64}}}),
    ("trip_watch_names_no_unit", {"question": {"items": [{"unit": {"serial": "LX-0001"}}]}}),
    (
        "trip_watch_names_no_unit",
        {"question": {"items": [{"unit": {"serial_hash": "a" * 64}}]}},
    ),
    ("trip_watch_ends_after_its_start", {"ends": FIRST - DAY}),
]
REFUSED_STATES = [
    ("trip_watch_state_verdict_is_known", {"verdict": "perhaps"}),
    ("trip_watch_state_fingerprint_is_sha256", {"fingerprint": ""}),
]


@pytest.mark.parametrize(("constraint", "changes"), REFUSED)
def test_the_database_refuses_of_a_watch(constraint: str, changes: dict[str, object]) -> None:
    make()
    assert violated(change(TripWatch, TripWatch.objects.get().pk, **changes)) == constraint


@pytest.mark.parametrize(("constraint", "changes"), REFUSED_STATES)
def test_the_database_refuses_of_a_state(constraint: str, changes: dict[str, object]) -> None:
    make()
    assert violated(change(TripWatchState, TripWatchState.objects.get().pk, **changes)) == constraint


def test_no_state_of_a_watch_stands_there_twice() -> None:
    make()
    released(FIRST + DAY, rules=BANNED)
    second = TripWatchState.objects.get(number=1)
    assert violated(change(TripWatchState, second.pk, number=0)) == "trip_watch_state_once"


def test_every_constraint_is_tried() -> None:
    tried = {name for name, _ in [*REFUSED, *REFUSED_STATES]} | {"trip_watch_state_once"}
    assert tried == constraints_of("compliance", "TripWatch", "TripWatchState")
