"""A caller says how much evidence an answer lists. Nothing else of the answer depends on it."""

import json
from typing import Any

import pytest
from django.test import Client

from rules.corpus import Published
from tests.support.api_callers import a_client
from tests.support.api_requests import (
    BATCH,
    ITINERARIES,
    ITINERARY_BATCH,
    TRIPS,
    VERIFY,
    a_request,
    a_trip,
    answer,
    post,
    problem,
)

EMIRATES = {"origin": "AE", "destination": "GB", "airline": "EK"}
MAINLAND = {"origin": "CN", "destination": "CN", "airline": "CA"}

QUESTIONS = {
    "allowed": a_request(EMIRATES),
    "conditional": a_request(MAINLAND),
    "conditional by facts": a_request(model_id="anker-a1263"),
    "banned": a_request(EMIRATES, quantity=2),
    "banned by facts": a_request(model_id="anker-a1263", recall_check="affected"),
    "insufficient": a_request(model_id="anker-a1680"),
}

pytestmark = pytest.mark.usefixtures("asked_now")


@pytest.fixture(name="client")
def _client() -> Client:
    return a_client()


def with_citations(body: dict[str, Any], wanted: str) -> dict[str, Any]:
    return {**body, "options": {"citations": wanted}}


def an_itinerary(question: dict[str, Any]) -> dict[str, Any]:
    """The same question as an itinerary, next to a unit that is known by its label."""
    item = {name: value for name, value in question.items() if name != "trip"}
    trip = question["trip"]
    flight = {
        **{name: trip[name] for name in ("origin", "destination")},
        "operating_airline": trip["airline"],
    }
    items = [item, {"label": {"watt_hour": 50}}]
    return {"passengers": 2, "items": items, "segments": [flight]}


def sources_of(client: Client, **about: str) -> list[Any]:
    found = json.loads(client.get("/api/sources", about).content)["sources"]
    return [(one["authority"], one["url"]) for one in found]


@pytest.mark.parametrize("asked", QUESTIONS)
def test_only_the_list_of_citations_depends_on_it(client: Client, asked: str) -> None:
    for path, body in ((VERIFY, QUESTIONS[asked]), (ITINERARIES, an_itinerary(QUESTIONS[asked]))):
        unasked = answer(client, path, body)
        assert unasked["citations"]
        assert answer(client, path, with_citations(body, "full")) == unasked
        none = answer(client, path, with_citations(body, "none"))
        assert none == {**unasked, "citations": []}
        deciding = answer(client, path, with_citations(body, "deciding"))
        assert {**deciding, "citations": unasked["citations"]} == unasked
        kept = iter(unasked["citations"])
        assert all(one in kept for one in deciding["citations"]), "a citation more, or in another order"
        assert 0 < len(deciding["citations"]) < len(unasked["citations"])


def test_of_a_ban_the_sources_of_the_rules_that_ban_are_listed(client: Client) -> None:
    body = answer(client, VERIFY, with_citations(QUESTIONS["banned"], "deciding"))
    named = [(one["authority"], one["url"]) for one in body["citations"]]
    of_model = sources_of(client, model_id="anker-a1289")
    assert set(named) == {*of_model, *sources_of(client, rule_id="ek.max-units")}


def test_of_a_demand_the_sources_of_the_rules_that_demand_it_are_listed(client: Client) -> None:
    body = answer(client, VERIFY, with_citations(QUESTIONS["conditional"], "deciding"))
    [mark] = [one for one in body["constraints"] if one["code"] == "ccc_mark_required"]
    named = {(one["authority"], one["url"]) for one in body["citations"]}
    for rule_id in mark["rule_ids"]:
        assert named >= {*sources_of(client, rule_id=rule_id)}


def test_of_a_recall_the_sources_of_the_model_are_listed_and_no_permit(client: Client) -> None:
    body = answer(client, VERIFY, with_citations(QUESTIONS["banned by facts"], "deciding"))
    assert body["constraints"][0]["code"] == "recalled_not_permitted"
    of_model = sources_of(client, model_id="anker-a1263")
    assert {(one["authority"], one["url"]) for one in body["citations"]} <= {*of_model}


def test_a_permission_rests_on_the_rules_that_permit(client: Client, asked_now: Published) -> None:
    body = answer(client, VERIFY, with_citations(QUESTIONS["allowed"], "deciding"))
    named = {(one["authority"], one["url"]) for one in body["citations"]}
    permits = [
        one.rule_id
        for one in asked_now.corpus.content.rules
        if one.rule_id in body["verdict_path"] and one.effect == "permit"
    ]
    assert len(permits) >= 2
    for rule_id in permits:
        assert named >= {*sources_of(client, rule_id=rule_id)}


@pytest.mark.parametrize("path", [BATCH, ITINERARY_BATCH])
def test_a_batch_takes_it_for_all_and_each_question_for_itself(client: Client, path: str) -> None:
    alone, bare = (
        (VERIFY, QUESTIONS["allowed"]) if path == BATCH else (ITINERARIES, an_itinerary(QUESTIONS["allowed"]))
    )
    items = [bare, with_citations(bare, "full"), with_citations(bare, "deciding")]
    batch = answer(client, path, {"items": items, "options": {"citations": "none"}})
    for item, wanted in zip(batch["items"], ("none", "full", "deciding"), strict=True):
        assert item["answer"] == answer(client, alone, with_citations(bare, wanted))


def test_what_lists_no_citations_does_not_know_it_and_a_misspelt_one_is_refused(client: Client) -> None:
    watched = {**an_itinerary(QUESTIONS["allowed"])}
    for path, body in ((TRIPS, a_trip()), ("/api/watches", a_trip()), ("/api/watches", watched)):
        [error] = problem(post(client, path, with_citations(body, "none")))["errors"]
        assert (error["field"], error["code"]) == ("options.citations", "unknown_field")
    for path, body in ((VERIFY, a_request()), (BATCH, {"items": [a_request()]})):
        [error] = problem(post(client, path, with_citations(body, "some")))["errors"]
        assert (error["field"], error["code"]) == ("options.citations", "invalid_choice")
