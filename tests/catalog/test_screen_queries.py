"""What the catalog's pages cost: the same number of queries, however much there is."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from catalog.airlines.actions import record_airlines
from catalog.devices.actions import record_devices
from catalog.models import Device
from catalog.records import PolicyChange
from catalog.sources.actions import record_sources
from tests.support.desk.filling_in import fields_of, send
from tests.support.desk.visiting import Visitor
from tests.support.factories import READ_ON, a_device, a_source, an_airline

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


MANY = 300
CATALOG = "/admin/catalog/"
LISTS = ["device/", "airline/", "source/", "brand/", "country/", "jurisdiction/"]
FORMS = ["device/many/change/", "airline/M1/change/", "source/many-0/change/", "brand/lynx/change/"]


@pytest.fixture
def boss(db: None) -> Visitor:
    return Visitor(superuser=True)


@pytest.fixture
def crowded(boss: Visitor) -> Visitor:
    """Add hundreds of records, one of each kind with a hundred sources."""
    by = boss.user
    ids = [f"many-{number}" for number in range(MANY)]
    hundred = tuple(ids[:100])
    record_sources(by=by, sources=[a_source(id=source_id) for source_id in ids])
    record_devices(
        by=by,
        devices=[
            a_device(model_id="many", sources=hundred, certifications=hundred),
            *(a_device(model_id=model_id, brand=model_id, sources=hundred[:3]) for model_id in ids),
        ],
    )
    changes = tuple(PolicyChange(date=READ_ON, what="One unit.", source=source) for source in hundred)
    codes = [f"{first}{second}" for first in "ABCDEFGH" for second in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    record_airlines(
        by=by,
        airlines=[
            an_airline(airline="M1", icao="MMM", sources=hundred, changes=changes, notes=hundred),
            *(
                an_airline(
                    airline=code, icao=f"Q{chr(65 + at // 26)}{chr(65 + at % 26)}", sources=hundred[:3]
                )
                for at, code in enumerate(codes)
            ),
        ],
    )
    return boss


def cost(visitor: Visitor, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        visitor.page(path)
    return len(queries)


@pytest.mark.parametrize("page", LISTS)
def test_a_list_stays_within_its_budget(
    crowded: Visitor, page: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(9):
        crowded.page(f"{CATALOG}{page}")


@pytest.mark.parametrize("page", FORMS)
def test_a_form_stays_within_its_budget(
    crowded: Visitor, page: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(17):
        crowded.page(f"{CATALOG}{page}")


@pytest.mark.parametrize("page", ["device/duplicates/", "device/export/csv/", "airline/export/xlsx/"])
def test_so_does_a_page_about_all_of_them(
    crowded: Visitor, page: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(11):
        crowded.page(f"{CATALOG}{page}") if "export" not in page else crowded.get(f"{CATALOG}{page}")


@pytest.mark.parametrize(
    ("page", "changes", "most"),
    [
        ("device/many/change/", {"notes": "New."}, 60),
        # What waits is written and taken back first, so that what a table refuses is refused now.
        ("device/many/change/", {"model_name": "New."}, 95),
        ("airline/M1/change/", {"notes-text": ["New."]}, 95),
        ("airline/M1/change/", {"summary": "New."}, 95),
    ],
)
def test_saving_a_form_with_a_hundred_rows_asks_for_none_of_them_alone(
    crowded: Visitor,
    page: str,
    changes: dict[str, Any],
    most: int,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    fields = fields_of(crowded, f"{CATALOG}{page}")
    with django_assert_max_num_queries(most):
        assert send(crowded, f"{CATALOG}{page}", fields, **changes).status_code == 302


def test_hundreds_of_rows_cost_no_more_than_a_few_but_for_finding_their_page(
    boss: Visitor, request: pytest.FixtureRequest
) -> None:
    few = {page: cost(boss, f"{CATALOG}{page}") for page in LISTS}
    request.getfixturevalue("crowded")
    many = {page: cost(boss, f"{CATALOG}{page}") for page in LISTS}
    paged = {"device/", "airline/", "source/", "brand/"}
    assert many == {page: queries + (page in paged) for page, queries in few.items()}


def test_a_list_goes_on_with_its_next_page(crowded: Visitor) -> None:
    ids = {
        page: set(re.findall(r"/device/([a-z0-9-]+)/change/", crowded.page(f"{CATALOG}device/?p={page}")))
        for page in (1, 2, 7)
    }
    everything = [device.model_id for device in Device.objects.order_by("model_id")]
    assert ids == {1: set(everything[:50]), 2: set(everything[50:100]), 7: set(everything[300:])}
