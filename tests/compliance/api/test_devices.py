"""What an integrator relies on when looking up models: the right one, its facts, and nothing made up."""

from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recalls.records import Recall
from recalls.serials import AffectedSerials
from rules.corpus import Published
from tests.compliance.api.reading import answer_from, pages, read, walk
from tests.support.api_requests import errors, problem, step
from tests.support.factories import a_device, a_recall, a_source
from tests.support.starter import published, starter_content

DEVICES = "/api/devices"
RECALLED = "anker-a1263"
WITHOUT_RECALLS = "anker-a1289"
SERIAL = "SN-4711-SECRET"

pytestmark = pytest.mark.usefixtures("asked_now")


def found(client: Client, **query: Any) -> list[str]:
    return [device["model_id"] for device in read(client, DEVICES, **query)["devices"]]


# --- Searching --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "model_id"),
    [
        ("anker powercore 10k", "anker-a1263"),
        ("a1263", "anker-a1263"),
        ("A-1263", "anker-a1263"),
        ("anker-a1263", "anker-a1263"),
        ("PB2030MI", "xiaomi-pb2030mi"),
        ("xiaomi pb2030mi", "xiaomi-pb2030mi"),
        ("小米 PB2030MI", "xiaomi-pb2030mi"),
        ("ankr powercoer 10k", "anker-a1263"),
    ],
)
def test_a_traveler_finds_the_model_first_by_what_is_typed(client: Client, typed: str, model_id: str) -> None:
    assert found(client, q=typed)[0] == model_id


def test_a_slip_in_a_model_number_finds_no_other_model(client: Client) -> None:
    assert "anker-a1263" not in found(client, q="a1262")


def test_what_no_one_sells_is_an_empty_list_and_no_error(client: Client) -> None:
    answered = read(client, DEVICES, q="zzyzx quux")
    assert (answered["devices"], answered["total"], answered["next_cursor"]) == ([], 0, None)


def test_without_words_models_stand_in_the_order_of_their_ids(client: Client) -> None:
    listed = found(client, limit=200)
    assert listed == sorted(listed)


@pytest.mark.parametrize("spelling", ["Goal Zero", "goal zero", "GOAL ZERO", "goal-zero"])
def test_a_brand_is_found_by_its_name_and_by_its_address(client: Client, spelling: str) -> None:
    answered = read(client, DEVICES, brand=spelling)
    assert answered["total"] == 7
    assert {device["brand"] for device in answered["devices"]} == {"Goal Zero"}


def test_a_brand_is_not_found_by_a_part_of_its_name(client: Client) -> None:
    assert found(client, brand="Goal") == []


def test_words_and_brand_must_both_be_met(client: Client) -> None:
    assert {device["brand"] for device in read(client, DEVICES, q="10000", brand="xiaomi")["devices"]} == {
        "Xiaomi"
    }
    assert found(client, q="a1263", brand="xiaomi") == []


def test_recent_models_are_of_this_year_or_the_last_the_newest_first(client: Client) -> None:
    years = [device["release_year"] for device in walk(client, DEVICES, "devices", recent="true")]
    assert years
    assert set(years) <= {2026, 2025}
    assert years == sorted(years, reverse=True)
    everything = [device["release_year"] for device in walk(client, DEVICES, "devices")]
    assert len(years) == sum(year is not None and year >= 2025 for year in everything)


def test_recent_models_follow_the_calendar(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    young = [a_device(model_id=f"young-{year}", release_year=year, sources=()) for year in range(2024, 2028)]
    answer_from(monkeypatch, devices=tuple(young))
    # A model that is announced for next year is not older news than this year's.
    assert found(client, recent="true") == ["young-2027", "young-2026", "young-2025"]
    assert found(client, recent="false") == [f"young-{year}" for year in range(2024, 2028)]


# --- Paging -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 7, 50, 67, 200])
def test_a_walk_lists_every_model_of_the_release_exactly_once(
    client: Client, starter_release: Published, limit: int
) -> None:
    listed = [device["model_id"] for device in walk(client, DEVICES, "devices", limit=limit)]
    assert listed == sorted(device.model_id for device in starter_release.corpus.content.devices)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.sampled_from(["anker", "10000", "power bank", "小米", "usb-c 20k"]), limit=st.integers(3, 60))
def test_a_walk_through_a_search_keeps_its_order_and_its_total(
    client: Client, words: str, limit: int
) -> None:
    whole = read(client, DEVICES, q=words, limit=200)
    turned = list(pages(client, DEVICES, q=words, limit=limit))
    assert {page["total"] for page in turned} == {whole["total"]}
    assert all(len(page["devices"]) == limit for page in turned[:-1])
    walked = [device for page in turned for device in page["devices"]]
    assert walked[:200] == whole["devices"]
    assert len(walked) == whole["total"] == len({device["model_id"] for device in walked})


def test_a_cursor_of_another_query_is_refused(client: Client) -> None:
    cursor = read(client, DEVICES, q="anker", limit=2)["next_cursor"]
    assert read(client, DEVICES, q="anker", limit=5, cursor=cursor)["devices"]
    for other in ({"q": "xiaomi"}, {}, {"q": "anker", "brand": "anker"}, {"q": "anker", "recent": "true"}):
        assert errors(client.get(DEVICES, {**other, "cursor": cursor})) == {"cursor": "stale_cursor"}


def test_a_cursor_of_the_release_before_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    cursor = read(client, DEVICES, limit=2)["next_cursor"]
    monkeypatch.setattr("rules.corpus._current", published(starter_content(), "2026-11-21"))
    assert errors(client.get(DEVICES, {"limit": 2, "cursor": cursor})) == {"cursor": "stale_cursor"}


# --- Facts ------------------------------------------------------------------------------------------------


def test_a_model_has_the_facts_of_the_release_with_numbers_as_numbers(client: Client) -> None:
    assert read(client, DEVICES, q="a1263")["devices"][0] == {
        "model_id": "anker-a1263",
        "brand": "Anker",
        "model_name": "PowerCore 10000",
        "model_number": "A1263",
        "aliases": [],
        "capacity_mah": 10000,
        "nominal_voltage": 3.7,
        "watt_hour": 37,
        "watt_hour_basis": "computed",
        "certifications": [],
        "certificates": [],
        "release_year": 2016,
        "facts_confirmed": True,
        "recall_count": 2,
    }


def test_what_no_one_knows_is_null_and_never_left_out(client: Client, starter_release: Published) -> None:
    listed = {device["model_id"]: device for device in walk(client, DEVICES, "devices", limit=200)}
    names = {frozenset(device) for device in listed.values()}
    assert len(names) == 1
    for device in starter_release.corpus.content.devices:
        shown = listed[device.model_id]
        assert (shown["watt_hour"] is None) == (shown["watt_hour_basis"] == "unknown")
        assert (shown["release_year"] is None) == (device.release_year is None)


def test_a_model_stands_in_the_list_as_it_does_alone(client: Client) -> None:
    for listed in read(client, DEVICES, limit=50)["devices"]:
        alone = read(client, f"{DEVICES}/{listed['model_id']}")
        assert {name: alone[name] for name in listed} == listed


def test_the_facts_of_a_model_come_with_their_sources_and_its_recalls(client: Client) -> None:
    answered = read(client, f"{DEVICES}/{RECALLED}")
    assert answered["ruleset_version"] == "2026-11-20"
    assert answered["citations"][0] == {
        "kind": "regulator",
        "authority": "U.S. Consumer Product Safety Commission",
        "jurisdiction": "US",
        "url": "https://www.cpsc.gov/Recalls/2025/More-than-One-Million-Anker-Power-Banks-Recalled-Due-to-Fire"
        "-and-Burn-Hazards-Manufactured-by-Anker-Innovations",
        "pulled_at": "2026-11-20",
    }
    assert [recall["recall_id"] for recall in answered["recalls"]] == [
        "jp-anker-2025-10-21-a1263",
        "us-cpsc-25-338",
    ]
    assert answered["recall_count"] == len(answered["recalls"])
    assert "serial_evaluation" not in answered


def test_only_what_a_person_read_is_cited(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "https://maker.example/read"
    answer_from(
        monkeypatch,
        sources=(
            a_source(id="read-page", url=page),
            a_source(id="same-page", url=page),
            a_source(id="pointer", url="https://maker.example/pointer", basis="general_knowledge"),
        ),
        devices=(
            a_device(model_id="known", sources=("pointer", "read-page", "same-page")),
            a_device(model_id="hearsay", sources=("pointer",)),
        ),
    )
    known, hearsay = read(client, f"{DEVICES}/known"), read(client, f"{DEVICES}/hearsay")
    assert [citation["url"] for citation in known["citations"]] == [page]
    assert known["facts_confirmed"] is True
    assert (hearsay["citations"], hearsay["facts_confirmed"]) == ([], False)


def test_facts_are_confirmed_exactly_where_they_are_cited(client: Client) -> None:
    seen = set()
    for device in read(client, DEVICES, limit=200)["devices"]:
        alone = read(client, f"{DEVICES}/{device['model_id']}")
        assert alone["facts_confirmed"] == bool(alone["citations"])
        seen.add(alone["facts_confirmed"])
    assert seen == {True, False}


@pytest.mark.parametrize("name", ["no-such-model", "ANKER-A1263", "anker", "a1263", "%00", "小米"])
def test_a_model_that_is_not_in_the_catalog_is_404_and_never_a_similar_one(client: Client, name: str) -> None:
    response = client.get(f"{DEVICES}/{name}")
    assert (response.status_code, problem(response)["code"]) == (404, "MODEL_NOT_FOUND")


# --- Serials ----------------------------------------------------------------------------------------------


def test_a_serial_of_a_model_without_recalls_has_nothing_to_be_compared_with(client: Client) -> None:
    answered = read(client, f"{DEVICES}/{WITHOUT_RECALLS}", serial=SERIAL)
    assert answered["recall_count"] == 0
    assert "serial_evaluation" not in answered


@pytest.mark.parametrize(
    ("model_id", "serial", "status", "method", "verdict"),
    [
        ("baseus-bs-30kp365", "BS1234D", "affected", "pattern", "banned"),
        ("baseus-bs-30kp365", "bs 1234 d", "affected", "pattern", "banned"),
        ("baseus-bs-30kp365", "BS12D4A", "not_affected", "pattern", "conditional"),
        ("baseus-bs-30kp365", "BS1234X", "unknown", "external_list_required", "conditional"),
        ("belkin-bpb002", "35S12345678901", "affected", "pattern", "banned"),
        ("belkin-bpb002", "99X12345678901", "unknown", "none", "conditional"),
        ("anker-a1366", "WHATEVER", "affected", "pattern", "banned"),
        # The maker's list of the American recall decides, though nothing at all can be said of the Japanese.
        ("anker-a1263", "WHATEVER", "unknown", "external_list_required", "conditional"),
    ],
)
def test_the_recalls_of_a_model_together_say_one_thing_of_a_unit(
    client: Client, model_id: str, serial: str, status: str, method: str, verdict: str
) -> None:
    evaluation = read(client, f"{DEVICES}/{model_id}", serial=serial)["serial_evaluation"]
    if status == "unknown":
        where = {"external_list_required": "check_recall_list", "none": "read_recall_notice"}
        assert step(evaluation) == where[method]
        assert evaluation.pop("suggested_next_step")["url"]
    assert evaluation == {
        "provided_serial": serial,
        "match_status": status,
        "match_method": method,
        "verdict_if_used_for_flight": verdict,
    }


def test_the_strictest_of_several_recalls_wins(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def by_pattern(recall_id: str, pattern: str) -> Recall:
        affected = AffectedSerials(
            scope="serial_pattern", identifier="serial", pattern=pattern, exhaustive=True
        )
        return a_recall(recall_id=recall_id, affected_serials=affected, sources=())

    both = (by_pattern("one", "^AA$"), by_pattern("two", "^CC$"))
    answer_from(monkeypatch, devices=(a_device(sources=()),), recalls=both)
    for serial, status in {"AA": "affected", "CC": "affected", "MM": "not_affected"}.items():
        together = read(client, f"{DEVICES}/lynx-10k", serial=serial)["serial_evaluation"]
        assert (together["match_status"], together["match_method"]) == (status, "pattern")
