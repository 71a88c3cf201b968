"""Whoever judges the answers of `make chaos` sees what is wrong with them."""

import base64
import datetime
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from aeo.web.documents import hash_of
from checks.chaos.judging import judge
from checks.chaos.load import Ask, Heard
from checks.chaos.oracle import SWAP_SECONDS, Oracle, Release
from tests.support.starter import RULESET_VERSION, published, starter_content, starter_release

NOON = datetime.datetime(2026, 11, 22, 12, tzinfo=datetime.UTC)
ASK = Ask(
    "verify",
    "/api/verify",
    json.dumps({"model_id": "anker-a1289", "trip": {"origin": "NZ", "destination": "AU", "airline": "NZ"}}),
)
PAGE = Ask("get", "/about")


@pytest.fixture
def oracle() -> Oracle:
    """It knows the starter corpus, published in the morning, and one page of it."""
    oracle = Oracle("", {("/about", "content"): b"This is <release content>."})
    oracle.releases[RULESET_VERSION] = Release(starter_release(), "content", NOON.timestamp() - 3600)
    return oracle


def answer(oracle: Oracle) -> Heard:
    """Return the right answer to a question at noon."""
    heard = Heard(ASK, NOON.timestamp(), NOON.timestamp() + 0.1, 200)
    return replace(heard, body=oracle._answer(heard, starter_release(), NOON))


def wrong(oracle: Oracle, heard: Heard) -> list[str]:
    """Return what is said against an answer that is not refused."""
    return list(judge([heard], oracle, kills=False, limited=False).complaints)


def test_a_right_answer_is_right_and_its_id_is_looked_for_in_the_log(oracle: Oracle) -> None:
    found = judge([answer(oracle)], oracle, kills=False, limited=False)
    assert (found.requests, found.right, found.wrong, found.undocumented) == (1, 1, 0, 0)
    assert found.recorded == [json.loads(answer(oracle).body)["verdict_id"]]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("verdict", "banned"),
        ("verdict_id", "vdt_" + "a" * 26),
        ("summary", "Take it along."),
        ("ruleset_version", "2026-11-21"),
        ("generated_at", "2026-11-22T11:00:00Z"),
        ("expires_at", "2026-11-24T12:00:00Z"),
        ("expires_at", "2026-11-22T12:00:00Z"),
    ],
)
def test_one_field_that_is_not_right_makes_an_answer_wrong(oracle: Oracle, name: str, value: str) -> None:
    right = answer(oracle)
    body = json.loads(right.body)
    assert body[name] != value
    found = judge(
        [replace(right, body=json.dumps(body | {name: value}).encode())], oracle, kills=False, limited=False
    )
    assert (found.right, found.wrong) == (0, 1)


def test_a_release_that_was_followed_by_another_may_answer_for_a_moment_alone(oracle: Oracle) -> None:
    right = answer(oracle)
    other = published(starter_content(), "2026-11-22")
    oracle.releases["2026-11-22"] = Release(other, "content", NOON.timestamp() - SWAP_SECONDS + 1)
    assert wrong(oracle, right) == []
    oracle.releases["2026-11-22"].since -= 2
    assert wrong(oracle, right) == [f"release {RULESET_VERSION} is not current"]


def test_a_page_is_compared_to_the_byte(oracle: Oracle) -> None:
    page = Heard(PAGE, NOON.timestamp(), NOON.timestamp(), 200, {}, f"This is {RULESET_VERSION}.".encode())
    oracle.calm["/about", "content"] = oracle._plain(page.body)
    assert wrong(oracle, page) == []
    assert wrong(oracle, replace(page, status=304)) == []
    assert wrong(oracle, replace(page, body=b"This is it.")) != []


def test_what_depends_on_the_release_alone_is_compared_by_what_it_stands_for(oracle: Oracle) -> None:
    manifest: dict[str, Any] = {
        "counts": {"guides": 1},
        "content_hash": "",
        "generated_at": "2026-11-22T11:00:00Z",
    }

    def plain(body: Mapping[str, object]) -> bytes:
        return oracle._plain(json.dumps(body, separators=(",", ":")).encode())

    def hashed(body: dict[str, Any]) -> dict[str, Any]:
        return body | {"content_hash": hash_of(body)}

    assert b"<its hash>" in plain(hashed(manifest))
    assert plain(hashed(manifest)) == plain(hashed(manifest | {"generated_at": "2026-11-22T12:00:00Z"}))
    # A hash that is not that of what is said stays, and so differs from every other.
    assert plain(hashed(manifest) | {"counts": {}}) != plain(hashed(manifest | {"counts": {}}))
    fifty, other_fifty, hundred = (
        {"next_cursor": base64.urlsafe_b64encode(sealed).decode().rstrip("=")}
        for sealed in (b"50.3f8a9c1e7b2d", b"50.0123456789ab", b"100.3f8a9c1e7b2d")
    )
    assert plain(fifty) == plain(other_fifty) == b'{"next_cursor":"<cursor at 50>"}'
    assert plain(fifty) != plain(hundred)


def test_the_documented_503_is_no_error_and_all_others_are(oracle: Oracle) -> None:
    refused = Heard(
        ASK,
        NOON.timestamp(),
        NOON.timestamp(),
        503,
        {"retry-after": "5", "content-type": "application/problem+json"},
        b'{"code": "SERVICE_UNAVAILABLE"}',
    )
    assert judge([refused], oracle, kills=False, limited=False).refused == 1
    for other in (
        replace(refused, status=500),
        replace(refused, status=429),
        replace(refused, body=b'{"code": "INTERNAL_ERROR"}'),
        replace(refused, headers={"content-type": "application/problem+json"}),
        replace(refused, headers=refused.headers | {"retry-after": "-3"}),
        replace(refused, headers=refused.headers | {"cache-control": "max-age=-1"}),
    ):
        assert judge([other], oracle, kills=False, limited=False).undocumented == 1


def test_a_connection_may_break_off_where_processes_are_killed_and_nowhere_else(oracle: Oracle) -> None:
    broken = Heard(ASK, NOON.timestamp(), NOON.timestamp(), broken="cut off: ConnectionResetError")
    silent = replace(broken, broken="timed out")
    assert judge([broken], oracle, kills=True, limited=False).cut_off == 1
    assert judge([broken], oracle, kills=False, limited=False).undocumented == 1
    assert judge([silent], oracle, kills=True, limited=False).undocumented == 1
