"""A partner has so many watches at a time, and is told when there are no more."""

from collections.abc import Iterator
from io import StringIO

import pytest
import time_machine
from django.core.management import call_command
from pytest_django.fixtures import Settings

from compliance.models import TripWatch
from compliance.partners import register
from tests.compliance.trip_watch.test_watches_by_api import WATCHES, a_watch
from tests.compliance.trip_watch.watching import released
from tests.support.api_callers import a_client
from tests.support.api_requests import post, problem
from tests.support.desk.visiting import ACME, Visitor
from tests.support.ledger import FIRST
from tests.support.partners import Desk
from tests.support.releasing import elsewhere


@pytest.fixture
def _at_noon(settings: Settings) -> Iterator[None]:
    settings.SITE_URL = "https://battery.example"
    settings.PARTNER_WATCHES = 2
    register.forget()
    with time_machine.travel(FIRST, tick=False):
        released()
        yield
    register.forget()


@pytest.mark.usefixtures("_at_noon")
@pytest.mark.django_db
def test_a_partner_with_as_many_watches_as_it_may_have_gets_no_more_until_one_ends() -> None:
    desk = Desk()
    key, second = (desk.issue().plain.reveal() for _ in range(2))
    desk.record("other")
    others = desk.issue("other").plain.reveal()
    first = post(a_client(), WATCHES, a_watch(), **{"x-service-key": key}).json()
    # Both keys of a partner count together.
    assert post(a_client(), WATCHES, a_watch(), **{"x-service-key": second}).status_code == 200

    refused = post(a_client(), WATCHES, a_watch(), **{"x-service-key": key})
    assert (refused.status_code, problem(refused)["code"]) == (403, "WATCH_QUOTA_REACHED")
    assert "A partner may have 2 watches at a time." in problem(refused)["detail"]
    assert problem(refused)["suggested_next_step"]["code"] == "end_watches"
    assert post(a_client(), WATCHES, a_watch(), **{"x-service-key": others}).status_code == 200
    assert post(a_client(), WATCHES, a_watch()).status_code == 200

    path = first["page_url"].removeprefix("https://battery.example")
    assert a_client().post(f"{path}/end").status_code == 303
    assert post(a_client(), WATCHES, a_watch(), **{"x-service-key": key}).status_code == 200
    assert TripWatch.objects.filter(partner="acme").count() == 2


@pytest.mark.usefixtures("_at_noon")
@pytest.mark.django_db
def test_the_desk_and_the_command_show_how_many_there_are() -> None:
    key = Desk().issue().plain.reveal()
    post(a_client(), WATCHES, a_watch(), **{"x-service-key": key})
    manager = Visitor("view_partner", "change_partner", "view_partnerkey", "view_webhook")
    page = " ".join(manager.page(ACME + "change/").split())
    assert "Watched trips" in page
    assert "1 of 2" in page
    shown = StringIO()
    call_command("partner", "show", "acme", stdout=shown)
    assert "watches   1 of 2 trips" in shown.getvalue()


@pytest.mark.usefixtures("committing_db", "_at_noon")
def test_of_many_requests_at_once_so_many_make_a_watch_and_no_more() -> None:
    key = Desk().issue().plain.reveal()

    def ask() -> int:
        return post(a_client(), WATCHES, a_watch(), **{"x-service-key": key}).status_code

    asked = [elsewhere(ask) for _ in range(6)]
    assert sorted(one.result(30) for one in asked) == [200, 200, 403, 403, 403, 403]
    assert TripWatch.objects.count() == 2
