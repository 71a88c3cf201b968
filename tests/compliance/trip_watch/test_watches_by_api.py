"""POST /api/watches: programs have trips watched as people do, and partners theirs."""

import json
from collections.abc import Iterator
from typing import Any, cast

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from compliance.models import TripWatch
from compliance.partners import register
from tests.compliance.trip_watch.watching import released
from tests.support.api_callers import a_client
from tests.support.api_requests import a_trip, post, problem
from tests.support.contract_conformance import contract
from tests.support.ledger import DAY, FIRST
from tests.support.partners import Desk

WATCHES = "/api/watches"

pytestmark = pytest.mark.django_db


def a_watch(**trip: Any) -> dict[str, Any]:
    """A valid body: the drawn world's clean model by way of Southland."""
    legs = [
        {"origin": "XA", "destination": "XB", "airline": "N1"},
        {"origin": "XB", "destination": "XC", "airline": "N1"},
    ]
    return {"device": {"model_id": "lynx-27k"}, "trip": {"legs": legs, "date": "2026-12-01", **trip}}


@pytest.fixture(autouse=True)
def _at_noon(settings: Settings) -> Iterator[None]:
    settings.SITE_URL = "https://battery.example"
    register.forget()
    with time_machine.travel(FIRST, tick=False):
        released()
        yield
    register.forget()


def test_every_address_that_it_gives_works() -> None:
    answer = post(a_client(), WATCHES, a_watch())
    assert answer.status_code == 200
    body = json.loads(answer.content)
    assert body["ends_at"] == "2026-12-03T00:00:00Z"
    for name in ("page_url", "atom_url", "calendar_url", "json_url"):
        path = body[name].removeprefix("https://battery.example")
        assert Client(headers={"accept": "text/html"}).get(path).status_code == 200
    read = json.loads(Client().get(body["json_url"].removeprefix("https://battery.example")).content)
    assert read["watch_id"] == body["watch_id"]
    assert [flight["index"] for flight in read["flights"]] == [1, 2]


def test_a_program_ends_it_by_a_post() -> None:
    page = json.loads(post(a_client(), WATCHES, a_watch()).content)["page_url"]
    path = page.removeprefix("https://battery.example")
    assert Client().post(f"{path}/end").status_code == 303
    assert Client().get(f"{path}.json").status_code == 404


def test_null_fields_count_as_absent() -> None:
    filled = a_watch(origin=None, transit=[], airline=None, compartment_intent=None)
    filled["device"] |= {"serial": None, "serial_hash": None, "quantity": None}
    assert post(a_client(), WATCHES, {**filled, "options": None, "ruleset_version": None}).status_code == 200


def test_an_empty_list_of_units_is_no_watch_of_another_unit() -> None:
    refused = post(a_client(), WATCHES, {**a_watch(), "items": []})
    assert "items" in {error["field"] for error in problem(refused)["errors"]}


@pytest.mark.parametrize("field", ["serial", "serial_hash"])
def test_what_names_a_single_unit_is_refused_and_never_dropped_in_silence(field: str) -> None:
    body = a_watch()
    body["device"][field] = "0" * 64
    answer = post(a_client(), WATCHES, body)
    said = problem(answer)
    assert (said["code"], [error["field"] for error in said["errors"]]) == (
        "VALIDATION_ERROR",
        [f"device.{field}"],
    )
    assert not TripWatch.objects.exists()


def test_a_pinned_release_is_refused() -> None:
    answer = post(a_client(), WATCHES, {**a_watch(), "ruleset_version": "2026-11-20"})
    assert problem(answer)["errors"][0]["field"] == "ruleset_version"


def test_a_model_that_no_one_knows_is_told_at_once() -> None:
    body = a_watch()
    body["device"]["model_id"] = "lynx-99k"
    assert problem(post(a_client(), WATCHES, body))["code"] == "MODEL_NOT_FOUND"


def test_anyone_makes_so_many_in_a_day_and_a_partner_as_many_as_its_key_may_ask(settings: Settings) -> None:
    settings.WATCH_RATE = "1/d"
    client = a_client()
    assert post(client, WATCHES, a_watch()).status_code == 200
    refused = post(client, WATCHES, a_watch())
    assert problem(refused)["code"] == "RATE_LIMITED"
    assert int(refused["Retry-After"]) > 0
    key = Desk().issue().plain.reveal()
    for _ in range(3):
        assert post(client, WATCHES, a_watch(), **{"x-service-key": key}).status_code == 200
    assert TripWatch.objects.filter(partner="acme").count() == 3


def test_the_body_of_a_trip_is_read_as_strictly_as_for_a_verdict() -> None:
    body = a_trip(trip={"dat": "2026-12-01"})
    assert problem(post(a_client(), WATCHES, body))["code"] == "VALIDATION_ERROR"


# --- The watches of a partner ---


@pytest.fixture
def desk() -> Desk:
    return Desk()


def key_of(desk: Desk, slug: str, **agreement: Any) -> dict[str, str]:
    """Record a partner, and return the header with its key."""
    desk.record(slug, name=slug, **{"allowed_origins": (), **agreement})
    key = desk.issue(slug).plain.reveal()
    register.forget()
    return {"x-service-key": key}


def watched_by(key: dict[str, str]) -> str:
    made: str = json.loads(post(a_client(), WATCHES, a_watch(), **key).content)["watch_id"]
    return made


def asked(method: str, path: str, key: dict[str, str]) -> tuple[int, Any]:
    answer = cast(HttpResponse, a_client().generic(method, path, headers=key))
    assert contract().problems(method, path.partition("?")[0], answer) == []
    return answer.status_code, json.loads(answer.content)


def test_a_partner_lists_its_own_watches_page_by_page(desk: Desk) -> None:
    mine, other = key_of(desk, "mine"), key_of(desk, "other")
    made = sorted(watched_by(mine) for _ in range(3))
    watched_by(other)
    post(a_client(), WATCHES, a_watch())
    status, first = asked("GET", f"{WATCHES}?limit=2", mine)
    assert (status, first["total"], first["next_cursor"]) == (200, 3, made[1])
    _, rest = asked("GET", f"{WATCHES}?limit=2&cursor={made[1]}", mine)
    assert (rest["total"], rest["next_cursor"]) == (3, None)
    assert [one["watch_id"] for one in first["watches"] + rest["watches"]] == made
    one = first["watches"][0]
    assert (one["model_ids"], one["travel_date"]) == (["lynx-27k"], "2026-12-01")
    assert (one["verdict"], one["ends_at"]) == ("allowed", "2026-12-03T00:00:00Z")


def test_a_verdict_that_is_not_of_today_and_of_the_current_ruleset_is_not_listed(desk: Desk) -> None:
    mine = key_of(desk, "mine")
    watched_by(mine)
    TripWatch.objects.update(judged_on=FIRST.date() - DAY)
    assert asked("GET", WATCHES, mine)[1]["watches"][0]["verdict"] is None


def test_a_partner_ends_its_own_watches_and_no_others(desk: Desk) -> None:
    mine, other = key_of(desk, "mine"), key_of(desk, "other")
    watch, of_other = watched_by(mine), watched_by(other)
    of_no_one = json.loads(post(a_client(), WATCHES, a_watch()).content)["watch_id"]
    for foreign in (of_other, of_no_one, "00000000-0000-4000-8000-000000000000", "watch", watch.upper()):
        assert asked("DELETE", f"{WATCHES}/{foreign}", mine)[0] == 404
    assert TripWatch.objects.count() == 3
    assert asked("DELETE", f"{WATCHES}/{watch}", mine) == (200, {"watch_id": watch})
    assert asked("DELETE", f"{WATCHES}/{watch}", mine)[0] == 404
    assert TripWatch.objects.count() == 2


def test_without_a_key_no_watch_is_listed_or_ended(desk: Desk) -> None:
    watch = watched_by(key_of(desk, "mine"))
    assert asked("GET", WATCHES, {})[0] == 401
    assert asked("DELETE", f"{WATCHES}/{watch}", {})[0] == 401
    assert TripWatch.objects.exists()


def test_a_key_that_may_be_in_a_web_page_lists_no_watches_and_ends_those_whose_id_is_known(
    desk: Desk,
) -> None:
    mine = key_of(desk, "mine", allowed_origins=("https://app.example",))
    watch = watched_by(mine)
    status, said = asked("GET", WATCHES, mine)
    assert (status, said["code"]) == (403, "FORBIDDEN")
    assert asked("DELETE", f"{WATCHES}/{watch}", mine)[0] == 200
