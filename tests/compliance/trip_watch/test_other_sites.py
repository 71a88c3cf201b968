"""Pages of other sites make and end no watches; our own pages and programs do."""

from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client
from pytest_django.fixtures import Settings

from compliance.models import TripWatch
from compliance.partners import register
from tests.compliance.trip_watch.test_watches_by_api import WATCHES, a_watch
from tests.compliance.trip_watch.watching import TRIP, browser, make, released
from tests.support.api_callers import a_client
from tests.support.api_requests import post, problem
from tests.support.ledger import FIRST
from tests.support.partners import Desk

pytestmark = pytest.mark.django_db

OTHERS = [
    {"origin": "https://evil.example"},
    {"origin": "https://battery.example.evil.example"},
    {"origin": "http://battery.example"},
    {"origin": "null"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "cross-site", "origin": "https://battery.example"},
    {"sec-fetch-site": "what-comes-later"},
]
OURS = [
    {},
    {"origin": "https://battery.example"},
    {"sec-fetch-site": "same-origin", "origin": "https://battery.example"},
    # The page of a watch hides its address, so its form has no origin.
    {"sec-fetch-site": "same-origin", "origin": "null"},
    {"sec-fetch-site": "none"},
]


@pytest.fixture(autouse=True)
def _at_noon(settings: Settings) -> Iterator[None]:
    settings.SITE_URL = "https://battery.example"
    register.forget()
    with time_machine.travel(FIRST, tick=False):
        released()
        yield
    register.forget()


@pytest.mark.parametrize("headers", OTHERS, ids=str)
def test_a_form_of_another_site_is_refused_and_changes_nothing(headers: dict[str, str]) -> None:
    page = make()
    for path in ("/watch", "/de/watch", f"{page}/end", f"/ja{page}/end"):
        for kind in ("trip", "itinerary"):
            answer = browser().post(path, {kind: TRIP}, headers=headers)
            assert (answer.status_code, answer["Cache-Control"]) == (403, "no-store"), path
            assert answer["Referrer-Policy"] == "no-referrer"
    assert TripWatch.objects.count() == 1
    said = browser().post("/watch", {"trip": TRIP}, headers=headers).content.decode()
    assert "This was sent from another site" in said
    said = browser().post("/de/watch", {"trip": TRIP}, headers=headers).content.decode()
    assert "Das kam von einer anderen Website" in said


@pytest.mark.parametrize("headers", OURS, ids=str)
def test_our_own_pages_and_programs_make_and_end_watches(headers: dict[str, str]) -> None:
    made = browser().post("/watch", {"trip": TRIP}, headers=headers)
    assert made.status_code == 303
    assert browser().post(f"{made['Location']}/end", headers=headers).status_code == 303
    assert not TripWatch.objects.exists()


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_no_other_method_gets_further(method: str) -> None:
    answer = getattr(browser(), method)("/", headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    assert getattr(browser(), method)("/watch").status_code == 405


def test_pages_of_other_sites_may_still_read_and_ask() -> None:
    asks = {"sec-fetch-site": "cross-site", "origin": "https://evil.example"}
    assert browser().get(f"/trip?{TRIP}", headers=asks).status_code == 200


@pytest.mark.parametrize("headers", OTHERS, ids=str)
def test_without_a_key_no_page_of_another_site_makes_a_watch_by_the_api(headers: dict[str, str]) -> None:
    refused = post(a_client(), WATCHES, a_watch(), **headers)
    assert (refused.status_code, problem(refused)["code"]) == (403, "ORIGIN_NOT_ALLOWED")
    assert "Without a key" in problem(refused)["detail"]
    assert not TripWatch.objects.exists()


@pytest.mark.parametrize("headers", OURS, ids=str)
def test_our_own_pages_and_programs_make_watches_by_the_api(headers: dict[str, str]) -> None:
    assert post(a_client(), WATCHES, a_watch(), **headers).status_code == 200


def test_a_page_of_a_partner_makes_a_watch_with_the_key_of_the_partner() -> None:
    key = Desk().issue().plain.reveal()
    sent = {"x-service-key": key, "sec-fetch-site": "cross-site"}
    allowed = post(a_client(), WATCHES, a_watch(), **sent, origin="https://app.acme.example")
    refused = post(a_client(), WATCHES, a_watch(), **sent, origin="https://evil.example")
    assert (allowed.status_code, refused.status_code) == (200, 403)
    assert TripWatch.objects.get().partner_id == "acme"


def test_a_preflight_of_another_site_may_name_the_key_of_a_repeated_request() -> None:
    asked = {
        "origin": "https://app.acme.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "idempotency-key,x-service-key,content-type",
    }
    answer = Client().options(WATCHES, headers=asked)
    assert "idempotency-key" in answer["Access-Control-Allow-Headers"]
