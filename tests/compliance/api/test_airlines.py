"""What an integrator relies on when looking up airlines: all of them, by code or name, at two depths."""

import datetime
import json
import unicodedata
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from django.test import Client

from rules.corpus import Published
from rules.engine.document import Content
from rules.engine.facts import Airline, PolicyChange
from rules.policy_history import selectors
from rules.selectors.policy_fields import policy_fields
from tests.compliance.api.reading import read, walk
from tests.support.api_requests import VERIFY, a_request, errors, post, problem
from tests.support.factories import a_country, a_jurisdiction, a_rule, a_source, an_airline
from tests.support.partner_depth import ask_as_partner
from tests.support.starter import NOW, published

AIRLINES = "/api/airlines"

PREVIEW = {
    "airline",
    "icao",
    "name",
    "country",
    "confidence",
    "policy_read",
    "policy_read_on",
    "summary",
    "policy_url",
    "last_checked",
    "rule_count",
    "covered",
}
COUNTED = {"depth", "ruleset_version", "total_changes", "change_counts"}
DEEP = {"effective_from", "policy_fields", "rules", "change_log", "notes", "citations"}

pytestmark = pytest.mark.usefixtures("asked_now")


def airlines(release: Published) -> list[Airline]:
    return sorted(release.corpus.content.airlines, key=lambda airline: airline.airline)


def found(client: Client, **query: Any) -> list[str]:
    return [airline["airline"] for airline in walk(client, AIRLINES, "airlines", **query)]


def answer_from(monkeypatch: pytest.MonkeyPatch, **records: Any) -> None:
    """Let the process answer from a release with these records and a few sources."""
    content = Content(
        countries=(a_country(),),
        jurisdictions=(a_jurisdiction(),),
        sources=(
            a_source(),
            a_source(id="older", read_on=datetime.date(2025, 12, 31)),
            a_source(id="old", read_on=datetime.date(2026, 1, 2)),
            a_source(id="never", basis="general_knowledge", read_on=datetime.date(2026, 11, 21)),
        ),
        **records,
    )
    release = published(content)
    monkeypatch.setattr("rules.corpus._current", release)
    selectors.starts_with(release)


# --- Finding ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [7, 50, 200])
def test_all_airlines_are_listed_once_by_code_whatever_the_size_of_a_page(
    client: Client, asked_now: Published, limit: int
) -> None:
    assert found(client, limit=limit) == [airline.airline for airline in airlines(asked_now)]
    assert read(client, AIRLINES, limit=limit)["total"] == len(airlines(asked_now))


def test_an_airline_comes_first_by_its_code_in_any_case(client: Client, asked_now: Published) -> None:
    for airline in airlines(asked_now):
        for code in (airline.airline, airline.airline.lower(), airline.icao, airline.icao.lower()):
            assert found(client, q=code)[0] == airline.airline, code


def test_an_airline_is_found_by_its_name_without_case_accents_and_spaces(
    client: Client, asked_now: Published
) -> None:
    for airline in airlines(asked_now):
        plain = unicodedata.normalize("NFKD", airline.name).encode("ascii", "ignore").decode()
        for name in (airline.name, plain.lower(), plain.replace(" ", "").upper()):
            assert airline.airline in found(client, q=name), name


def test_a_name_that_begins_with_the_words_comes_before_one_that_holds_them(
    client: Client, asked_now: Published
) -> None:
    names = {airline.airline: airline.name for airline in airlines(asked_now)}
    begins = [names[code].startswith("China") for code in found(client, q="china")]
    assert set(begins) == {True, False}
    assert begins == sorted(begins, reverse=True)


def test_all_words_of_a_search_must_be_there(client: Client) -> None:
    assert found(client, q="korean air") == ["KE"]
    assert found(client, q="korean zebra") == []


def test_a_search_for_signs_alone_finds_nothing_rather_than_everything(client: Client) -> None:
    assert found(client, q="!?") == []


@pytest.mark.parametrize("confidence", ["confirmed", "reported", "unverified", None])
@pytest.mark.parametrize("country", ["CN", "JP", "US", "AQ", None])
def test_filters_list_what_the_release_holds(
    client: Client, asked_now: Published, confidence: str | None, country: str | None
) -> None:
    asked = {"confidence": confidence, "country": country}
    assert found(client, **{name: value for name, value in asked.items() if value}) == [
        airline.airline
        for airline in airlines(asked_now)
        if confidence in (None, airline.confidence) and country in (None, airline.country)
    ]


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ({"country": "ZZ"}, {"country": "unknown_country"}),
        ({"country": "jp"}, {"country": "invalid_format"}),
        ({"confidence": "sure"}, {"confidence": "invalid_choice"}),
        ({"q": ""}, {"q": "invalid_format"}),
        ({"limit": "0"}, {"limit": "out_of_range"}),
        ({"code": "EK"}, {"code": "unknown_parameter"}),
        ({"cursor": "MjA"}, {"cursor": "stale_cursor"}),
    ],
)
def test_a_query_that_cannot_be_meant_is_an_error(
    client: Client, query: dict[str, str], wrong: dict[str, str]
) -> None:
    assert errors(client.get(AIRLINES, query)) == wrong


# --- The preview ------------------------------------------------------------------------------------------


def test_no_one_without_a_key_sees_more_than_the_preview(client: Client, asked_now: Published) -> None:
    listed = {airline["airline"]: airline for airline in walk(client, AIRLINES, "airlines")}
    for airline in airlines(asked_now):
        preview = read(client, f"{AIRLINES}/{airline.airline}")
        assert set(preview) == PREVIEW | COUNTED
        assert preview["depth"] == "preview"
        assert preview["ruleset_version"] == asked_now.ruleset_version
        assert {name: preview[name] for name in PREVIEW} == listed[airline.airline]


def test_a_preview_counts_the_rules_that_are_listed_for_the_airline(
    client: Client, asked_now: Published
) -> None:
    for airline in walk(client, AIRLINES, "airlines"):
        listed = read(client, "/api/rules", airline=airline["airline"], limit=1)
        assert airline["rule_count"] == listed["total"]
        assert airline["covered"] is (listed["total"] > 0)


def test_what_is_not_covered_gets_no_verdict(client: Client) -> None:
    uncovered = [one["airline"] for one in walk(client, AIRLINES, "airlines") if not one["covered"]]
    assert uncovered
    for code in uncovered:
        response = post(client, VERIFY, a_request({"airline": code}))
        assert problem(response)["code"] == "AIRLINE_NOT_COVERED"


def test_the_day_of_checking_is_the_newest_on_which_a_source_was_read(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_from(
        monkeypatch,
        airlines=(
            an_airline(sources=("older", "old", "never")),
            an_airline(airline="N2", icao="XXM", sources=("never",), confidence="unverified"),
        ),
    )
    assert read(client, f"{AIRLINES}/N1")["last_checked"] == "2026-01-02"
    assert read(client, f"{AIRLINES}/N2")["last_checked"] is None


@pytest.mark.parametrize(
    ("named", "code", "advice"),
    [
        ("XX", "AIRLINE_NOT_COVERED", "Airline `XX` is not in the current ruleset. GET /api/airlines"),
        ("Zorblat Air", "AIRLINE_NAME_UNKNOWN", "No airline here has this name."),
        ("EMIRATS", "AIRLINE_NAME_UNKNOWN", "Similar names: Emirates (`EK`)."),
        ("china", "AIRLINE_NAME_UNKNOWN", "Air China (`CA`)"),
        ("EK001", "AIRLINE_NAME_UNKNOWN", "A flight number does not say which airline operates the flight."),
        # Its upper case is `SS`, which has the form of a code.
        ("ß", "AIRLINE_NAME_UNKNOWN", "This name may mean"),
    ],
)
def test_an_unknown_name_of_an_airline_is_another_error_than_an_airline_without_rules(
    client: Client, named: str, code: str, advice: str
) -> None:
    response = client.get(f"{AIRLINES}/{quote(named)}")
    assert response.status_code == 404
    body = problem(response)
    assert body["code"] == code
    assert advice in body["detail"]


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ("ek", "EK"),
        ("UAE", "EK"),
        ("Air China", "CA"),
        ("China Airlines", "CI"),
        ("China Eastern", "MU"),
        ("国航", "CA"),
        ("대한항공", "KE"),
    ],
)
def test_an_airline_is_named_by_its_code_or_exact_name_and_an_exact_name_wins(
    client: Client, named: str, code: str
) -> None:
    listed = read(client, AIRLINES, q=named)
    assert (listed["airlines"][0]["airline"], listed["meant_airline"]) == (code, code)
    assert read(client, f"{AIRLINES}/{quote(named)}") == read(client, f"{AIRLINES}/{code}")


def test_a_flight_number_finds_an_airline_but_means_none(client: Client) -> None:
    listed = read(client, AIRLINES, q="KE 085")
    assert [one["airline"] for one in listed["airlines"]] == ["KE"]
    assert listed["meant_airline"] is None
    assert read(client, AIRLINES, q="china")["meant_airline"] is None


# --- The full record --------------------------------------------------------------------------------------


def test_a_partner_sees_the_preview_and_what_it_rests_on(
    client: Client, asked_now: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    previews = {code: read(client, f"{AIRLINES}/{code}") for code in asked_now.shelf.airlines}
    ask_as_partner(monkeypatch)
    for code, preview in previews.items():
        full = read(client, f"{AIRLINES}/{code}")
        assert set(full) == set(preview) | DEEP
        assert full["depth"] == "full"
        assert {name: full[name] for name in PREVIEW} == {name: preview[name] for name in PREVIEW}


def test_the_list_stays_the_same_for_a_partner(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    anonymous = read(client, AIRLINES)
    ask_as_partner(monkeypatch)
    assert read(client, AIRLINES) == anonymous


def test_the_full_record_holds_the_rules_that_the_list_of_rules_holds(
    client: Client, asked_now: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_as_partner(monkeypatch)
    for code in asked_now.shelf.airlines:
        full = read(client, f"{AIRLINES}/{code}")
        assert full["rules"] == walk(client, "/api/rules", "rules", airline=code)


def test_policy_fields_are_those_of_the_rules_next_to_them(
    client: Client, asked_now: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_as_partner(monkeypatch)
    for code, airline in asked_now.shelf.airlines.items():
        full = read(client, f"{AIRLINES}/{code}")
        active = [rule for rule in asked_now.shelf.rules_of(airline.airline) if rule.in_force(NOW.date())]
        expected = msgspec.json.Encoder(decimal_format="number").encode(policy_fields(active))
        assert full["policy_fields"] == json.loads(expected)
        rule_ids = {rule["rule_id"] for rule in full["rules"]}
        for field in full["policy_fields"].values():
            assert field is None or set(field["rule_ids"]) <= rule_ids


def test_emirates_takes_one_power_bank_and_says_how(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ask_as_partner(monkeypatch)
    fields = read(client, f"{AIRLINES}/EK")["policy_fields"]
    assert fields["max_units"] == {"value": 1, "rule_ids": ["ek.max-units"]}
    assert fields["checked_baggage"] == {"value": "prohibited", "rule_ids": ["ek.carry-on-only"]}
    assert fields["onboard_use"] == {"value": "prohibited", "rule_ids": ["ek.no-onboard-use"]}
    # It writes "under 100 Wh".
    free = fields["carry_on_max_watt_hour_without_approval"]
    assert (free["value"], free["watt_hour"], free["inclusive"]) == (99.99, 100, False)
    assert fields["carry_on_prohibited_over_watt_hour"] == {
        "value": 99.99,
        "watt_hour": 100,
        "inclusive": True,
        "rule_ids": ["ek.over-100wh"],
    }
    assert fields["ccc_mark"] is None


def test_everything_that_a_record_shows_is_cited(
    client: Client, asked_now: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_as_partner(monkeypatch)
    for code in asked_now.shelf.airlines:
        full = read(client, f"{AIRLINES}/{code}")
        cited = [citation for rule in full["rules"] for citation in rule["citations"]]
        cited += [change["citation"] for change in full["change_log"] if change["citation"]]
        assert all(citation in full["citations"] for citation in cited)
        assert len({json.dumps(citation) for citation in full["citations"]}) == len(full["citations"])


def test_the_change_log_is_whole_and_begins_with_the_newest(
    client: Client, asked_now: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_as_partner(monkeypatch)
    for code, airline in asked_now.shelf.airlines.items():
        log = read(client, f"{AIRLINES}/{code}")["change_log"]
        assert [change["date"] for change in log] == sorted((one["date"] for one in log), reverse=True)
        assert {(change["date"], change["what"]) for change in log} == {
            (change.date.isoformat(), change.what) for change in airline.changes
        }


def test_a_page_that_no_one_read_is_never_cited(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    change = PolicyChange(date=datetime.date(2026, 5, 1), what="Said to be stricter.", source="never")
    answer_from(monkeypatch, airlines=(an_airline(sources=("never",), changes=(change,)),))
    ask_as_partner(monkeypatch)
    full = read(client, f"{AIRLINES}/N1")
    assert full["citations"] == []
    [logged] = full["change_log"]
    assert (logged["date"], logged["what"]) == ("2026-05-01", "Said to be stricter.")
    assert (logged["citation"], logged["citations"]) == (None, [])


def test_rules_that_are_over_or_to_come_are_not_part_of_the_policy(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    today, day = NOW.date(), datetime.timedelta(days=1)
    answer_from(
        monkeypatch,
        airlines=(an_airline(),),
        rules=(
            a_rule(rule_id="n1.over", effective_until=today - day),
            a_rule(rule_id="n1.last-day", effective_until=today),
            a_rule(rule_id="n1.first-day", effective_from=today),
            a_rule(rule_id="n1.to-come", effective_from=today + day),
        ),
    )
    assert read(client, f"{AIRLINES}/N1")["rule_count"] == 2
    ask_as_partner(monkeypatch)
    full = read(client, f"{AIRLINES}/N1")
    assert [rule["rule_id"] for rule in full["rules"]] == ["n1.first-day", "n1.last-day"]
    assert full["policy_fields"]["carry_on_max_watt_hour_without_approval"]["value"] == 160


def test_a_language_that_is_not_spoken_is_an_error(client: Client) -> None:
    assert read(client, f"{AIRLINES}/EK", language="en") == read(client, f"{AIRLINES}/EK")
    assert errors(client.get(f"{AIRLINES}/EK", {"language": "tlh"})) == {"language": "invalid_choice"}
