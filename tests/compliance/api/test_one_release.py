"""A request takes the release once, so the question is read and answered by the same one."""

import pytest
from django.test import Client

from rules import corpus
from rules.corpus import Published
from tests.support.agent_client import CALLS, tool_result
from tests.support.api_requests import TRIPS, VERIFY, a_request, a_trip, answer
from tests.support.starter import published, starter_content


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch, starter_release: Published) -> list[str]:
    """The versions of the releases that were taken: after the first, another one is current."""
    releases = iter([starter_release, published(starter_content(), "2026-11-22")])
    versions: list[str] = []

    def next_release() -> Published:
        release = next(releases)
        versions.append(release.ruleset_version)
        return release

    monkeypatch.setattr(corpus, "current", next_release)
    return versions


@pytest.mark.usefixtures("asked_now")
@pytest.mark.parametrize(("path", "body"), [(VERIFY, a_request()), (TRIPS, a_trip())])
def test_the_current_release_is_taken_once(
    client: Client, taken: list[str], path: str, body: dict[str, object]
) -> None:
    given = answer(client, path, {**body, "ruleset_version": "2026-11-20"})
    assert given["ruleset_version"] == "2026-11-20"
    assert taken == ["2026-11-20"]


@pytest.mark.usefixtures("asked_now")
@pytest.mark.parametrize("tool", ["verify_power_bank", "verify_trip", "verify_itinerary"])
def test_a_tool_takes_the_current_release_once(client: Client, taken: list[str], tool: str) -> None:
    assert tool_result(client, tool, **CALLS[tool])["answer"]["ruleset_version"] == "2026-11-20"
    assert taken == ["2026-11-20"]
