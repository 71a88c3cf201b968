"""Dates, numbers, lists and sentences are written as readers of each language write them."""

import datetime

import pytest
from django.utils.translation import override

from aeo.web.formatting import apart, day, instant_words, joined, listed, month, number, year

DAY = datetime.date(2026, 11, 2)


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", ["2 November 2026", "November 2026", "2026", "20,000", "a, b, c"]),
        ("de", ["2. November 2026", "November 2026", "2026", "20.000", "a, b, c"]),
        ("fr", ["2 novembre 2026", "novembre 2026", "2026", "20\u202f000", "a, b, c"]),
        ("es", ["2 de noviembre de 2026", "noviembre de 2026", "2026", "20.000", "a, b, c"]),
        ("ja", ["2026年11月2日", "2026年11月", "2026年", "20,000", "a、b、c"]),
        ("ko", ["2026년 11월 2일", "2026년 11월", "2026년", "20,000", "a, b, c"]),
        ("zh-hans", ["2026年11月2日", "2026年11月", "2026年", "20,000", "a、b、c"]),
        ("zh-hant", ["2026年11月2日", "2026年11月", "2026年", "20,000", "a、b、c"]),
    ],
)
def test_each_language_writes_days_numbers_and_lists_its_way(language: str, written: list[str]) -> None:
    with override(language):
        assert [day(DAY), month(DAY), year(DAY), number(20_000), listed("abc")] == written


def test_a_moment_is_told_in_utc_whatever_its_zone() -> None:
    zone = datetime.timezone(datetime.timedelta(hours=9))
    at = datetime.datetime(2026, 11, 3, 8, 5, tzinfo=zone)
    assert instant_words(at) == "2 November 2026, 23:05 UTC"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "一。 二。"),
        ("ko", "一。 二。"),
        ("ja", "一。二。"),
        ("zh-hans", "一。二。"),
        ("zh-hant", "一。二。"),
    ],
)
def test_chinese_and_japanese_put_no_space_between_sentences(language: str, said: str) -> None:
    with override(language):
        assert joined(["一。", "二。"]) == said


def test_an_address_ends_with_a_space_in_every_language() -> None:
    with override("ja"):
        assert joined(["一 https://a.example/b", "二。"]) == "一 https://a.example/b 二。"


def test_items_with_commas_in_them_stand_apart() -> None:
    assert apart(["a, b"]) == "a, b"
    assert apart(["a, b", "c", "d"]) == "a, b; c; d"
