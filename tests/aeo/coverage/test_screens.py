"""The editors' desk has the list as a queue: exact numbers, the reason of each place, and the ways to act."""

import datetime
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from aeo import editions
from aeo.coverage import asked
from aeo.coverage.models import AskedFlights
from aeo.coverage.queue import queue
from catalog.models import Source
from compliance.signin.groups import EDITOR, PARTNER_MANAGER, VIEWER
from rules.publishing.actions.releases import publish_release
from tests.support.desk.visiting import member
from tests.support.factories import a_user
from tests.support.world import build_world

QUEUE = "/admin/read-next/"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_process")]


@pytest.fixture
def world() -> None:
    build_world(by=a_user("author"))
    publish_release(by=a_user("publisher"), note="First.", now=timezone.now(), cases=[])
    AskedFlights.objects.create(
        day=timezone.now().date(),
        days=30,
        finished=timezone.now(),
        flights=12_345,
        airlines={"N1": 1_234},
        places={},
    )


@pytest.mark.usefixtures("world")
def test_each_place_has_its_reason_with_exact_numbers_its_record_and_its_sources() -> None:
    page = member(EDITOR).page(QUEUE)
    edition = editions.current(timezone.now())
    found = queue(edition.release, edition.today, asked.newest())
    places = re.findall(r'<li id="(airline|regulator)-(\w+)">', page)
    assert places == [(one.issuer, one.code) for one in found[:25]]
    assert "Demand 3 (1,234 flights asked about in 30 days) times weakness" in page
    assert "12,345 flights in all" in page
    for one in found[:25]:
        kind = "airline" if one.issuer == "airline" else "jurisdiction"
        assert f'href="/admin/catalog/{kind}/{one.code}/change/"' in page


@pytest.mark.usefixtures("world")
def test_an_editor_notes_from_the_list_that_a_source_was_read_again() -> None:
    editor = member(EDITOR)
    again = re.findall(r'href="(/admin/catalog/source/[^"]+/read-again/)"', editor.page(QUEUE))
    assert again
    source_id = again[0].split("/")[4]
    Source.objects.filter(pk=source_id).update(read_on=datetime.date(2026, 1, 2))
    editor.submit(again[0])
    assert Source.objects.get(pk=source_id).read_on == timezone.localdate()


@pytest.mark.usefixtures("world")
def test_who_may_only_look_gets_no_actions_and_others_get_nothing() -> None:
    assert "read-again" not in member(VIEWER).page(QUEUE)
    assert member(PARTNER_MANAGER).get(QUEUE).status_code == 403


@pytest.mark.usefixtures("world")
def test_the_queue_asks_as_often_however_many_wait_and_however_many_sources_there_are() -> None:
    editor = member(EDITOR)
    editor.page(QUEUE)
    with CaptureQueriesContext(connection) as queries:
        editor.page(QUEUE)
    assert sum("catalog_source" in query["sql"] for query in queries) == 1


def test_where_nothing_is_published_it_says_so(db: None) -> None:
    assert "Nothing is published yet." in member(EDITOR).page(QUEUE)
