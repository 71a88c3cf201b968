"""From a real publish to an answer: what the tables hold is read once, and never again for a verdict."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.conf import LazySettings
from django.test import Client

from rules import corpus
from rules.publishing.actions.releases import publish_release
from tests.support.api_requests import TRIPS, VERIFY, answer, post, problem
from tests.support.factories import a_user
from tests.support.starter import NOW
from tests.support.world import build_world

NORTH_TO_SOUTH = {"origin": "XA", "destination": "XB", "airline": "N1"}


@pytest.fixture
def empty_memory(db: None, monkeypatch: pytest.MonkeyPatch, settings: LazySettings) -> None:
    """A process that holds no release yet and follows none."""
    settings.CORPUS_POLL_SECONDS = 0
    monkeypatch.setattr(corpus, "_current", None)
    monkeypatch.setattr(corpus, "_cached", None)


@pytest.mark.usefixtures("empty_memory")
def test_without_a_release_the_service_says_when_to_ask_again(client: Client) -> None:
    body = {"model_id": "lynx-27k", "trip": NORTH_TO_SOUTH}
    response = post(client, VERIFY, body)
    assert (response.status_code, problem(response)["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert int(response["Retry-After"]) > 0


@pytest.mark.usefixtures("empty_memory")
def test_a_published_release_answers_without_a_query(
    client: Client, django_assert_num_queries: Callable[[int], AbstractContextManager[None]]
) -> None:
    build_world(by=a_user())
    release = publish_release(by=a_user("publisher"), note="The drawn world.", now=NOW, cases=())
    leg = {"model_id": "lynx-27k", "trip": NORTH_TO_SOUTH}
    trip = {"device": {"model_id": "puma-30k"}, "trip": {**NORTH_TO_SOUTH, "transit": ["XC"]}}
    first = answer(client, VERIFY, leg)
    assert first["ruleset_version"] == release.ruleset_version
    assert first["verdict"] == "allowed"
    with django_assert_num_queries(0):
        assert answer(client, VERIFY, leg)["verdict"] == "allowed"
        assert answer(client, TRIPS, trip)["verdict"] == "conditional"
        assert post(client, VERIFY, {**leg, "model_id": "tiger-1"}).status_code == 404
        assert post(client, VERIFY, {**leg, "ruleset_version": "2020-01-01"}).status_code == 400
