"""An itinerary is watched as a trip is: by the same operation, in the same formats, until its last flight."""

import datetime
import json
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client
from icalendar import Calendar
from pytest_django.fixtures import Settings

from compliance.models import TripWatch, WebhookDelivery
from compliance.partners import register
from compliance.partners.webhooks.actions import register_webhook
from compliance.trip_watch.tasks import forget_watches
from rules.engine.facts import Params
from tests.compliance.trip_watch.watching import browser, released, rule, shown, watch_body, written
from tests.support import world
from tests.support.api_callers import a_client
from tests.support.api_requests import post, problem
from tests.support.factories import a_user
from tests.support.ledger import DAY, FIRST
from tests.support.partners import Desk

WATCHES = "/api/watches"
HERE = "https://battery.example"

ONE_EACH = rule("n1.two-units", params=Params(max_units=1))

pytestmark = pytest.mark.django_db


def out_and_back(**changes: Any) -> dict[str, Any]:
    """A valid body: two passengers with three units, one under recall, out and back on Northwing."""
    return {
        "passengers": 2,
        "items": [
            {"ref": "mine", "model_id": "lynx-27k", "quantity": 2, "condition": "intact"},
            {"ref": "hers", "model_id": "lynx-10k", "condition": "intact"},
        ],
        "segments": [
            {"origin": "XA", "destination": "XB", "operating_airline": "N1", "date": "2026-12-01"},
            {"origin": "XB", "destination": "XA", "operating_airline": "N1", "date": "2026-12-15"},
        ],
        **changes,
    }


@pytest.fixture(autouse=True)
def clock(settings: Settings) -> Iterator[time_machine.Traveller]:
    settings.SITE_URL = HERE
    register.forget()
    with time_machine.travel(FIRST, tick=False) as traveler:
        released()
        traveler.shift(DAY / 2)
        yield traveler
    register.forget()


def made(**changes: Any) -> dict[str, Any]:
    answer = post(a_client(), WATCHES, out_and_back(**changes))
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = json.loads(answer.content)
    return body


def path_of(watch: dict[str, Any]) -> str:
    path: str = watch["page_url"].removeprefix(HERE)
    return path


def test_it_has_the_verdict_of_the_itinerary_in_every_format() -> None:
    path = path_of(made())
    body = watch_body(path)
    asked = post(a_client(), "/api/itineraries/verify", out_and_back())
    assert body["verdict"] == json.loads(asked.content)["verdict"] == "conditional"
    assert (body["model"], body["model_id"]) == ("Lynx Lynx 27K, Lynx Lynx 10K", None)
    assert (body["travel_date"], body["ends"]) == ("2026-12-01", "2026-12-17T00:00:00Z")
    assert [flight["index"] for flight in body["flights"]] == [1, 2]
    assert body["flights"][1]["says"].endswith("(15 December 2026)")
    assert "Passenger 1 carries: Lynx Lynx 27K (1)" in body["summary"]
    assert 'class="verdict conditional"' in shown(path)
    assert "15 December 2026" in written(path)["atom"].decode()


def test_its_calendar_has_each_day_of_travel() -> None:
    events: list[Any] = [*Calendar.from_ical(written(path_of(made()))["ics"]).events]
    assert [event["dtstart"].dt for event in events] == [
        datetime.date(2026, 12, 1),
        datetime.date(2026, 12, 15),
    ]
    assert len({event["uid"] for event in events}) == 2


def test_it_leads_to_the_page_that_answers_the_same_question() -> None:
    watch = watch_body(path_of(made()))
    answer = browser().get(watch["check_url"].removeprefix(HERE), follow=True)
    page = answer.content.decode()
    assert 'class="banner conditional"' in page
    assert "Lynx Lynx 10K" in page
    assert "15 December 2026" in page


def test_it_changes_only_with_the_verdict_or_with_what_must_stay() -> None:
    path = path_of(made())
    before = written(path)
    released(FIRST + DAY)
    assert written(path) == before
    released(FIRST + 2 * DAY, rules=ONE_EACH)
    body = watch_body(path)
    assert body["verdict"] == "banned"
    assert [change["verdict"] for change in body["changes"]] == ["banned", "conditional"]


def test_another_unit_that_must_stay_is_a_change_of_the_same_verdict() -> None:
    path = path_of(made(passengers=1))
    assert watch_body(path)["verdict"] == "banned"
    released(FIRST + DAY, rules=ONE_EACH)
    body = watch_body(path)
    assert [change["verdict"] for change in body["changes"]] == ["banned", "banned"]
    assert len({change["summary"] for change in body["changes"]}) == 2


def test_a_model_that_a_release_no_longer_holds_is_never_allowed() -> None:
    path = path_of(made())
    released(FIRST + DAY, devices=[one for one in world.DEVICES if one.model_id != "lynx-10k"])
    body = watch_body(path)
    assert (body["verdict"], body["error"]) == ("insufficient", "MODEL_NOT_FOUND")
    assert body["model"] == "Lynx Lynx 27K, lynx-10k"


def test_it_works_through_the_day_after_the_last_flight(clock: time_machine.Traveller) -> None:
    path = path_of(made())
    clock.move_to(datetime.datetime(2026, 12, 16, 23, 59, 59, tzinfo=datetime.UTC))
    released(FIRST + DAY)
    assert forget_watches() == 0
    assert watch_body(path)["verdict"] == "conditional"
    clock.move_to(datetime.datetime(2026, 12, 17, tzinfo=datetime.UTC))
    assert forget_watches() == 1
    assert Client().get(f"{path}.json").status_code == 404


@pytest.mark.parametrize("field", ["serial", "serial_hash"])
def test_what_names_a_single_unit_is_refused(field: str) -> None:
    body = out_and_back()
    body["items"][1][field] = "0" * 64
    said = problem(post(a_client(), WATCHES, body))
    assert [error["field"] for error in said["errors"]] == [f"items[1].{field}"]
    assert not TripWatch.objects.exists()


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"ruleset_version": "2026-11-20"}, "VALIDATION_ERROR", "ruleset_version"),
        ({"passengers": 10}, "VALIDATION_ERROR", "passengers"),
        ({"device": {"model_id": "lynx-27k"}}, "VALIDATION_ERROR", "device"),
        ({"items": [{"model_id": "lynx-99k"}]}, "MODEL_NOT_FOUND", None),
    ],
)
def test_it_is_read_as_strictly_as_for_a_verdict(
    changes: dict[str, Any], code: str, field: str | None
) -> None:
    said = problem(post(a_client(), WATCHES, out_and_back(**changes)))
    assert said["code"] == code
    assert field is None or [error["field"] for error in said["errors"]] == [field]


def test_neither_serials_nor_the_names_of_items_are_stored() -> None:
    made()
    stored = json.dumps(TripWatch.objects.get().question)
    assert "mine" not in stored
    assert "hers" not in stored
    assert "serial" not in stored


def test_a_unit_by_its_label_is_watched_by_its_figures() -> None:
    body = watch_body(path_of(made(items=[{"label": {"capacity_mah": 20000, "voltage": 3.7}}])))
    assert (body["verdict"], body["model"]) == ("conditional", "20,000 mAh · 3.7 V")
    assert "mah=20000" in body["check_url"]


def test_one_of_a_partner_counts_for_its_quota_and_is_told_to_its_webhooks(settings: Settings) -> None:
    settings.PARTNER_WATCHES = 1
    key = Desk().issue().plain.reveal()
    client, now = a_client(), FIRST + DAY / 2
    register_webhook(by=a_user("manager"), now=now, partner="acme", url="https://partner.example/hook")
    assert post(client, WATCHES, out_and_back(), **{"x-service-key": key}).status_code == 200
    refused = post(client, WATCHES, out_and_back(), **{"x-service-key": key})
    assert problem(refused)["code"] == "WATCH_QUOTA_REACHED"
    released(FIRST + DAY, rules=ONE_EACH)
    (delivery,) = WebhookDelivery.objects.filter(event="trip_watch.changed")
    data = json.loads(delivery.body)["data"]
    assert (data["verdict_before"], data["verdict"], data["travel_date"]) == (
        "conditional",
        "banned",
        "2026-12-01",
    )
    assert "Leave at home" in data["told"]["summary"]
    assert len(data["told"]["flights"]) == 2


def test_the_same_request_with_the_same_key_makes_one_watch() -> None:
    client, once = a_client(), {"idempotency-key": '"family-of-two"'}
    first, second = (post(client, WATCHES, out_and_back(), **once) for _ in range(2))
    assert first.content == second.content
    assert TripWatch.objects.count() == 1
