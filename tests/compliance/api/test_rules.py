"""What an integrator relies on when looking up rules: all that are in force, as verdicts apply them."""

import datetime
from typing import Any, get_args

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.search.words import pieces
from rules.corpus import Published
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Leg, Question, Rule, Unit
from rules.engine.vocabulary import CODES, Compartment, Effect
from tests.compliance.api.reading import read, walk
from tests.support import door
from tests.support.api_requests import VERIFY, a_request, answer, errors, problem
from tests.support.starter import NOW, starter_content

RULES = "/api/rules"
TODAY = NOW.date()
OVER = "intl.icao.max-20-until-2026"

pytestmark = pytest.mark.usefixtures("asked_now")


def in_force(day: datetime.date = TODAY) -> list[Rule]:
    rules = sorted(starter_content().rules, key=lambda rule: rule.rule_id)
    return [rule for rule in rules if rule.in_force(day)]


def found(client: Client, **query: Any) -> list[str]:
    return [rule["rule_id"] for rule in walk(client, RULES, "rules", **query)]


# --- Finding ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [60, 200])
def test_a_walk_lists_every_rule_in_force_today_exactly_once(client: Client, limit: int) -> None:
    assert found(client, limit=limit) == [rule.rule_id for rule in in_force()]
    first = read(client, RULES, limit=limit)
    assert first["total"] == len(in_force())
    assert first["in_force_on"] == TODAY.isoformat()


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    asked=st.fixed_dictionaries(
        {},
        optional={
            "airline": st.sampled_from(sorted(row.airline for row in starter_content().airlines)),
            "jurisdiction": st.sampled_from(["CN", "JP", "EU", "INTL", "US", "AE", "AQ"]),
            "code": st.sampled_from(sorted(name for name, code in CODES.items() if code.from_rules)),
            "effect": st.sampled_from(get_args(Effect)),
            "in_force_on": st.sampled_from(
                ["2024-01-01", "2025-07-08", "2026-03-26", "2026-03-27", "2030-01-01"]
            ),
        },
    )
)
def test_filters_list_what_the_release_holds(client: Client, asked: dict[str, str]) -> None:
    day = datetime.date.fromisoformat(asked.get("in_force_on", TODAY.isoformat()))
    names = [name for name in asked if name != "in_force_on"]
    assert found(client, **asked) == [
        rule.rule_id for rule in in_force(day) if all(getattr(rule, name) == asked[name] for name in names)
    ]


@pytest.mark.parametrize(
    "q", ["overhead bin", "EMIRATES", "ek.max-units", "aerolineas", "160", "bin zebra", "?"]
)
def test_a_search_lists_the_rules_that_mention_all_words(client: Client, q: str) -> None:
    words = pieces(q)
    mentioned = [
        rule.rule_id
        for rule in in_force()
        if words
        and all(word in " ".join(pieces(f"{rule.rule_id} {rule.authority} {rule.summary}")) for word in words)
    ]
    assert found(client, q=q) == mentioned
    assert bool(mentioned) is (q not in {"bin zebra", "?"})


def test_a_rule_that_is_over_is_found_by_its_id_and_by_its_days(client: Client) -> None:
    assert OVER not in found(client)
    assert OVER in found(client, in_force_on="2026-03-26", jurisdiction="INTL")
    assert OVER not in found(client, in_force_on="2026-03-27", jurisdiction="INTL")
    assert read(client, f"{RULES}/{OVER}")["in_force"] is False


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ({"jurisdiction": "QQ"}, {"jurisdiction": "unknown_jurisdiction"}),
        ({"jurisdiction": "jp"}, {"jurisdiction": "invalid_format"}),
        ({"airline": "ek"}, {"airline": "invalid_format"}),
        ({"code": "evidence_stale"}, {"code": "invalid_choice"}),
        ({"effect": "forbid"}, {"effect": "invalid_choice"}),
        ({"in_force_on": "today"}, {"in_force_on": "invalid_format"}),
        ({"language": "tlh"}, {"language": "invalid_choice"}),
        ({"juristiction": "JP"}, {"juristiction": "unknown_parameter"}),
        ({"cursor": "x"}, {"cursor": "stale_cursor"}),
    ],
)
def test_a_query_that_cannot_be_meant_is_an_error(
    client: Client, query: dict[str, str], wrong: dict[str, str]
) -> None:
    assert errors(client.get(RULES, query)) == wrong


def test_an_airline_that_is_not_there_is_an_error_and_one_without_rules_is_not(client: Client) -> None:
    response = client.get(RULES, {"airline": "XX"})
    assert response.status_code == 404
    assert problem(response)["code"] == "AIRLINE_NOT_COVERED"
    assert found(client, airline="NK") == []


# --- One rule ---------------------------------------------------------------------------------------------


def test_every_rule_of_the_release_is_read_by_its_id_as_it_is_listed(
    client: Client, asked_now: Published
) -> None:
    listed = {rule["rule_id"]: rule for rule in walk(client, RULES, "rules", limit=200)}
    for rule in asked_now.corpus.content.rules:
        one = read(client, f"{RULES}/{rule.rule_id}")
        assert one.pop("ruleset_version") == asked_now.ruleset_version
        assert one["in_force"] is rule.in_force(TODAY) is (rule.rule_id in listed)
        assert one == listed.get(rule.rule_id, one)


@pytest.mark.parametrize("rule_id", ["nope", "ek.max-units.extra", "EK.MAX-UNITS", "%C3%9F"])
def test_a_rule_that_is_not_there_is_an_error(client: Client, rule_id: str) -> None:
    response = client.get(f"{RULES}/{rule_id}")
    assert response.status_code == 404
    assert problem(response)["code"] == "NOT_FOUND"


def asked_everywhere(release: Published) -> set[str]:
    """The rules that verdicts apply to small and large units on many routes of every airline."""
    applied: set[str] = set()
    for airline in release.corpus.content.airlines:
        for model_id in ("anker-a1289", "anker-a1263", "anker-a1340"):
            for origin, destination in (
                (airline.country,) * 2,
                (airline.country, "CN"),
                ("JP", airline.country),
            ):
                for compartment in get_args(Compartment):
                    question = Question(
                        unit=Unit(model_id=model_id, quantity=3),
                        leg=Leg(origin, destination, airline.airline),
                        travel_date=TODAY,
                        compartment_intent=compartment,
                    )
                    try:
                        outcome = door.verify(question, now=NOW).outcome
                    except AirlineNotCovered:
                        continue
                    applied |= set(outcome.path[2:-1])
    return applied


def test_every_rule_that_a_verdict_applies_can_be_read(client: Client, asked_now: Published) -> None:
    applied = asked_everywhere(asked_now)
    assert len(applied) > 700
    assert applied <= set(found(client, limit=200))


def test_a_rule_says_what_a_traveler_reads_in_a_verdict(client: Client) -> None:
    body = answer(client, VERIFY, a_request({"origin": "AE", "destination": "GB", "airline": "EK"}))
    rules = [read(client, f"{RULES}/{rule_id}") for rule_id in body["verdict_path"][2:-1]]
    said = {rule["message"] for rule in rules}
    assert body["constraints"]
    assert {constraint["message"] for constraint in body["constraints"]} <= said
    cited = [citation for rule in rules for citation in rule["citations"]]
    assert all(citation in body["citations"] for citation in cited)


# --- What a rule shows ------------------------------------------------------------------------------------


def test_a_rule_shows_what_editors_typed(client: Client) -> None:
    typed = {rule.rule_id: rule for rule in in_force()}
    for shown in walk(client, RULES, "rules", limit=200):
        rule = typed[shown["rule_id"]]
        for name in (
            "issuer",
            "authority",
            "jurisdiction",
            "airline",
            "effect",
            "code",
            "summary",
            "confidence",
        ):
            assert shown[name] == getattr(rule, name)
        assert shown["applies"] == list(rule.applies)
        for name in ("effective_from", "effective_until"):
            day = getattr(rule, name)
            assert shown[name] == (None if day is None else day.isoformat())


def test_a_rule_shows_the_conditions_that_it_has_as_numbers_and_no_others(client: Client) -> None:
    shown = read(client, f"{RULES}/sq.approval-100-160wh")
    assert shown["when"] == {
        "watt_hour_over": 100,
        "watt_hour_up_to": 160,
        "compartment": ["carry_on", "on_person"],
    }
    assert shown["params"] == {}
    assert read(client, f"{RULES}/sq.over-160wh")["params"] == {"limit_watt_hour": 160}
    assert read(client, f"{RULES}/sq.max-units")["params"] == {"max_units": 2}


def test_a_permit_says_nothing_and_everything_else_has_a_code_a_nature_and_a_sentence(client: Client) -> None:
    for rule in walk(client, RULES, "rules", limit=200):
        says = [rule["code"], rule["nature"], rule["message"]]
        assert says == [None] * 3 if rule["effect"] == "permit" else all(says)
        assert rule["citations"]


def test_the_sentence_holds_the_rules_own_numbers(client: Client) -> None:
    assert read(client, f"{RULES}/ek.max-units")["message"] == "At most 1 power bank per passenger."
    assert read(client, f"{RULES}/ke.max-units-over-100wh")["message"] == (
        "At most 2 power banks over 100 Wh per passenger."
    )
