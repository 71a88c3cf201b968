"""What an integrator relies on when asking for recalls: each is of its exact model, and serials stay here."""

import hashlib
import logging
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from recalls.records import Recall
from tests.compliance.api.reading import answer_from, pages, read, walk
from tests.support.agent_client import tool_result
from tests.support.api_requests import VERIFY, a_request, answer, errors, post, problem
from tests.support.factories import a_device, a_recall
from tests.support.starter import published, starter_content

RECALLS = "/api/recalls"
SECRET = "SN-4711-SECRET"
RECALLED = "anker-a1263"
WITHOUT_RECALLS = "anker-a1289"

BY_MODEL = {
    model_id: [recall for recall in starter_content().recalls if recall.model_id == model_id]
    for model_id in sorted({recall.model_id for recall in starter_content().recalls})
}
BRAND_OF = {device.model_id: device.brand for device in starter_content().devices}

pytestmark = pytest.mark.usefixtures("asked_now")


def of_device(model_id: str) -> str:
    return f"/api/devices/{model_id}/recalls"


@st.composite
def units(draw: st.DrawFn) -> tuple[str, str]:
    """A recalled model, and a serial that one of its recalls may or may not match."""
    model_id = draw(st.sampled_from(sorted(BY_MODEL)))
    visible = st.characters(codec="ascii", categories=["L", "N", "P"])
    serials = [st.text(visible, min_size=1, max_size=20)]
    for recall in BY_MODEL[model_id]:
        if recall.affected_serials.pattern not in {None, "^.*$"}:
            serials.append(st.from_regex(recall.affected_serials.pattern, alphabet=visible))
        serials += [st.just(value) for value in recall.affected_serials.values]
    serial = draw(st.one_of(serials).filter(lambda text: 0 < len(text) <= 64 and text.isprintable()))
    return model_id, serial


# --- Lists ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 13, 200])
def test_a_walk_lists_every_recall_once_the_newest_first(client: Client, limit: int) -> None:
    listed = walk(client, RECALLS, "recalls", limit=limit)
    assert sorted(recall["recall_id"] for recall in listed) == sorted(
        recall.recall_id for recall in starter_content().recalls
    )
    days = [recall["announced_on"] for recall in listed]
    assert days == sorted(days, reverse=True)


def test_the_list_names_itself_its_release_and_its_total(client: Client) -> None:
    answered = read(client, RECALLS, limit=3)
    assert answered["public_name"] == "Recall Intelligence"
    assert answered["ruleset_version"] == "2026-11-20"
    assert (answered["total"], len(answered["recalls"])) == (137, 3)


def test_a_recall_is_shown_in_full(client: Client) -> None:
    (recall,) = read(client, RECALLS, model_id=RECALLED, jurisdiction="US")["recalls"]
    assert list(recall.pop("citations")[0]) == ["kind", "authority", "jurisdiction", "url", "pulled_at"]
    assert recall == {
        "recall_id": "us-cpsc-25-338",
        "model_id": "anker-a1263",
        "affected_serials": {
            "pattern": None,
            "explicit_list_url": "https://www.anker.com/product-recalls",
            "scope": "lookup_required",
            "identifier": "serial",
            "format_hint": "affected serial numbers contain neither the letter O nor the letter I",
            "manufacture_windows": [{"from": "2016-01-01", "to": "2019-10-30"}],
        },
        "verdict_impact": {
            "applies_to": "exact_model_only",
            "if_affected_serial": "banned",
            "if_serial_unknown": "warning",
            "if_not_affected_serial": "normal_rules_apply",
        },
        "authority": "U.S. Consumer Product Safety Commission",
        "jurisdiction": "US",
        "announced_on": "2025-06-12",
        "announced_precision": "day",
        "title": "Anker PowerCore 10000 recalled in the United States",
        "hazard": "Lithium-ion cells can overheat, melt, smoke or catch fire; risk of burns; 19 reports, 2 "
        "minor burns, 11 property damage cases (about 60,700 USD)",
        "remedy": "Replacement power bank or a 30 USD gift card",
        "units": 1158000,
        "units_scope": "model",
        "notice_url": "https://www.cpsc.gov/Recalls/2025/More-than-One-Million-Anker-Power-Banks-Recalled-Due-to-"
        "Fire-and-Burn-Hazards-Manufactured-by-Anker-Innovations",
    }


def test_a_recall_by_dates_names_them_for_people_to_read(client: Client) -> None:
    (recall,) = read(client, RECALLS, model_id=RECALLED, jurisdiction="JP")["recalls"]
    assert recall["affected_serials"]["sale_windows"] == [{"from": "2022-12-25", "to": "2025-10-21"}]


def test_several_windows_of_one_recall_are_a_list_as_one_is(client: Client) -> None:
    (recall,) = read(client, RECALLS, model_id="romoss-pac20-272")["recalls"]
    assert len(recall["affected_serials"]["manufacture_windows"]) == 2


def test_a_record_says_which_other_units_a_notice_means(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    (unnumbered,) = read(client, of_device("velvet-caviar-zhx-pb21"))["recalls"]
    assert unnumbered["affected_serials"]["absent_identifier_affected"] is True
    (colored,) = read(client, of_device("iniu-bi-b41"))["recalls"]
    assert colored["affected_serials"]["color_condition"] == "black or blue only"
    answer_from(monkeypatch, devices=(a_device(sources=()),), recalls=(a_recall(sources=()),))
    (exhaustive,) = read(client, of_device("lynx-10k"))["recalls"]
    assert exhaustive["affected_serials"]["exhaustive"] is True


def test_a_recall_has_no_field_from_which_its_brand_could_be_inferred(client: Client) -> None:
    assert not any("brand" in name for recall in read(client, RECALLS)["recalls"] for name in recall)


def test_the_recalls_of_one_day_stand_in_the_order_of_their_ids(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    same_day = tuple(
        a_recall(recall_id=name, model_id=RECALLED, jurisdiction="US", sources=()) for name in ("b", "c", "a")
    )
    answer_from(monkeypatch, devices=starter_content().devices, recalls=same_day)
    assert [recall["recall_id"] for recall in read(client, RECALLS)["recalls"]] == ["a", "b", "c"]


@pytest.mark.parametrize(("jurisdiction", "total"), [("US", 46), ("EU", 1), ("INTL", 9), ("FR", 0)])
def test_recalls_are_filtered_by_where_they_were_announced(
    client: Client, jurisdiction: str, total: int
) -> None:
    answered = read(client, RECALLS, jurisdiction=jurisdiction, limit=200)
    assert answered["total"] == total
    assert {recall["jurisdiction"] for recall in answered["recalls"]} <= {jurisdiction}


def test_every_recall_of_a_release_is_active(client: Client) -> None:
    everything = walk(client, RECALLS, "recalls")
    assert walk(client, RECALLS, "recalls", status="active") == everything
    assert errors(client.get(RECALLS, {"status": "closed"})) == {"status": "invalid_choice"}


def test_a_cursor_of_another_list_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    cursor = read(client, RECALLS, jurisdiction="US", limit=5)["next_cursor"]
    for other in ({"jurisdiction": "CA"}, {}, {"jurisdiction": "US", "status": "active"}):
        assert errors(client.get(RECALLS, {**other, "cursor": cursor})) == {"cursor": "stale_cursor"}
    monkeypatch.setattr("rules.corpus._current", published(starter_content(), "2026-11-21"))
    response = client.get(RECALLS, {"jurisdiction": "US", "limit": 5, "cursor": cursor})
    assert errors(response) == {"cursor": "stale_cursor"}


# --- Exact models -----------------------------------------------------------------------------------------


def test_a_recall_of_one_model_never_appears_on_another(client: Client) -> None:
    seen = set()
    for model_id in BRAND_OF:
        answered = read(client, of_device(model_id))
        own = {recall.recall_id for recall in BY_MODEL.get(model_id, [])}
        assert {recall["recall_id"] for recall in answered["recalls"]} == own
        assert {recall["model_id"] for recall in answered["recalls"]} <= {model_id}
        assert answered["total"] == answered["device"]["recall_count"] == len(own)
        seen |= own
    assert seen == {recall.recall_id for recall in starter_content().recalls}


def test_a_model_without_recalls_says_so_though_its_brand_has_many(client: Client) -> None:
    assert any(BRAND_OF[model_id] == BRAND_OF[WITHOUT_RECALLS] for model_id in BY_MODEL)
    answered = read(client, of_device(WITHOUT_RECALLS), serial=SECRET)
    assert (answered["recalls"], answered["total"]) == ([], 0)
    assert answered["recall_policy"] == {
        "applies_to": "exact_model_only",
        "brand_level_inference": False,
        "statement": "A recall counts for its exact model alone; no other model of the brand inherits it.",
    }
    assert answered["ruleset_version"] == "2026-11-20"


def test_the_model_stands_next_to_its_recalls_as_it_does_in_the_catalog(client: Client) -> None:
    listed = read(client, "/api/devices", q=RECALLED)["devices"][0]
    assert read(client, of_device(RECALLED))["device"] == listed


def test_the_facts_of_a_model_name_its_recalls_in_the_same_order(client: Client) -> None:
    for model_id in BY_MODEL:
        in_full = read(client, of_device(model_id))["recalls"]
        for summary, recall in zip(read(client, f"/api/devices/{model_id}")["recalls"], in_full, strict=True):
            assert summary == {name: recall[name] for name in summary}


def test_the_same_recall_reads_the_same_wherever_it_is_listed(client: Client) -> None:
    for listed in walk(client, RECALLS, "recalls", limit=200):
        assert listed in read(client, of_device(listed["model_id"]))["recalls"]


@pytest.mark.parametrize("query", [{}, {"serial": SECRET}])
def test_an_unknown_model_is_never_an_empty_list(client: Client, query: dict[str, str]) -> None:
    for response in (
        client.get(of_device("no-such-model"), query),
        client.get(RECALLS, {"model_id": "no-such-model", **query}),
    ):
        assert (response.status_code, problem(response)["code"]) == (404, "MODEL_NOT_FOUND")
        assert SECRET not in response.content.decode()


# --- Serials ----------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(unit=units())
@example(unit=("anker-a1263", "SN1"))
@example(unit=("baseus-bs-30kp365", "BS1234D"))
@example(unit=("baseus-bs-30kp365", "BS1234A"))
@example(unit=("belkin-bpb002", " 35s1234 5678901 "))
@example(unit=("ikea-e2037", "23l8"))
def test_lists_and_verdicts_say_the_same_of_a_unit(client: Client, unit: tuple[str, str]) -> None:
    model_id, serial = unit
    verdict = answer(client, VERIFY, a_request(model_id=model_id, serial=serial))
    by_verdict = {
        recall["recall_id"]: recall["serial_evaluation"] for recall in verdict["device_resolved"]["recalls"]
    }
    for answered in (
        read(client, of_device(model_id), serial=serial),
        read(client, RECALLS, model_id=model_id, serial=serial),
    ):
        assert {
            recall["recall_id"]: recall["serial_evaluation"] for recall in answered["recalls"]
        } == by_verdict
    together = read(client, f"/api/devices/{model_id}", serial=serial)["serial_evaluation"]
    assert together in by_verdict.values()
    assert (
        together["match_status"]
        == {
            "affected": "affected",
            "not_affected": "not_affected",
            "serial_unknown": "unknown",
            "external_check_required": "unknown",
        }[verdict["device_resolved"]["recall_status"]]
    )
    if together["match_status"] == "affected":
        assert verdict["verdict"] == together["verdict_if_used_for_flight"] == "banned"


def test_what_a_notice_names_is_affected_and_what_no_notice_knows_is_not_cleared(client: Client) -> None:
    def status(recall: Recall, serial: str) -> str:
        shown = read(client, of_device(recall.model_id), serial=serial)["recalls"]
        (one,) = [one for one in shown if one["recall_id"] == recall.recall_id]
        found: str = one["serial_evaluation"]["match_status"]
        return found

    for recall in starter_content().recalls:
        affected = recall.affected_serials
        if affected.pattern is not None:
            assert {status(recall, value) for value in affected.values} <= {"affected"}
        assert status(recall, "~") == ("affected" if affected.scope == "all_units" else "unknown")


def test_a_list_without_an_address_is_required_all_the_same(client: Client) -> None:
    without_address = [
        recall
        for recall in starter_content().recalls
        if recall.affected_serials.scope == "lookup_required"
        and recall.affected_serials.explicit_list_url is None
    ]
    assert len(without_address) > 10
    for recall in without_address:
        verdict = answer(client, VERIFY, a_request(model_id=recall.model_id, serial=SECRET))
        shown = [
            *verdict["device_resolved"]["recalls"],
            *read(client, of_device(recall.model_id), serial=SECRET)["recalls"],
        ]
        found = [one["serial_evaluation"] for one in shown if one["recall_id"] == recall.recall_id]
        assert len(found) == 2
        for evaluation in found:
            assert evaluation["match_status"] == "unknown"
            assert evaluation["match_method"] == "external_list_required"
            assert evaluation["suggested_next_step"]["code"] == "read_recall_notice"
            assert evaluation["suggested_next_step"]["url"] == recall.notice_url
        assert verdict["verdict"] != "allowed"


def test_without_a_serial_no_recall_is_evaluated(client: Client) -> None:
    listed = walk(client, RECALLS, "recalls", limit=200)
    assert not any("serial_evaluation" in recall for recall in listed)


def test_a_serial_without_its_model_is_evaluated_for_each_recall_and_says_so(client: Client) -> None:
    listed = walk(client, RECALLS, "recalls", limit=50, serial=" 35s1234 5678901 ")
    assert len(listed) == len(starter_content().recalls)
    for recall in listed:
        evaluation = recall["serial_evaluation"]
        assert evaluation.pop("model_assumed") is True
        of_model = read(client, of_device(recall["model_id"]), serial=" 35s1234 5678901 ")["recalls"]
        (alone,) = [one for one in of_model if one["recall_id"] == recall["recall_id"]]
        assert evaluation == alone["serial_evaluation"]


# --- Serials in bodies, and hashes of serials -------------------------------------------------------------

CHECK = "/api/recalls/check"
HASH = hashlib.sha256(b"35S24B8A013027").hexdigest()


def test_a_check_gives_what_the_reads_give_without_a_serial_in_the_address(client: Client) -> None:
    units: list[dict[str, Any]] = [{"serial": "BS1234D"}, {"serial_hash": HASH}]
    for model_id in (RECALLED, "baseus-bs-30kp365", "belkin-bpb002", WITHOUT_RECALLS):
        for unit in units:
            checked = answer(client, CHECK, {"model_id": model_id, **unit})
            listed = read(client, RECALLS, model_id=model_id, **unit)
            assert {name: checked[name] for name in listed} == listed
            facts = read(client, f"/api/devices/{model_id}", **unit)
            assert checked.get("serial_evaluation") == facts.get("serial_evaluation")
            device = answer(client, VERIFY, a_request(model_id=model_id, **unit))["device_resolved"]
            for name in ("recall_status", "recall_check_method"):
                assert checked[name] == device[name]


def test_a_check_without_a_model_gives_every_recall_page_by_page(client: Client) -> None:
    listed: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while True:
        page = answer(client, CHECK, {"serial": "BS1234D", "limit": 50, **cursor})
        assert "recall_status" not in page
        listed += page["recalls"]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert listed == walk(client, RECALLS, "recalls", serial="BS1234D", limit=50)
    assert all(recall["serial_evaluation"]["model_assumed"] for recall in listed)


def test_a_check_is_read_as_strictly_as_a_question(client: Client) -> None:
    for body, wrong in (
        ({}, {"serial": "required"}),
        ({"model_id": RECALLED, "serial": None}, {"serial": "required"}),
        ({"serial": "A", "serial_hash": HASH}, {"serial_hash": "conflict"}),
        ({"serial": 7}, {"serial": "wrong_type"}),
        ({"serial": ""}, {"serial": "invalid_format"}),
        ({"serial_hash": HASH.upper()}, {"serial_hash": "invalid_format"}),
        ({"serial": "A", "limit": 0}, {"limit": "out_of_range"}),
        ({"serial": "A", "serail": "A"}, {"serail": "unknown_parameter"}),
        ({"serial": "A", "cursor": "x"}, {"cursor": "stale_cursor"}),
    ):
        assert errors(post(client, CHECK, body)) == wrong
    unknown = post(client, CHECK, {"model_id": "no-such-model", "serial": SECRET})
    assert (unknown.status_code, problem(unknown)["code"]) == (404, "MODEL_NOT_FOUND")
    assert SECRET not in unknown.content.decode()


def test_a_check_is_stored_nowhere(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        response = post(client, CHECK, {"model_id": RECALLED, "serial": SECRET})
    assert response["Cache-Control"] == "no-store"
    assert SECRET in response.content.decode()
    assert SECRET not in caplog.text


def test_a_hash_clears_nothing_that_only_a_pattern_can_tell(client: Client) -> None:
    for model_id, recalls in BY_MODEL.items():
        shown = read(client, of_device(model_id), serial_hash=HASH)["recalls"]
        by_id = {recall["recall_id"]: recall["serial_evaluation"] for recall in shown}
        for recall in recalls:
            evaluation = by_id[recall.recall_id]
            assert evaluation["provided_serial"] == HASH
            affected = recall.affected_serials.scope == "all_units"
            assert evaluation["match_status"] == ("affected" if affected else "unknown")
    assert errors(client.get(RECALLS, {"serial": "A", "serial_hash": HASH})) == {"serial_hash": "conflict"}


def test_an_agent_may_name_a_unit_by_its_hash(client: Client) -> None:
    for tool in ("check_recall", "get_model"):
        said = tool_result(client, tool, model_id=RECALLED, serial_hash=HASH)["answer"]["serial_evaluation"]
        assert said == read(client, f"/api/devices/{RECALLED}", serial_hash=HASH)["serial_evaluation"]


def test_a_serial_goes_with_every_page_of_a_list(client: Client) -> None:
    model_id = "baseus-bs-30kp365"
    turned = list(pages(client, RECALLS, model_id=model_id, serial="BS1234D", limit=1))
    assert len(turned) == len(BY_MODEL[model_id])
    for page in turned:
        assert page["recalls"][0]["serial_evaluation"]["match_status"] == "affected"


def private_reads() -> list[tuple[str, dict[str, str]]]:
    return [
        (f"/api/devices/{RECALLED}", {}),
        (f"/api/devices/{WITHOUT_RECALLS}", {}),
        (of_device(RECALLED), {}),
        (of_device("no-such-model"), {}),
        (RECALLS, {"model_id": RECALLED}),
        (RECALLS, {}),
        (RECALLS, {"model_id": RECALLED, "jurisdiction": "nowhere"}),
    ]


@pytest.mark.parametrize(("address", "query"), private_reads())
def test_a_serial_is_never_stored_and_never_logged(
    client: Client, caplog: pytest.LogCaptureFixture, address: str, query: dict[str, str]
) -> None:
    caplog.set_level(logging.DEBUG)
    cache.clear()
    response = client.get(address, {**query, "serial": SECRET})
    assert response["Cache-Control"] == "no-store"
    assert "ETag" not in response
    assert "Last-Modified" not in response
    assert SECRET not in caplog.text
    assert SECRET not in repr(response.headers)


@pytest.mark.parametrize(("address", "query"), private_reads())
def test_an_answer_to_a_serial_is_never_replaced_by_not_modified(
    client: Client, address: str, query: dict[str, str]
) -> None:
    plain = client.get(address, {**query, "serial": SECRET})
    again = client.get(
        address,
        {**query, "serial": SECRET},
        headers={"If-Modified-Since": "Fri, 31 Dec 2100 00:00:00 GMT", "If-None-Match": "*"},
    )
    assert (plain.status_code, plain.content[:20]) == (again.status_code, again.content[:20])
    assert again.status_code != 304


def test_an_answer_without_a_serial_may_be_kept_by_anyone(client: Client) -> None:
    for address in (f"/api/devices/{RECALLED}", of_device(RECALLED), RECALLS, "/api/devices"):
        response = client.get(address)
        assert response["Cache-Control"].startswith("public, max-age=")
        again = client.get(address, headers={"If-None-Match": response["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
