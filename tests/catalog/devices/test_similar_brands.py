"""A new brand is compared with the recorded ones, so a misspelled one is not recorded by accident."""

import pytest

from catalog.devices.brands.similar import similar_brands
from tests.support.starter import starter_content

RECORDED = ["Anker", "UGREEN", "INIU", "Xiaomi", "Baseus", "Mi"]


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("Ancker", ["Anker"]),
        ("ANKER", ["Anker"]),
        ("Anker Innovations", ["Anker"]),
        ("U-Green", ["UGREEN"]),
        ("Ugreeen", ["UGREEN"]),
        ("Xioami", ["Xiaomi"]),
        ("Iniu", ["INIU"]),
    ],
)
def test_these_may_be_a_recorded_brand(name: str, like: list[str]) -> None:
    assert similar_brands(name, RECORDED) == like


@pytest.mark.parametrize("name", ["Anker", "Belkin", "Miady", "Zendure", "猫"])
def test_these_are_not(name: str) -> None:
    assert similar_brands(name, RECORDED) == []


def test_the_brands_of_the_starter_corpus_are_not_like_each_other_by_a_slip() -> None:
    brands = {device.brand for device in starter_content().devices}
    asked = {name: similar_brands(name, brands) for name in sorted(brands)}
    assert {name: like for name, like in asked.items() if like} == {}
