"""An itinerary is watched as a trip is: by the same operation, in the same formats, until its last flight."""

import datetime
import json
import re
from collections.abc import Iterator
from decimal import Decimal
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
from rules.engine.facts import Params, When
from tests.compliance.trip_watch.watching import browser, released, rule, shown, watch_body, written
from tests.support import world
from tests.support.api_callers import a_client
from tests.support.api_requests import post, problem
from tests.support.factories import a_rule, a_user
from tests.support.ledger import DAY, FIRST
from tests.support.partners import Desk

WATCHES = "/api/watches"
HERE = "https://battery.example"

ON_THE_PAGE = (
    "people=2&model=lynx-27k&count=2&condition=intact&model_2=lynx-10k&condition_2=intact"
    "&airline=N1&from=XA&to=XB&date=2026-12-01&airline_2=N1&from_2=XB&to_2=XA&date_2=2026-12-15"
)
"""The same question as `out_and_back`, as its page has it in its address."""

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
    assert body["flights"][1]["says"] in shown(path)
    assert "15 December 2026" in written(path)["atom"].decode()


def test_its_calendar_has_each_day_of_travel() -> None:
    events: list[Any] = [*Calendar.from_ical(written(path_of(made()))["ics"]).events]
    assert [event["dtstart"].dt for event in events] == [
        datetime.date(2026, 12, 1),
        datetime.date(2026, 12, 15),
    ]
    assert len({event["uid"] for event in events}) == 2


def by_form(itinerary: str, prefix: str = "") -> Any:
    """Send the form that is on the page of an itinerary."""
    return browser().post(f"{prefix}/watch", {"itinerary": itinerary})


def test_its_page_offers_a_watch_in_every_language_and_the_form_makes_one() -> None:
    for prefix, button in {"": "Make a secret address", "/de": "Geheime Adresse erstellen"}.items():
        page = shown(f"{prefix}/itinerary?{ON_THE_PAGE}")
        (form,) = re.findall(r'<form method="post" action="[^"]*/watch">.*?</form>', page, flags=re.DOTALL)
        assert f'action="{prefix}/watch"' in form
        assert button in form
        (asked,) = re.findall(r'name="itinerary" value="([^"]*)"', form)
        answer = by_form(asked, prefix)
        assert answer.status_code == 303
        assert re.fullmatch(rf"{prefix}/watch/[a-z2-7]{{32}}", answer["Location"])
        body = watch_body(answer["Location"].removeprefix(prefix))
        assert (body["verdict"], body["model"]) == ("conditional", "Lynx Lynx 27K, Lynx Lynx 10K")
        assert body["ends"] == "2026-12-17T00:00:00Z"


@pytest.mark.parametrize(
    "itinerary",
    [
        "",
        "people=2&model=lynx-27k&airline=N1&from=XA",
        f"{ON_THE_PAGE}&quantity=9",
        f"{ON_THE_PAGE}&add=unit",
        f"{ON_THE_PAGE}&q=Lynx+27K+and+a+surprise",
    ],
    ids=["nothing", "no destination", "a fact that is no field", "a form that grows", "an open sentence"],
)
def test_what_gets_no_verdict_on_its_page_is_not_watched_and_leads_back_there(itinerary: str) -> None:
    answer = by_form(itinerary)
    assert answer.status_code == 303
    assert answer["Location"] == f"/itinerary?{itinerary}"
    assert not TripWatch.objects.exists()


def test_a_flight_back_whose_date_the_page_asks_for_is_not_watched() -> None:
    soon = a_rule(
        rule_id="n1.none-over-30wh",
        when=When(watt_hour_over=Decimal(30)),
        effect="prohibit",
        code="over_watt_hour_limit",
        params=Params(limit_watt_hour=Decimal(30)),
        effective_from=datetime.date(2026, 12, 10),
    )
    released(FIRST + DAY / 4, rules=[*world.RULES, soon])
    undated = ON_THE_PAGE.replace("&date_2=2026-12-15", "")
    page = shown(f"/itinerary?{undated}")
    assert 'action="/watch"' not in page
    answer = by_form(undated)
    assert answer["Location"] == f"/itinerary?{undated}"
    assert not TripWatch.objects.exists()


def test_a_question_that_is_longer_than_any_address_is_refused_and_never_cut() -> None:
    longer = "&".join([ON_THE_PAGE, "note=" + "x" * 4096])
    assert by_form(longer).status_code == 413
    assert not TripWatch.objects.exists()


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
