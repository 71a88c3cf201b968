"""A POST that is sent again with its `Idempotency-Key` creates nothing again, and gets the same answer."""

import datetime
import json
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from cryptography.exceptions import InvalidTag
from django.test import Client
from pytest_django.fixtures import Settings

from compliance.celery import app
from compliance.models import KeptAnswer, TripWatch
from compliance.partners import register
from compliance.records.idempotency.actions import KEPT
from compliance.records.idempotency.sealing import Seal
from compliance.records.idempotency.tasks import forget_kept_answers
from compliance.trip_watch.actions import make_watch
from tests.compliance.trip_watch.test_watches_by_api import WATCHES, a_watch
from tests.compliance.trip_watch.watching import released
from tests.support.api_callers import a_client, new_address
from tests.support.api_requests import post, problem
from tests.support.ledger import FIRST
from tests.support.partners import Desk
from tests.support.releasing import elsewhere

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324"


@pytest.fixture
def clock(settings: Settings) -> Iterator[time_machine.Traveller]:
    settings.SITE_URL = "https://battery.example"
    register.forget()
    with time_machine.travel(FIRST, tick=False) as traveller:
        released()
        yield traveller
    register.forget()


@pytest.fixture
def at_noon(db: None, clock: time_machine.Traveller) -> time_machine.Traveller:
    return clock


def ask(address: str, key: str = KEY, body: Any = None, **headers: str) -> "Response":
    sent = {"idempotency-key": key, **headers}
    return post(Client(REMOTE_ADDR=address), WATCHES, body or a_watch(), **sent)


@pytest.mark.usefixtures("at_noon")
def test_the_same_request_gets_the_same_answer_and_makes_one_watch(settings: Settings) -> None:
    # A repeated request spends nothing but a request.
    settings.WATCH_RATE = "1/d"
    here = new_address()
    first = ask(here)
    assert first.status_code == 200
    for again in (KEY, f'"{KEY}"', f" {KEY} "):
        answer = ask(here, again)
        assert (answer.status_code, answer.content) == (200, first.content)
        assert answer["Cache-Control"] == "no-store"
        assert "RateLimit-Remaining" in answer
    turned = dict(reversed(a_watch().items()))
    assert ask(here, body=turned).content == first.content
    assert TripWatch.objects.count() == 1
    page = json.loads(first.content)["page_url"].removeprefix("https://battery.example")
    assert a_client().get(page, headers={"accept": "text/html"}).status_code == 200


@pytest.mark.usefixtures("at_noon")
def test_the_same_key_with_another_body_is_refused() -> None:
    here = new_address()
    ask(here)
    refused = ask(here, body=a_watch(date="2026-12-02"))
    assert (refused.status_code, problem(refused)["code"]) == (422, "IDEMPOTENCY_KEY_REUSED")
    assert TripWatch.objects.count() == 1
    assert ask(here, "another-key", body=a_watch(date="2026-12-02")).status_code == 200


@pytest.mark.usefixtures("at_noon")
def test_a_key_belongs_to_one_partner_or_one_address() -> None:
    here, desk = new_address(), Desk()
    desk.change(allowed_origins=())
    keys = [desk.issue().plain.reveal() for _ in range(2)]
    desk.record("other", allowed_origins=())
    others = desk.issue("other").plain.reveal()
    callers: list[tuple[str, dict[str, str]]] = [
        (here, {}),
        (new_address(), {}),
        (here, {"x-service-key": keys[0]}),
        (here, {"x-service-key": others}),
    ]
    answers = [ask(address, **headers) for address, headers in callers]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 4
    # A partner that has rotated its key, at another machine, is the same caller.
    assert ask(new_address(), **{"x-service-key": keys[1]}).content == answers[2].content


@pytest.mark.usefixtures("at_noon")
@pytest.mark.parametrize("key", ["", " ", '""', '"', "a b", "a,b", '"a", "b"', "ä", "x" * 256, "a\\b", 'a"b'])
def test_what_is_no_key_is_refused_and_creates_nothing(key: str) -> None:
    refused = ask(new_address(), key)
    assert (refused.status_code, problem(refused)["code"]) == (400, "VALIDATION_ERROR")
    assert problem(refused)["errors"][0]["field"] == "Idempotency-Key"
    assert not TripWatch.objects.exists()
    assert not KeptAnswer.objects.exists()


@pytest.mark.usefixtures("at_noon")
def test_the_longest_key_is_one() -> None:
    assert ask(new_address(), "x" * 255).status_code == 200


@pytest.mark.usefixtures("at_noon")
def test_an_error_is_not_kept_and_the_key_may_be_sent_with_what_is_right() -> None:
    here, wrong = new_address(), a_watch()
    wrong["device"]["serial"] = "SN-4711"
    assert ask(here, body=wrong).status_code == 400
    assert not KeptAnswer.objects.exists()
    assert ask(here).status_code == 200


@pytest.mark.usefixtures("at_noon")
def test_what_fails_in_the_middle_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    here = new_address()

    def fail(body: object) -> bytes:
        raise RuntimeError

    with monkeypatch.context() as broken:
        broken.setattr("compliance.api.verdicts.watches.encode", fail)
        assert ask(here).status_code == 500
    assert not TripWatch.objects.exists()
    assert ask(here).status_code == 200
    assert TripWatch.objects.count() == 1


def test_it_is_kept_for_24_hours(at_noon: time_machine.Traveller) -> None:
    here = new_address()
    first = ask(here)
    at_noon.shift(KEPT - datetime.timedelta(seconds=1))
    assert forget_kept_answers() == 0
    assert ask(here).content == first.content
    at_noon.shift(datetime.timedelta(seconds=1))
    second = ask(here)
    assert second.content != first.content
    assert ask(here).content == second.content
    at_noon.shift(KEPT)
    assert forget_kept_answers() == 1
    assert "compliance.records.idempotency.tasks.forget_kept_answers" in app.tasks


@pytest.mark.usefixtures("at_noon")
def test_no_table_holds_the_key_the_body_or_the_secret_address() -> None:
    desk = Desk()
    desk.change(allowed_origins=())
    key = desk.issue().plain.reveal()
    answer = ask(new_address(), **{"x-service-key": key})
    secret = json.loads(answer.content)["page_url"].rpartition("/")[2]
    row = KeptAnswer.objects.values().get()
    stored = b"".join(
        bytes(value) if isinstance(value, memoryview) else str(value).encode() for value in row.values()
    )
    for hidden in (KEY, key, secret, "lynx-27k", "acme", json.loads(answer.content)["watch_id"]):
        assert hidden.encode() not in stored
    # Whoever has the table and the key of this service must still guess the key of the caller.
    with pytest.raises(InvalidTag):
        Seal(service_key="none", caller="partner acme", key="guess").open(bytes(row["sealed"]))


@pytest.mark.usefixtures("committing_db", "clock")
def test_a_second_request_meanwhile_is_told_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    here, making, go_on = new_address(), threading.Event(), threading.Event()

    def slowly(**given: Any) -> Any:
        made = make_watch(**given)
        making.set()
        assert go_on.wait(10)
        return made

    monkeypatch.setattr("compliance.api.verdicts.watches.make_watch", slowly)

    answered = elsewhere(lambda: ask(here).content)
    assert making.wait(10)
    refused = ask(here)
    assert (refused.status_code, problem(refused)["code"]) == (409, "REQUEST_IN_PROGRESS")
    assert refused["Retry-After"] == "1"
    go_on.set()
    content = answered.result(20)
    assert ask(here).content == content
    assert TripWatch.objects.count() == 1


@pytest.mark.usefixtures("at_noon")
def test_a_visitor_with_the_key_of_a_web_page_gets_no_answer_of_another_visitor() -> None:
    """The key of the partner is in the page, and `1` may be the key of every visitor."""
    key = Desk().issue().plain.reveal()
    for address in (new_address(), new_address()):
        refused = ask(address, "1", **{"x-service-key": key, "origin": "https://app.acme.example"})
        assert refused.status_code == 400
        assert [(one["field"], one["code"]) for one in problem(refused)["errors"]] == [
            ("Idempotency-Key", "not_kept")
        ]
    assert not TripWatch.objects.exists()
    assert not KeptAnswer.objects.exists()


@pytest.mark.usefixtures("at_noon")
def test_the_answer_ends_with_the_watch_and_its_key_makes_a_new_one() -> None:
    desk = Desk()
    desk.change(allowed_origins=())
    sent = {"x-service-key": desk.issue().plain.reveal()}
    here = new_address()
    other = ask(here, "another-key", **sent).json()
    first = ask(here, **sent).json()
    ended = Client().delete(f"{WATCHES}/{first['watch_id']}", headers=sent)
    assert ended.status_code == 200
    assert KeptAnswer.objects.count() == 1
    second = ask(here, **sent).json()
    assert second["watch_id"] != first["watch_id"]
    page = second["page_url"].removeprefix("https://battery.example")
    assert Client().get(page, headers={"accept": "text/html"}).status_code == 200
    # Ended by its page.
    assert Client().post(f"{page}/end").status_code < 400
    assert KeptAnswer.objects.count() == 1
    third = ask(here, **sent).json()
    assert third["watch_id"] not in {first["watch_id"], second["watch_id"]}
    assert ask(here, "another-key", **sent).json() == other
