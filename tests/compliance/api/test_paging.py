"""Long lists are walked page by page: every record once, none twice, never by a cursor of another list."""

import datetime
from typing import Any
from urllib.parse import quote

import pytest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from compliance.api.protocol.callers import ANONYMOUS
from compliance.api.protocol.errors import ApiError
from compliance.api.protocol.paging import CURSOR, LIMIT, Page, page
from compliance.api.protocol.parameters import read_query, text
from compliance.api.protocol.views import Reading
from rules.corpus import Published
from rules.engine.document import Content
from tests.support.starter import NOW, published

WORDS = text("q", "Words.", most=100, example="x")
RELEASE = published(Content())
LATER = published(Content(), "2026-11-22")


def reading(query: str = "", release: Published = RELEASE, now: datetime.datetime = NOW) -> Reading:
    asked = read_query(RequestFactory().get("/?" + query), (WORDS, LIMIT, CURSOR))
    return Reading(release, now, asked, ANONYMOUS)


def turn(found: list[int], query: str = "", **other: Any) -> Page[int]:
    return page(found, reading(query, **other))


@given(st.integers(0, 40), st.integers(1, 12))
def test_a_walk_sees_every_record_once_and_then_ends(length: int, limit: int) -> None:
    found, seen, cursor = list(range(length)), list[int](), ""
    for _ in range(length + 1):
        one = turn(found, f"q=x&limit={limit}{cursor}")
        assert one.total == length
        seen += one.items
        if one.next_cursor is None:
            break
        assert len(one.items) == limit
        cursor = f"&cursor={one.next_cursor}"
    assert seen == found


def test_the_size_of_a_page_may_change_on_the_way() -> None:
    first = turn(list(range(10)), "limit=3")
    second = turn(list(range(10)), f"limit=5&cursor={first.next_cursor}")
    assert [*first.items, *second.items] == list(range(8))


@pytest.mark.parametrize(
    ("query", "other"),
    [
        ("q=other&limit=3", {}),
        ("q=x&limit=3", {"release": LATER}),
        ("q=x&limit=3", {"now": NOW + datetime.timedelta(days=1)}),
    ],
    ids=["another query", "another release", "another day"],
)
def test_a_cursor_of_another_list_is_refused(query: str, other: dict[str, Any]) -> None:
    first = turn(list(range(10)), "q=x&limit=3")
    with pytest.raises(ApiError) as caught:
        turn(list(range(10)), f"{query}&cursor={first.next_cursor}", **other)
    assert [error.code for error in caught.value.errors] == ["stale_cursor"]
    assert "Begin again" in caught.value.errors[0].message


@given(st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=64))
def test_a_made_up_cursor_is_refused(sent: str) -> None:
    with pytest.raises(ApiError) as caught:
        turn(list(range(10)), f"cursor={quote(sent)}")
    assert [error.code for error in caught.value.errors] == ["stale_cursor"]
