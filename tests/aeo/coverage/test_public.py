"""What readers and programs see of the list: its order, and why; no number of the verdict log."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client

from aeo.coverage import asked
from aeo.coverage.queue import queue
from rules.corpus import Published
from rules.selectors import readings
from tests.aeo.coverage.counts import a_count
from tests.support.starter import NOW

MARKDOWN = {"accept": "text/markdown"}

# All above the length of the list, whose ranks are numbers as well.
COUNTED = {"EK": 48_611, "SQ": 2_357, "WS": 547, "NH": 373}
PLACES = {"JP": 7_919, "INTL": 51_172}

pytestmark = pytest.mark.django_db


@pytest.fixture
def counted_release(starter_release: Published) -> Iterator[Published]:
    """The starter corpus answers, and what is asked about was counted."""
    asked.pin(a_count(COUNTED, PLACES))
    with time_machine.travel(NOW, tick=False):
        yield starter_release


def text(path: str) -> str:
    answer = Client().get(path, headers=MARKDOWN)
    assert answer.status_code == 200
    return answer.content.decode()


def api(**query: Any) -> dict[str, Any]:
    answer = Client().get("/api/coverage", query)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = json.loads(answer.content)
    return body


def listed(page: str) -> list[str]:
    """The names in the list of a page, in its order."""
    part = page.partition("## Where an editor's hour helps most")[2].partition("\n## ")[0]
    return re.findall(r"^\| \d+\\?\. \[?([^\]|]+?)[\]|]", part, re.MULTILINE)


@pytest.mark.parametrize(("page", "most"), [("/coverage", 25), ("/scorecard", 10)])
def test_the_pages_show_the_first_of_the_list_in_its_order(
    page: str, most: int, counted_release: Published
) -> None:
    names = listed(text(page))
    expected = [one.name for one in queue(counted_release, NOW.date(), a_count(COUNTED, PLACES))[:most]]
    assert [name.partition(" (")[0].strip() for name in names] == [
        name.partition(" (")[0] for name in expected
    ]


def test_the_api_has_the_whole_list_and_the_figures(counted_release: Published) -> None:
    body = api(limit=200)
    assert [(one["rank"], one["airline"] or one["jurisdiction"]) for one in body["read_next"]] == [
        (rank, one.code)
        for rank, one in enumerate(queue(counted_release, NOW.date(), a_count(COUNTED, PLACES)), start=1)
    ]
    assert body["read_next_total"] == len(body["read_next"])
    assert body["airlines"]["by_policy_read"] == readings.airlines_by_reading(counted_release)
    assert body["rules"]["by_confidence"] == readings.by_confidence(counted_release.shelf.rules.values())
    assert body["airlines"]["total"] == sum(body["airlines"]["by_policy_read"].values())
    assert (body["asked_days"], body["asked_until"]) == (30, NOW.date().isoformat())


def test_the_list_goes_on_page_by_page_while_the_same_count_is_held(counted_release: Published) -> None:
    first = api(limit=100)
    second = api(limit=100, cursor=first["next_cursor"])
    assert second["read_next"][0]["rank"] == 101
    other = a_count({"EK": 1})
    other.day = NOW.date().replace(day=1)
    asked.pin(other)
    assert Client().get("/api/coverage", {"cursor": first["next_cursor"]}).status_code == 400


def test_the_figures_are_those_that_the_lists_of_airlines_give(counted_release: Published) -> None:
    airlines, cursor = [], None
    while True:
        answer = Client().get("/api/airlines", {"limit": 200} | ({"cursor": cursor} if cursor else {})).json()
        airlines += answer["airlines"]
        if (cursor := answer["next_cursor"]) is None:
            break
    body = api()
    for how, count in body["airlines"]["by_policy_read"].items():
        assert sum(one["policy_read"] == how for one in airlines) == count
    assert sum(one["covered"] for one in airlines) == body["airlines"]["covered"]


@pytest.mark.parametrize("path", ["/coverage", "/scorecard", "/de/coverage", "/api/coverage?limit=200"])
def test_no_number_of_the_verdict_log_is_published(path: str, counted_release: Published) -> None:
    said = Client().get(path, headers=MARKDOWN if "api" not in path else {}).content.decode()
    digits = re.sub(r"(?<=\d)\D(?=\d{3})", "", said)
    for number in (*COUNTED.values(), *PLACES.values(), sum(COUNTED.values())):
        assert not re.search(rf"(?<!\d){number}(?!\d)", digits), number


def test_two_counts_of_the_same_classes_look_the_same(counted_release: Published) -> None:
    before = {path: text(path) for path in ("/coverage", "/scorecard")}, api(limit=200)
    asked.pin(a_count({"EK": 10_000, "SQ": 9_999, "WS": 100, "NH": 999}, {"JP": 1_000, "INTL": 10_000}))
    assert ({path: text(path) for path in ("/coverage", "/scorecard")}, api(limit=200)) == before


def test_until_it_is_counted_the_pages_say_so_and_the_list_goes_by_evidence(
    starter_release: Published,
) -> None:
    with time_machine.travel(NOW, tick=False):
        said, body = text("/coverage"), api()
    assert "Flights have not been counted yet" in said
    assert body["asked_until"] is None
    assert {one["asked"] for one in body["read_next"]} == {None}
    assert [one["weakness"] for one in body["read_next"]] == sorted(
        (one["weakness"] for one in body["read_next"]), reverse=True
    )


def test_the_order_is_explained_in_one_sentence(counted_release: Published) -> None:
    said = text("/coverage")
    assert (
        "The order is a product of two scores from 1 to 4: how often flights were asked about in the last 30 "
        "days, and how weak the evidence is. Among equals, the oldest reading comes first."
    ) in said
