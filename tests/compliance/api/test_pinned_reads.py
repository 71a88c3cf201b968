"""A read that pins a ruleset gets an answer of that ruleset, or an error that names the current one."""

import pytest
from django.test import Client

from tests.compliance.api.reading import read
from tests.support.api_requests import errors, problem
from tests.support.public_addresses import READS
from tests.support.starter import published, starter_content

pytestmark = pytest.mark.usefixtures("asked_now")

OF_RULESETS = [address for address in READS if address.startswith("/api/")]


@pytest.mark.parametrize("address", OF_RULESETS)
def test_the_current_version_changes_nothing(client: Client, address: str) -> None:
    path, _, query = address.partition("?")
    asked = dict([query.split("=")]) if query else {}
    pinned = read(client, path, **asked, ruleset_version="2026-11-20")
    plain = read(client, path, **asked)
    # A cursor belongs to one query.
    assert {name: pinned[name] for name in pinned if name != "next_cursor"} == {
        name: plain[name] for name in plain if name != "next_cursor"
    }


@pytest.mark.parametrize("address", OF_RULESETS)
def test_another_version_is_refused_and_the_current_one_named(client: Client, address: str) -> None:
    path = address.partition("?")[0]
    refused = problem(client.get(path, {"ruleset_version": "2020-01-01"}))
    assert (refused["status"], refused["code"]) == (400, "RULESET_VERSION_NOT_CURRENT")
    assert "2026-11-20" in refused["detail"]
    assert [error["field"] for error in refused["errors"]] == ["ruleset_version"]


def test_a_copy_of_an_earlier_ruleset_is_not_called_valid(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned = "/api/rules?limit=1&ruleset_version=2026-11-20"
    etag = client.get(pinned)["ETag"]
    assert client.get(pinned, headers={"if-none-match": etag}).status_code == 304
    monkeypatch.setattr("rules.corpus._current", published(starter_content(), "2026-11-21"))
    for headers in ({"if-none-match": etag}, {"if-none-match": "*"}, {}):
        assert client.get(pinned, headers=headers).status_code == 400


def test_a_version_that_is_none_is_an_error(client: Client) -> None:
    assert errors(client.get("/api/rules?ruleset_version=")) == {"ruleset_version": "invalid_format"}
