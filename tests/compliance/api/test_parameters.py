"""Queries are read strictly: a filter that is misspelt, repeated or malformed is an error, never ignored."""

import contextlib
import datetime
from typing import Any
from urllib.parse import quote

import pytest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from compliance.api.protocol import parameters
from compliance.api.protocol.errors import ApiError
from compliance.api.protocol.parameters import MAX_PARAMETERS, AnyParameter, read_query

WORDS = parameters.text("q", "Words.", most=10, example="x")
STATUS = parameters.choice("status", "A status.", ("open", "closed"))
RECENT = parameters.flag("recent", "Only recent ones.")
LIMIT = parameters.whole_number("limit", "How many.", 1, 200, 50)
SINCE = parameters.date("since", "From this day.")
SERIAL = parameters.text("serial", "A serial.", most=10, example="x", private=True)
ALL: tuple[AnyParameter, ...] = (WORDS, STATUS, RECENT, LIMIT, SINCE, SERIAL)


def read(query: str) -> parameters.Query:
    return read_query(RequestFactory().get("/?" + query), ALL)


def refused(query: str) -> dict[str, str]:
    with pytest.raises(ApiError) as caught:
        read(query)
    assert caught.value.code == "VALIDATION_ERROR"
    return {error.field: error.code for error in caught.value.errors}


def test_a_query_gives_values_of_the_right_type() -> None:
    query = read("q=power+bank&status=open&recent=true&limit=7&since=2026-02-28")
    assert query[WORDS] == "power bank"
    assert query[STATUS] == "open"
    assert query[RECENT] is True
    assert query[LIMIT] == 7
    assert query[SINCE] == datetime.date(2026, 2, 28)


def test_what_is_left_out_has_its_default() -> None:
    query = read("")
    assert [query[parameter] for parameter in ALL] == [None, None, False, 50, None, None]


@pytest.mark.parametrize(
    ("query", "errors"),
    [
        ("limt=7", {"limt": "unknown_parameter"}),
        ("limit=7&limit=8", {"limit": "repeated"}),
        ("limit=0", {"limit": "out_of_range"}),
        ("limit=201", {"limit": "out_of_range"}),
        ("limit=-1", {"limit": "wrong_type"}),
        ("limit=+7", {"limit": "wrong_type"}),
        ("limit=7.0", {"limit": "wrong_type"}),
        ("limit=%D9%A7", {"limit": "wrong_type"}),
        ("limit=99999999999999999999", {"limit": "wrong_type"}),
        ("limit=", {"limit": "wrong_type"}),
        ("q=", {"q": "invalid_format"}),
        ("q=+", {"q": "invalid_format"}),
        ("q=%00", {"q": "invalid_format"}),
        ("q=12345678901", {"q": "invalid_format"}),
        ("status=OPEN", {"status": "invalid_choice"}),
        ("recent=1", {"recent": "invalid_choice"}),
        ("since=2026-02-30", {"since": "invalid_format"}),
        ("since=2026-W08-6", {"since": "invalid_format"}),
        ("q=%ff", {"query": "malformed_query"}),
        ("&".join(f"a{at}=1" for at in range(MAX_PARAMETERS + 1)), {"query": "malformed_query"}),
    ],
)
def test_a_wrong_query_is_refused_by_name(query: str, errors: dict[str, str]) -> None:
    assert refused(query) == errors


def test_everything_that_is_wrong_is_said_at_once() -> None:
    assert set(refused("limit=0&status=gone&nonsense=1&since=yesterday")) == {
        "limit",
        "status",
        "nonsense",
        "since",
    }


def test_a_misspelt_name_is_answered_with_the_right_one() -> None:
    with pytest.raises(ApiError) as caught:
        read("limt=7")
    assert "Did you mean `limit`?" in caught.value.errors[0].message


@given(st.text(max_size=40))
def test_no_query_string_does_anything_but_answer_or_refuse(raw: str) -> None:
    for query in (raw, quote(raw), "q=" + quote(raw), "limit=" + quote(raw)):
        request = RequestFactory().get("/")
        request.META["QUERY_STRING"] = query
        with contextlib.suppress(ApiError):
            read_query(request, ALL)


def test_a_query_with_a_private_parameter_is_known_however_it_is_spelt() -> None:
    def private(query: str) -> bool:
        return parameters.is_private(RequestFactory().get("/?" + query), ALL)

    assert private("serial=SN4711")
    assert private("q=x&%73erial=SN4711")
    assert not private("q=serial")


def test_a_query_shows_no_value_in_its_text() -> None:
    assert "SN4711" not in repr(read("serial=SN4711"))


def test_the_schema_of_a_parameter_says_what_it_takes() -> None:
    schemas: dict[str, Any] = {parameter.name: dict(parameter.schema) for parameter in ALL}
    assert schemas["limit"] == {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}
    assert schemas["status"] == {"type": "string", "enum": ["open", "closed"]}
    assert schemas["since"] == {"type": "string", "format": "date"}
