"""What an integrator relies on when looking up evidence: all of it, each piece for what it is."""

from typing import Any, get_args

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.records import SourceBasis, SourceKind
from rules.corpus import Published
from rules.engine.document import Content
from rules.engine.facts import Source
from tests.compliance.api.reading import read, walk
from tests.support.api_requests import VERIFY, a_request, answer, errors, problem
from tests.support.starter import starter_content

SOURCES = "/api/sources"

pytestmark = pytest.mark.usefixtures("asked_now")


def found(client: Client, **query: Any) -> list[str]:
    return [source["source_id"] for source in walk(client, SOURCES, "sources", **query)]


def behind(content: Content, asked: dict[str, str]) -> set[str]:
    """The ids of all sources behind the model, the rule and the airline that are asked about."""
    names = {source.id for source in content.sources}
    if "model_id" in asked:
        model_id = asked["model_id"]
        of_facts = {name for row in content.devices if row.model_id == model_id for name in row.sources}
        of_recalls = {name for row in content.recalls if row.model_id == model_id for name in row.sources}
        names &= of_facts | of_recalls
    if "rule_id" in asked:
        names &= {name for rule in content.rules if rule.rule_id == asked["rule_id"] for name in rule.sources}
    if "airline" in asked:
        airline = next(row for row in content.airlines if row.airline == asked["airline"])
        rules = [rule for rule in content.rules if rule.airline == airline.airline]
        names &= {
            *airline.sources,
            *(change.source for change in airline.changes),
            *(name for rule in rules for name in rule.sources),
        }
    return names


def matches(source: Source, asked: dict[str, str]) -> bool:
    names = [name for name in ("kind", "jurisdiction", "basis") if name in asked]
    return all(getattr(source, name) == asked[name] for name in names)


@pytest.mark.parametrize("limit", [45, 200])
def test_a_walk_lists_every_source_of_the_release_exactly_once(client: Client, limit: int) -> None:
    everything = sorted(source.id for source in starter_content().sources)
    assert found(client, limit=limit) == everything
    assert read(client, SOURCES, limit=limit)["total"] == len(everything)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    asked=st.fixed_dictionaries(
        {},
        optional={
            "model_id": st.sampled_from(sorted({row.model_id for row in starter_content().recalls})),
            "rule_id": st.sampled_from(sorted(row.rule_id for row in starter_content().rules)),
            "airline": st.sampled_from(sorted(row.airline for row in starter_content().airlines)),
            "kind": st.sampled_from(get_args(SourceKind)),
            "basis": st.sampled_from(get_args(SourceBasis)),
            "jurisdiction": st.sampled_from(["CN", "JP", "INTL", "US", "UA", "AQ"]),
        },
    )
)
def test_filters_list_what_the_release_holds(client: Client, asked: dict[str, str]) -> None:
    content = starter_content()
    names = behind(content, asked)
    expected = [source.id for source in content.sources if source.id in names and matches(source, asked)]
    assert found(client, **asked) == sorted(expected)


def test_the_evidence_of_a_model_is_that_of_its_facts_and_of_its_recalls(
    client: Client, asked_now: Published
) -> None:
    for row in asked_now.corpus.content.devices:
        assert set(found(client, model_id=row.model_id)) == behind(
            asked_now.corpus.content, {"model_id": row.model_id}
        )


def test_all_that_a_verdict_cites_is_found_by_its_model_and_its_rules(client: Client) -> None:
    body = answer(client, VERIFY, a_request({"airline": "EK"}, model_id="anker-a1263"))
    evidence = walk(client, SOURCES, "sources", model_id="anker-a1263")
    for rule_id in body["verdict_path"][2:-1]:
        evidence += walk(client, SOURCES, "sources", rule_id=rule_id)
    cited = {(one["kind"], one["authority"], one["url"], one["pulled_at"]) for one in body["citations"]}
    assert cited == {
        (one["kind"], one["authority"], one["url"], one["pulled_at"]) for one in evidence if one["citable"]
    }


def test_what_no_one_read_is_marked_has_no_day_of_reading_and_is_cited_nowhere(client: Client) -> None:
    for source in walk(client, SOURCES, "sources", limit=200):
        was_read = source["basis"] != "general_knowledge"
        assert source["citable"] is was_read
        assert (source["pulled_at"] is not None) is was_read
    pointers = {source["url"] for source in walk(client, SOURCES, "sources", basis="general_knowledge")}
    read_pages = {source["url"] for source in walk(client, SOURCES, "sources") if source["citable"]}
    cited = {
        cited["url"] for rule in walk(client, "/api/rules", "rules", limit=200) for cited in rule["citations"]
    }
    assert pointers - read_pages
    assert not cited & (pointers - read_pages)


def test_a_source_counts_the_records_that_rest_on_it(client: Client, asked_now: Published) -> None:
    content = asked_now.corpus.content
    for shown in walk(client, SOURCES, "sources", limit=200):
        name = shown["source_id"]
        airlines = [
            airline
            for airline in content.airlines
            if name in airline.sources or name in [change.source for change in airline.changes]
        ]
        assert shown["used_by"] == {
            "rules": sum(name in rule.sources for rule in content.rules),
            "recalls": sum(name in recall.sources for recall in content.recalls),
            "devices": sum(name in device.sources for device in content.devices),
            "airlines": len(airlines),
        }


def test_a_source_shows_what_editors_typed(client: Client, asked_now: Published) -> None:
    for shown in walk(client, SOURCES, "sources", limit=200):
        source = asked_now.shelf.sources[shown["source_id"]]
        for name in ("kind", "authority", "jurisdiction", "url", "title", "basis", "read_url"):
            assert shown[name] == getattr(source, name)
        assert shown["page_date"] == (None if source.page_date is None else source.page_date.isoformat())
        if shown["citable"]:
            assert shown["pulled_at"] == source.read_on.isoformat()


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"model_id": "anker-a0000"}, "MODEL_NOT_FOUND"),
        ({"airline": "XX"}, "AIRLINE_NOT_COVERED"),
        ({"rule_id": "ek.no-such-rule"}, "NOT_FOUND"),
    ],
)
def test_a_filter_that_names_no_record_is_an_error_and_no_empty_list(
    client: Client, query: dict[str, str], code: str
) -> None:
    response = client.get(SOURCES, query)
    assert response.status_code == 404
    assert problem(response)["code"] == code


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ({"model_id": "Anker A1263"}, {"model_id": "invalid_format"}),
        ({"rule_id": "ek"}, {"rule_id": "invalid_format"}),
        ({"kind": "blog"}, {"kind": "invalid_choice"}),
        ({"basis": "guess"}, {"basis": "invalid_choice"}),
        ({"jurisdiction": "QQ"}, {"jurisdiction": "unknown_jurisdiction"}),
        ({"source_id": "x"}, {"source_id": "unknown_parameter"}),
        ({"cursor": "x"}, {"cursor": "stale_cursor"}),
    ],
)
def test_a_query_that_cannot_be_meant_is_an_error(
    client: Client, query: dict[str, str], wrong: dict[str, str]
) -> None:
    assert errors(client.get(SOURCES, query)) == wrong
