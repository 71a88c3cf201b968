"""The synthetic catalog of the benchmark looks like the real one, and its queries ask for what is in it."""

from itertools import islice

import pytest

from bench.search import KINDS, QUERIES, catalog, queries
from catalog.records import Device
from catalog.search import DeviceIndex
from tests.support.starter import starter_content

SIZE = 2_000
FIND_THEIR_MODEL = {
    "model id",
    "model number",
    "brand and number",
    "number in pieces",
    "beginning of a number",
    "brand and name",
    "brand and capacity",
    "local",
    "common word",
}


@pytest.fixture(scope="module")
def devices() -> list[Device]:
    return catalog(starter_content().devices, SIZE)


def test_a_catalog_has_as_many_devices_as_were_asked_for_each_with_its_own_id(devices: list[Device]) -> None:
    assert len({device.model_id for device in devices}) == len(devices) == SIZE


def test_a_smaller_catalog_is_the_beginning_of_a_larger_one_every_time(devices: list[Device]) -> None:
    assert catalog(starter_content().devices, 50) == devices[:50]


def test_real_brands_and_common_words_stand_in_many_devices(devices: list[Device]) -> None:
    index = DeviceIndex(devices)
    assert min(len(index.search(word)) for word in ("anker", "powercore", "20000")) > SIZE / 100


def test_every_kind_of_query_has_its_turn_as_often(devices: list[Device]) -> None:
    kinds = [kind for kind, _ in islice(queries(devices), QUERIES)]
    assert QUERIES >= 200
    assert {kinds.count(kind) for kind in KINDS} == {QUERIES // len(KINDS)}


def test_the_same_queries_are_drawn_every_time(devices: list[Device]) -> None:
    assert list(islice(queries(devices), 50)) == list(islice(queries(devices), 50))


def test_queries_about_a_model_find_one_and_queries_about_none_do_not(devices: list[Device]) -> None:
    index = DeviceIndex(devices)
    found = [(kind, text, len(index.search(text))) for kind, text in islice(queries(devices), QUERIES)]
    assert [query for query in found if query[0] in FIND_THEIR_MODEL and not query[2]] == []
    assert [query for query in found if query[0] == "not here" and query[2]] == []
    slipped = [count > 0 for kind, _, count in found if kind == "slip"]
    assert sum(slipped) > 0.9 * len(slipped)
