"""What clients rely on in POST /api/itineraries/verify: several units, several people, several flights."""

import json
import logging
import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests.support.api_requests import ITINERARIES, VERIFY, answer, post, problem

pytestmark = pytest.mark.usefixtures("asked_now")

FIELDS = [
    "public_name",
    "itinerary_verdict_id",
    "verdict",
    "summary",
    "ruleset_version",
    "generated_at",
    "expires_at",
    "packing",
    "items",
    "segments",
    "citations",
]
ANKER = "anker-a1289"
LARGE = "romoss-pea40"


def an_item(ref: str, model_id: str = ANKER, **facts: Any) -> dict[str, Any]:
    """An item that nothing is wrong with."""
    facts = {"ccc_mark": "present", "condition": "intact", "capacity_label": "legible", **facts}
    return {"ref": ref, **({} if "label" in facts else {"model_id": model_id}), **facts}


def a_flight(origin: str, destination: str, airline: str | None, **more: str) -> dict[str, Any]:
    operating = {} if airline is None else {"operating_airline": airline}
    return {"origin": origin, "destination": destination, "date": "2026-12-20", **operating, **more}


def an_itinerary(*items: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A question about these items on a flight of Emirates."""
    return {"items": list(items), "segments": [a_flight("AE", "GB", "EK")], **changes}


def ask(client: Client, *items: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return answer(client, ITINERARIES, an_itinerary(*items, **changes))


def codes(said: list[dict[str, Any]]) -> list[str]:
    return [one["code"] for one in said]


def test_the_example_of_the_documentation_is_answered(client: Client) -> None:
    page = (settings.BASE_DIR / "docs" / "itineraries.md").read_text()
    [body] = re.findall(r"-d '(.*?)'", page, re.DOTALL)
    answered = answer(client, ITINERARIES, json.loads(body))
    assert [one["passenger"] for one in answered["packing"]["passengers"]] == [1, 2]
    assert answered["verdict"] == "conditional"


def test_two_models_on_an_airline_that_accepts_one_are_banned_and_each_alone_is_allowed(
    client: Client,
) -> None:
    body = ask(client, an_item("first"), an_item("second", "anker-a1336"))
    assert list(body) == FIELDS
    assert body["verdict"] == "banned"
    assert body["packing"]["stays"] == [{"ref": "second", "quantity": 1, "because": "numbers"}]
    assert body["packing"]["may_travel"] == {
        "verdict": "allowed",
        "items": [{"ref": "first", "quantity": 1, "carried_by": 1}],
    }
    assert "Leave at home: second." in body["summary"]
    [limit] = [one for one in body["segments"][0]["constraints"] if one["code"] == "max_units_1"]
    assert limit["rule_ids"] == ["ek.max-units"]
    assert limit["refs"] == ["first", "second"]
    for one in (an_item("first"), an_item("second", "anker-a1336")):
        assert ask(client, one)["verdict"] == "allowed"


def test_the_same_two_models_are_allowed_for_two_passengers_with_a_plan(client: Client) -> None:
    body = ask(client, an_item("first"), an_item("second", "anker-a1336"), passengers=2)
    assert body["verdict"] == "allowed"
    assert body["packing"] == {
        "passengers": [
            {"passenger": 1, "items": [{"ref": "first", "quantity": 1}], "verdict": "allowed"},
            {"passenger": 2, "items": [{"ref": "second", "quantity": 1}], "verdict": "allowed"},
        ]
    }
    assert "Passenger 2 carries: second." in body["summary"]


def test_of_two_units_of_one_item_the_summary_says_how_many_stay_and_how_many_travel(client: Client) -> None:
    body = ask(client, an_item("anker", quantity=2))
    assert body["verdict"] == "banned"
    assert "Leave at home: anker (1)." in body["summary"]
    assert body["summary"].endswith("may travel together: anker (1).")


def test_the_summary_says_how_to_carry_them_on_the_strictest_flight(client: Client) -> None:
    flights = [a_flight("AU", "AE", "QF"), a_flight("AE", "GB", "EK")]
    body = ask(client, an_item("first"), segments=flights)
    assert body["verdict"] == "allowed"
    assert body["summary"] == (
        "These power banks may travel on all flights. At most 1 power bank per passenger. Do not use or "
        "recharge them on board. Keep them out of the overhead bin."
    )


def test_of_five_units_for_four_passengers_one_stays(client: Client) -> None:
    body = ask(
        client, an_item("anker", quantity=3), an_item("other", "anker-a1336", quantity=2), passengers=4
    )
    assert body["verdict"] == "banned"
    assert body["packing"]["stays"] == [{"ref": "other", "quantity": 1, "because": "numbers"}]
    assert len(body["packing"]["may_travel"]["items"]) == 4


def test_the_airline_that_flies_decides_and_not_the_one_that_sold_the_ticket(client: Client) -> None:
    flight = a_flight("AU", "AE", "EK", marketing_airline="QF")
    body = ask(client, an_item("pair", quantity=2), segments=[flight])
    assert body["verdict"] == "banned"
    assert body["segments"][0]["operating_airline"] == "EK"
    assert body["segments"][0]["marketing_airline"] == "QF"
    sold = a_flight("AU", "AE", "QF", marketing_airline="EK")
    body = ask(client, an_item("pair", quantity=2), segments=[sold])
    assert body["verdict"] != "banned"
    [stricter] = [
        one for one in body["segments"][0]["warnings"] if one["code"] == "marketing_airline_stricter"
    ]
    assert stricter["severity"] == "caution"
    assert stricter["message"].startswith("EK, which sold this flight")


def test_a_flight_known_only_by_its_seller_is_conditional_at_best(client: Client) -> None:
    body = ask(client, an_item("one"), segments=[a_flight("DE", "SG", None, marketing_airline="SQ")])
    [segment] = body["segments"]
    assert body["verdict"] == segment["verdict"] == "conditional"
    assert segment["items"] == [
        {"ref": "one", "verdict": "conditional", "decided_by": ["operating_airline_unconfirmed"]}
    ]
    assert segment["suggested_next_step"]["code"] == "find_operating_airline"


def test_an_operator_that_is_not_covered_is_never_replaced_by_the_seller(client: Client) -> None:
    body = ask(client, an_item("one"), segments=[a_flight("DE", "SG", "ZZ", marketing_airline="SQ")])
    assert body["verdict"] == "insufficient"
    assert body["segments"][0]["error"]["code"] == "AIRLINE_NOT_COVERED"
    assert body["packing"]["undecided"] == ["one"]


def test_a_return_across_a_change_of_rules_is_judged_on_its_own_dates(client: Client) -> None:
    out = [a_flight("DE", "SG", "SQ"), a_flight("SG", "AU", "SQ")]
    back = [a_flight("AU", "SG", "SQ", date="2027-01-03"), a_flight("SG", "DE", "SQ", date="2027-01-03")]
    body = ask(client, an_item("large", LARGE), segments=[*out, *back])
    assert body["verdict"] == "conditional"
    assert [segment["date"] for segment in body["segments"]] == ["2026-12-20"] * 2 + ["2027-01-03"] * 2
    rescreened = ["transit_rescreening" in codes(segment["warnings"]) for segment in body["segments"]]
    assert rescreened == [False, True, False, True]
    upcoming = [
        one for segment in body["segments"] for one in segment["warnings"] if "upcoming" in one["code"]
    ]
    assert any("January 2027" in one["message"] for one in upcoming)


def test_a_capacity_without_its_voltage_is_insufficient_and_says_what_to_read(client: Client) -> None:
    body = ask(client, an_item("old", label={"capacity_mah": 20000}))
    assert body["verdict"] == "insufficient"
    assert body["items"][0]["label"] == {"capacity_mah": 20000}
    assert body["segments"][0]["items"][0]["decided_by"] == ["watt_hour_unknown"]
    assert "the voltage next to its mAh" in body["segments"][0]["suggested_next_step"]["message"]


def test_a_label_is_conditional_at_best_and_the_higher_of_its_figures_counts(client: Client) -> None:
    body = ask(client, an_item("old", label={"watt_hour": 74}))
    assert body["segments"][0]["items"][0]["decided_by"] == ["exact_model_unknown"]
    large = ask(client, an_item("old", label={"watt_hour": 74, "capacity_mah": 60000, "voltage": 3.7}))
    assert large["verdict"] == "banned"


def test_a_damaged_unit_stays_and_the_others_go(client: Client) -> None:
    items = an_item("first"), an_item("broken", condition="damaged"), an_item("third", "anker-a1336")
    body = ask(client, *items, segments=[a_flight("DE", "SG", "SQ")])
    assert body["verdict"] == "banned"
    assert body["packing"]["stays"] == [{"ref": "broken", "quantity": 1, "because": "unit"}]
    assert [one["ref"] for one in body["packing"]["may_travel"]["items"]] == ["first", "third"]


def test_a_unit_of_unknown_watt_hours_is_undecided_and_the_other_goes(client: Client) -> None:
    items = an_item("known"), an_item("unknown", label={"capacity_mah": 20000})
    body = ask(client, *items, segments=[a_flight("DE", "SG", "SQ")])
    assert body["verdict"] == "insufficient"
    assert body["packing"]["undecided"] == ["unknown"]
    assert [one["ref"] for one in body["packing"]["may_travel"]["items"]] == ["known"]


def test_a_unit_that_is_banned_only_in_checked_baggage_moves_to_the_cabin(client: Client) -> None:
    body = ask(client, an_item("one", compartment_intent="checked"))
    assert body["verdict"] == "banned"
    assert body["packing"]["move_to_cabin"] == ["one"]
    assert "stays" not in body["packing"]
    assert "may_travel" not in body["packing"]


def test_an_item_alone_in_its_bag_has_the_verdict_id_of_the_single_question(client: Client) -> None:
    item = an_item("one")
    body = ask(client, item)
    trip = {"origin": "AE", "destination": "GB", "airline": "EK", "date": "2026-12-20"}
    alone = answer(client, VERIFY, {**{k: v for k, v in item.items() if k != "ref"}, "trip": trip})
    [segment] = body["segments"]
    assert segment["items"][0]["verdict_id"] == alone["verdict_id"]
    for name in ("constraints", "warnings"):
        assert [{**one, "refs": ["one"]} for one in alone[name]] == segment[name]
    assert body["citations"] == alone["citations"]
    assert body["items"][0]["device_resolved"] == alone["device_resolved"]


def test_an_airport_names_its_country_and_the_answer_repeats_both(client: Client) -> None:
    body = ask(client, an_item("one"), segments=[a_flight("DXB", "LHR", "EK")])
    [segment] = body["segments"]
    assert (segment["origin"], segment["origin_airport"]) == ("AE", "DXB")
    assert (segment["destination"], segment["destination_airport"]) == ("GB", "LHR")


def test_a_date_that_was_not_given_is_said_to_be_assumed(client: Client) -> None:
    flights = [
        {name: value for name, value in a_flight("AE", "GB", "EK").items() if name != "date"},
        a_flight("GB", "AE", "EK"),
    ]
    body = ask(client, an_item("one"), segments=flights)
    assert [segment.get("date_assumed") for segment in body["segments"]] == [True, None]


def test_refs_that_are_left_out_are_numbered(client: Client) -> None:
    body = ask(client, {"model_id": ANKER}, {"label": {"watt_hour": 50}}, passengers=2)
    assert [item["ref"] for item in body["items"]] == ["item_1", "item_2"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"passengers": 10}, "passengers"),
        ({"items": []}, "items"),
        ({"items": [{"ref": "one"}]}, "items[0].model_id"),
        ({"items": [{"model_id": ANKER, "label": {"watt_hour": 50}}]}, "items[0].label"),
        ({"items": [{"label": {}}]}, "items[0].label.watt_hour"),
        ({"items": [{"label": {"watt_hour": 5, "capacity_mah": 20000}}]}, "items[0].label.watt_hour"),
        ({"items": [{"label": {"watt_hour": 50}, "serial": "A1"}]}, "items[0].serial"),
        ({"items": [{"model_id": ANKER, "quantity": 2, "serial": "A1"}]}, "items[0].quantity"),
        ({"items": [{"model_id": ANKER, "quantity": 2, "serial_hash": "0" * 64}]}, "items[0].quantity"),
        ({"items": [{"model_id": ANKER, "carried_by": 2}]}, "items[0].carried_by"),
        ({"items": [{"model_id": ANKER, "ref": "a b"}]}, "items[0].ref"),
        ({"items": [{"model_id": ANKER, "ref": "x"}, {"model_id": ANKER, "ref": "x"}]}, "items[1].ref"),
        ({"items": [{"model_id": ANKER, "quantty": 2}]}, "items[0].quantty"),
        ({"segments": []}, "segments"),
        ({"segments": [a_flight("AE", "GB", None)]}, "segments[0].operating_airline"),
        ({"segments": [a_flight("XX", "GB", "EK")]}, "segments[0].origin"),
        ({"segments": [a_flight("AE", "ZZX", "EK")]}, "segments[0].destination"),
        (
            {"segments": [a_flight("AE", "GB", "EK"), a_flight("GB", "AE", "EK", date="2026-12-19")]},
            "segments[1].date",
        ),
        ({"else": 1}, "else"),
    ],
)
def test_what_is_wrong_is_refused_by_name(client: Client, changes: dict[str, Any], field: str) -> None:
    refused = problem(post(client, ITINERARIES, an_itinerary(an_item("one")) | changes))
    assert refused["code"] == "VALIDATION_ERROR"
    assert [one["field"] for one in refused["errors"]] == [field]


def test_a_question_that_is_too_large_is_refused(client: Client) -> None:
    items = [an_item(f"item_{number}", quantity=20) for number in range(3)]
    body = an_itinerary(*items, segments=[a_flight("AE", "GB", "EK")] * 7)
    refused = problem(post(client, ITINERARIES, body))
    assert refused["code"] == "QUESTION_TOO_LARGE"
    assert "60 units on 7 flights" in refused["detail"]


def test_every_ten_units_count_as_a_request(client: Client) -> None:
    first = post(client, ITINERARIES, an_itinerary(an_item("one")))
    second = post(client, ITINERARIES, an_itinerary(an_item("one", quantity=20), an_item("two")))
    left = [int(response["RateLimit-Remaining"]) for response in (first, second)]
    assert left[0] - left[1] == 3


def test_a_serial_is_never_logged(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        body = ask(client, an_item("one", "anker-a1263", serial="35S24B8A013027"))
    assert "35S24B8A013027" in json.dumps(body["items"])
    assert "35S24B8A013027" not in caplog.text


def test_texts_are_in_the_language_of_the_question(client: Client) -> None:
    english = ask(client, an_item("a"), an_item("b"))
    for language in ("de", "es", "fr", "ja", "ko", "zh-hans", "zh-hant"):
        other = ask(client, an_item("a"), an_item("b"), options={"language": language})
        assert other["summary"] != english["summary"]
