"""What is accepted because nothing is lost: null, empty lists, regional tags; and how codes are corrected."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from compliance.api.protocol.errors import ApiError
from compliance.api.protocol.fields import supported_language
from compliance.api.verdicts import questions
from compliance.api.verdicts.itinerary_request import itinerary_request
from compliance.api.verdicts.requests import COUNTRIES
from tests.support.agent_client import call, tool_result
from tests.support.api_requests import (
    BATCH,
    ITINERARIES,
    ITINERARY_BATCH,
    TRIPS,
    VERIFY,
    a_request,
    a_trip,
    answer,
    errors,
    post,
    problem,
)
from tests.support.starter import NOW

pytestmark = pytest.mark.usefixtures("asked_now")

SERIAL = "35S24B8A013027"

UNIT = ("ccc_mark", "quantity", "capacity_label", "condition", "recall_check", "serial", "serial_hash")
HOW = ("options", "ruleset_version")
LEG = {"origin": "JP", "destination": "SG", "airline": "SQ"}
FLIGHT = {"origin": "DXB", "destination": "GB", "operating_airline": "EK"}
MODEL = {"model_id": "anker-a1289"}

Place = tuple[str | int, ...]

OPTIONAL: list[tuple[str, dict[str, Any], list[Place]]] = [
    (
        VERIFY,
        a_request(options={}),
        [
            *((name,) for name in (*UNIT, "ruleset_version")),
            *(("trip", name) for name in ("compartment_intent", "date", "transit", "legs")),
            *(("options", name) for name in ("language", "citations")),
        ],
    ),
    (VERIFY, a_request(), [("options",)]),
    (
        TRIPS,
        a_trip(),
        [
            *(("device", name) for name in UNIT),
            *(("trip", name) for name in ("compartment_intent", "date", "legs")),
            *((name,) for name in HOW),
        ],
    ),
    (
        TRIPS,
        {"device": MODEL, "trip": {"legs": [LEG]}},
        [("trip", name) for name in ("origin", "transit", "destination", "airline", "date")],
    ),
    (
        ITINERARIES,
        {"items": [MODEL, {"label": {"watt_hour": 74}}], "segments": [FLIGHT, FLIGHT]},
        [
            *((name,) for name in ("passengers", *HOW)),
            *(("items", 0, name) for name in (*UNIT, "ref", "carried_by", "compartment_intent", "label")),
            *(("items", 1, name) for name in (*UNIT, "ref", "carried_by", "compartment_intent", "model_id")),
            *(("items", 1, "label", name) for name in ("capacity_mah", "voltage")),
            *(("segments", 1, name) for name in ("marketing_airline", "date")),
        ],
    ),
]
"""Good bodies, and the places in them where a field may be that says nothing."""

READERS: dict[str, Callable[..., Any]] = {
    VERIFY: questions.verify_request,
    TRIPS: questions.trip_request,
    ITINERARIES: itinerary_request,
}


def with_nulls(body: dict[str, Any], places: list[Place]) -> dict[str, Any]:
    changed: dict[str, Any] = json.loads(json.dumps(body))
    for *way, name in places:
        inner: Any = changed
        for step in way:
            inner = inner[step]
        inner[name] = None
    return changed


def read(path: str, body: dict[str, Any]) -> Any:
    return READERS[path](body, today=NOW.date(), countries=COUNTRIES)


@settings(deadline=None)
@given(st.data())
def test_a_null_field_is_read_as_an_absent_one(data: st.DataObject) -> None:
    path, body, places = data.draw(st.sampled_from(OPTIONAL))
    nulls = data.draw(st.lists(st.sampled_from(places), min_size=1, unique=True))
    assert read(path, with_nulls(body, nulls)) == read(path, body)


@pytest.mark.parametrize(("path", "body", "places"), OPTIONAL)
def test_all_of_them_null_get_the_same_answer(
    client: Client, path: str, body: dict[str, Any], places: list[Place]
) -> None:
    assert answer(client, path, with_nulls(body, places)) == answer(client, path, body)


def test_a_null_makes_no_answer_milder_than_leaving_out_does(client: Client) -> None:
    recalled = {"model_id": "anker-a1263", "trip": LEG}
    said = answer(client, VERIFY, {**recalled, "serial": None, "serial_hash": None, "recall_check": None})
    assert said == answer(client, VERIFY, recalled)
    assert said["verdict"] != "allowed"


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        (VERIFY, {**a_request(), "model_id": None}, "model_id"),
        (VERIFY, {**a_request(), "trip": None}, "trip"),
        (VERIFY, a_request({"airline": None}), "trip.airline"),
        (TRIPS, {**a_trip(), "device": None}, "device"),
        (ITINERARIES, {"items": None, "segments": [FLIGHT]}, "items"),
        (ITINERARIES, {"items": [MODEL], "segments": None}, "segments"),
        (BATCH, {"items": None}, "items"),
        (ITINERARY_BATCH, {"items": None}, "items"),
    ],
)
def test_a_required_field_that_is_null_is_asked_for(
    client: Client, path: str, body: dict[str, Any], field: str
) -> None:
    assert errors(post(client, path, body)) == {field: "required"}


def test_a_null_is_no_name_that_is_known_and_no_item_of_a_list(client: Client) -> None:
    assert errors(post(client, VERIFY, a_request(serail=None))) == {"serail": "unknown_field"}
    assert errors(post(client, TRIPS, a_trip({"transit": ["KR", None]}))) == {"trip.transit[1]": "wrong_type"}
    assert errors(post(client, ITINERARIES, {"items": [MODEL, None], "segments": [FLIGHT]})) == {
        "items[1]": "wrong_type"
    }
    gap = tool_result(client, "verify_power_bank", **MODEL, **LEG, serail=None)["gap"]
    assert [(one["field"], one["code"]) for one in gap["errors"]] == [("serail", "unknown_field")]


# --- Empty lists ---


def test_no_stops_are_a_direct_flight_at_both_endpoints(client: Client) -> None:
    assert answer(client, VERIFY, a_request({"transit": []})) == answer(client, VERIFY, a_request())
    direct = {"device": MODEL, "trip": LEG}
    said = answer(client, TRIPS, {"device": MODEL, "trip": {**LEG, "transit": []}})
    assert said == answer(client, TRIPS, direct)
    assert len(said["segments"]) == 1
    for tool in ("verify_power_bank", "verify_trip"):
        assert tool_result(client, tool, **MODEL, **LEG, transit=[]) == tool_result(
            client, tool, **MODEL, **LEG
        )


def test_an_empty_list_of_flights_is_absent_where_the_stops_say_the_journey(client: Client) -> None:
    assert answer(client, VERIFY, a_request({"legs": []})) == answer(client, VERIFY, a_request())
    assert answer(client, TRIPS, a_trip({"legs": []})) == answer(client, TRIPS, a_trip())
    flights = {"device": MODEL, "trip": {"legs": [LEG]}}
    assert answer(client, TRIPS, {"device": MODEL, "trip": {"legs": [LEG], "transit": []}}) == answer(
        client, TRIPS, flights
    )


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        (TRIPS, {"device": MODEL, "trip": {"legs": []}}, "trip.legs"),
        (ITINERARIES, {"items": [], "segments": [FLIGHT]}, "items"),
        (ITINERARIES, {"items": [MODEL], "segments": []}, "segments"),
        (BATCH, {"items": []}, "items"),
        (ITINERARY_BATCH, {"items": []}, "items"),
    ],
)
def test_a_question_without_units_or_flights_is_refused(
    client: Client, path: str, body: dict[str, Any], field: str
) -> None:
    assert errors(post(client, path, body)) == {field: "out_of_range"}


# --- Languages ---


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        *(
            ("en", "en"),
            ("EN", "en"),
            ("en-GB", "en"),
            ("de-AT", "de"),
            ("es-419", "es"),
            ("fr-Latn-CA", "fr"),
        ),
        *(("zh-Hant", "zh-hant"), ("zh-Hans-SG", "zh-hans"), ("zh-TW", "zh-hant"), ("zh-CN", "zh-hans")),
        *(("zh", ""), ("nl", ""), ("", ""), ("en-", ""), ("en_GB", ""), ("english", ""), ("en-GB\n", "")),
        *(("e", ""), ("-en", ""), ("en-" * 40 + "GB", ""), ("\u0435n", "")),
    ],
)
def test_a_tag_means_its_language_or_none(tag: str, language: str) -> None:
    assert supported_language(tag) == language


def test_a_regional_language_gets_the_answer_of_its_language_everywhere(client: Client) -> None:
    asked: list[tuple[str, dict[str, Any]]] = [
        (VERIFY, a_request()),
        (TRIPS, a_trip()),
        (ITINERARIES, {"items": [MODEL], "segments": [FLIGHT]}),
    ]
    for path, body in asked:
        german = answer(client, path, {**body, "options": {"language": "de"}})
        assert answer(client, path, {**body, "options": {"language": "de-CH"}}) == german
        assert german["summary"] != answer(client, path, body)["summary"]
    batch = {"items": [a_request()]}
    assert answer(client, BATCH, {**batch, "options": {"language": "de-CH"}}) == answer(
        client, BATCH, {**batch, "options": {"language": "de"}}
    )
    assert tool_result(client, "verify_power_bank", **MODEL, **LEG, language="de-CH") == tool_result(
        client, "verify_power_bank", **MODEL, **LEG, language="de"
    )
    rules = client.get("/api/rules?language=de-CH&limit=3").json()
    assert rules == client.get("/api/rules?language=de&limit=3").json()
    assert errors(client.get("/api/rules?language=nl")) == {"language": "invalid_choice"}


# --- Codes in lower case ---

LOWER: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (VERIFY, a_request({"origin": "jp", "airline": "sq"}, serial=SERIAL), a_request(serial=SERIAL)),
    (TRIPS, a_trip({"transit": ["kr"], "destination": "Sg"}), a_trip()),
    (
        TRIPS,
        {"device": MODEL, "trip": {"legs": [LEG, {"origin": "SG", "destination": "th", "airline": "sq"}]}},
        {"device": MODEL, "trip": {"legs": [LEG, {"origin": "SG", "destination": "TH", "airline": "SQ"}]}},
    ),
    (
        ITINERARIES,
        {"items": [MODEL], "segments": [{**FLIGHT, "origin": "dxb", "operating_airline": "ek"}]},
        {"items": [MODEL], "segments": [FLIGHT]},
    ),
]


@pytest.mark.parametrize(("path", "wrong", "right"), LOWER)
def test_a_code_in_lower_case_is_refused_with_the_request_to_send(
    client: Client, path: str, wrong: dict[str, Any], right: dict[str, Any]
) -> None:
    refused = problem(post(client, path, wrong))
    assert refused["status"] == 400
    assert refused["corrected_request"] == right
    assert answer(client, path, refused["corrected_request"]) == answer(client, path, right)


def test_each_question_of_a_batch_gets_its_own_correction(client: Client) -> None:
    for path, batch in ((VERIFY, BATCH), (ITINERARIES, ITINERARY_BATCH)):
        pairs = [(wrong, right) for address, wrong, right in LOWER if address == path]
        said = answer(client, batch, {"items": [wrong for wrong, _ in pairs]})
        assert [item["problem"]["corrected_request"] for item in said["items"]] == [
            right for _, right in pairs
        ]


def test_an_agent_gets_the_arguments_to_send(client: Client) -> None:
    for tool, wrong, right in (
        (
            "verify_power_bank",
            {**MODEL, **LEG, "origin": "jp", "airline": "Singapore Airlines"},
            {"origin": "JP"},
        ),
        ("verify_trip", {**MODEL, **LEG, "transit": ["kr"]}, {"transit": ["KR"]}),
        (
            "verify_itinerary",
            {"items": [MODEL], "segments": [{**FLIGHT, "destination": "gb"}]},
            {"segments": [FLIGHT]},
        ),
    ):
        result = call(client, tool, **wrong)
        assert result["isError"]
        corrected = result["structuredContent"]["gap"]["corrected_arguments"]
        assert corrected == {**wrong, **right}
        assert tool_result(client, tool, **corrected)["answer"] is not None


def test_nothing_is_corrected_that_would_still_be_wrong(client: Client) -> None:
    for path, body in (
        (VERIFY, a_request({"origin": "jp"}, quantity=0)),
        (VERIFY, a_request({"origin": "xx"})),
        (VERIFY, a_request({"origin": "jpn"})),
        (VERIFY, a_request(model_id="ANKER-A1289")),
        # The flights would not connect.
        (TRIPS, {"device": MODEL, "trip": {"legs": [LEG, {**LEG, "origin": "jp"}]}}),
        (ITINERARIES, {"items": [MODEL], "segments": [{**FLIGHT, "origin": "zzz"}]}),
    ):
        assert "corrected_request" not in problem(post(client, path, body))


@pytest.mark.parametrize("code", ["UK", "uk"])
def test_the_code_that_the_united_kingdom_has_reserved_is_corrected_and_not_taken(
    client: Client, code: str
) -> None:
    itinerary = {"items": [MODEL], "segments": [FLIGHT]}
    for path, body, right in (
        (VERIFY, a_request({"destination": code}), a_request({"destination": "GB"})),
        (TRIPS, a_trip({"transit": [code]}), a_trip({"transit": ["GB"]})),
        (ITINERARIES, {**itinerary, "segments": [{**FLIGHT, "destination": code}]}, itinerary),
    ):
        refused = problem(post(client, path, body))
        [error] = refused["errors"]
        assert (error["code"], error["correction"]) == ("unknown_country", "GB")
        assert "`GB`" in error["message"]
        assert refused["corrected_request"] == right


def test_an_error_about_a_name_says_where_its_code_is_found(client: Client) -> None:
    for field, name, door in (
        ("airline", "Emirats", "/api/airlines?q="),
        ("origin", "Germany", "/api/places?q="),
        ("destination", "ZZ", "/api/places?q="),
    ):
        refused = problem(post(client, VERIFY, a_request({field: name})))
        [error] = refused["errors"]
        assert error["field"] == f"trip.{field}"
        assert door in error["message"]
        assert "corrected_request" not in refused
        assert client.get(f"{door}{name}").status_code == 200


def test_a_refusal_changes_nothing_in_what_was_sent() -> None:
    body = a_request({"origin": "jp"})
    with pytest.raises(ApiError) as refused:
        read(VERIFY, body)
    assert body == a_request({"origin": "jp"})
    assert refused.value.corrected == a_request()


def test_the_correction_of_an_item_of_a_batch_is_all_that_the_item_means(client: Client) -> None:
    version = answer(client, VERIFY, a_request())["ruleset_version"]
    how = {"options": {"language": "de", "citations": "none"}, "ruleset_version": version}
    itinerary = {"items": [MODEL], "segments": [FLIGHT]}
    for batch, right, wrong in (
        (BATCH, a_request(), a_request({"origin": "jp"})),
        (ITINERARY_BATCH, itinerary, {**itinerary, "segments": [{**FLIGHT, "destination": "gb"}]}),
    ):
        [item] = answer(client, batch, {"items": [{"ref": "r1", **wrong}], **how})["items"]
        corrected = item["problem"]["corrected_request"]
        assert corrected == {"ref": "r1", **right, **how}
        assert answer(client, batch, {"items": [corrected]}) == answer(
            client, batch, {"items": [{"ref": "r1", **right}], **how}
        )
        own = {"options": {"language": "fr"}}
        [item] = answer(client, batch, {"items": [{**wrong, **own}], "options": {"citations": "none"}})[
            "items"
        ]
        assert item["problem"]["corrected_request"] == {
            **right,
            "options": {"language": "fr", "citations": "none"},
        }


def test_a_correction_of_a_watch_is_one_that_makes_a_watch(client: Client) -> None:
    wrong = a_trip({"origin": "jp"})
    itinerary = {"items": [MODEL], "segments": [{**FLIGHT, "origin": "dxb"}]}
    assert problem(post(client, "/api/watches", wrong))["corrected_request"] == a_trip()
    for body in (
        {**wrong, "device": {**wrong["device"], "serial": SERIAL}},
        {**wrong, "ruleset_version": "2026-11-20"},
        {**itinerary, "items": [{**MODEL, "serial": SERIAL}]},
        {**itinerary, "ruleset_version": "2026-11-20"},
    ):
        assert "corrected_request" not in problem(post(client, "/api/watches", body))
