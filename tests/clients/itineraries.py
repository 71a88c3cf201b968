"""Vectors about itineraries: who may pack where several people, units and flights are in one answer.

Each begins with an answer that clears both passengers, or with one that clears the first alone, and changes
the one thing that it is named after. `passengers` in a read is the reason against each of them.
"""

from collections.abc import Iterator
from typing import Any

from tests.clients.made_up import (
    ALLOWED,
    DAY,
    JOURNEY,
    PASS,
    RECALL,
    Json,
    changed,
    failure,
    read,
    reply,
    vector,
)

ITINERARY: Json = {
    "passengers": 2,
    "items": [
        {"ref": "slim", "model_id": "acme-slim-10k", "quantity": 2},
        {"model_id": "acme-slim-20k", "carried_by": 2},
    ],
    "segments": [
        {
            "origin": "HND",
            "destination": "SIN",
            "operating_airline": "SQ",
            "marketing_airline": "NH",
            "date": "2026-12-01",
        },
        {"origin": "SG", "destination": "JP", "operating_airline": "SQ"},
    ],
}


def _item(ref: str, model_id: str, quantity: int, watt_hour: float) -> Json:
    device = {**ALLOWED["device_resolved"], "model_id": model_id, "watt_hour": watt_hour}
    return {"ref": ref, "quantity": quantity, "verdict": "allowed", "device_resolved": device}


def _segment(index: int, **more: Any) -> Json:
    about = {"rule_ids": ["sq.max-units"], "refs": ["slim", "item_2"]}
    return {
        "index": index,
        **more,
        "verdict": "allowed",
        "constraints": [{**one, **about} for one in ALLOWED["constraints"]],
        "warnings": [{**one, **about} for one in ALLOWED["warnings"]],
        "items": [
            {"ref": "slim", "verdict": "allowed", "decided_by": []},
            {"ref": "item_2", "verdict": "allowed", "decided_by": []},
        ],
    }


CLEAR: Json = {
    "public_name": "Trip Battery Pass",
    "itinerary_verdict_id": "itn_oyhcwzabuukrci6h4mdse6bmyh",
    "verdict": "allowed",
    "summary": "Allowed in the cabin on all these flights. Passenger 1 carries: slim (1).",
    "ruleset_version": "2026-11-20",
    "generated_at": "2026-11-22T12:00:00Z",
    "expires_at": "2026-11-23T12:00:00Z",
    "packing": {
        "passengers": [
            {"passenger": 1, "items": [{"ref": "slim", "quantity": 1}], "verdict": "allowed"},
            {
                "passenger": 2,
                "items": [{"ref": "slim", "quantity": 1}, {"ref": "item_2", "quantity": 1}],
                "verdict": "allowed",
            },
        ]
    },
    "items": [_item("slim", "acme-slim-10k", 2, 37.0), _item("item_2", "acme-slim-20k", 1, 74.0)],
    "segments": [
        _segment(
            1,
            origin="JP",
            destination="SG",
            origin_airport="HND",
            destination_airport="SIN",
            operating_airline="SQ",
            marketing_airline="NH",
            date="2026-12-01",
        ),
        _segment(
            2,
            origin="SG",
            destination="JP",
            operating_airline="SQ",
            date="2026-12-01",
            date_assumed=True,
        ),
    ],
    "citations": ALLOWED["citations"],
}
"""Both passengers may pack."""


def _second(verdict: str, **packing: Any) -> Json:
    """Return an answer that clears the first passenger, but not the second."""
    said: Json = {"verdict": verdict, "packing__passengers__1__verdict": verdict}
    said |= {f"items__{at}__verdict": verdict for at in (0, 1)}
    for at in (0, 1):
        said |= {f"segments__{at}__verdict": verdict}
        said |= {f"segments__{at}__items__{item}__verdict": verdict for item in (0, 1)}
    body = changed(CLEAR, **said)
    return {**body, "packing": {**body["packing"], **packing}}


MAY_TRAVEL: Json = {
    "verdict": "allowed",
    "items": [
        {"ref": "slim", "quantity": 1, "carried_by": 1},
        {"ref": "slim", "quantity": 1, "carried_by": 2},
    ],
}
STAYS: Json = {"stays": [{"ref": "item_2", "quantity": 1, "because": "numbers"}], "may_travel": MAY_TRAVEL}
BANNED = _second("banned", **STAYS)
"""The first passenger may pack, the second carries one unit too many."""


def itinerary(name: str, why: str, replies: Json, *why_nots: str | None, **more: Any) -> Json:
    """Return a vector: the reason against the whole itinerary, then against each passenger."""
    reads = more.pop("reads", None) or [read(why_nots[0], passengers=list(why_nots[1:]))]
    return vector(f"itinerary-{name}", why, replies, *reads, **{"request": ITINERARY, **more})


def vectors() -> Iterator[Json]:
    """Return all of them."""
    yield from _verdicts()
    yield from _malformed()
    yield from _of_other_questions()
    yield from _contradictory()
    yield from _around()


def _verdicts() -> Iterator[Json]:
    yield itinerary("clear", "Every passenger may pack what they carry.", reply(CLEAR), None, None, None)
    yield itinerary(
        "clear-for-one",
        "The first passenger may pack, the second carries one unit too many.",
        reply(BANNED),
        *("banned", None, "banned"),
    )
    undecided = _second("insufficient", undecided=["item_2"], may_travel=MAY_TRAVEL)
    yield itinerary(
        "undecided",
        "A unit of the second passenger cannot be judged.",
        reply(undecided),
        *("insufficient", None, "insufficient"),
    )
    yield itinerary(
        "conditional",
        "The second passenger has to settle something first.",
        reply(_second("conditional")),
        *("conditional", None, "conditional"),
    )
    moved = _second("banned", move_to_cabin=["item_2"], may_travel=MAY_TRAVEL)
    yield itinerary(
        "move-to-cabin",
        "A unit of the second passenger is in checked baggage.",
        reply(moved),
        *("banned", None, "banned"),
        request=changed(ITINERARY, items__1__compartment_intent="checked"),
    )
    three = {**ITINERARY, "passengers": 3}
    yield itinerary(
        "clear-with-nothing",
        "Who carries nothing is no reason against the others.",
        reply(CLEAR),
        *(None, None, None, None),
        request=three,
    )
    yield itinerary(
        "banned-with-nothing",
        "Who carries nothing shows what the whole itinerary shows.",
        reply(BANNED),
        *("banned", None, "banned", "banned"),
        request=three,
    )
    label = changed(
        _second("conditional"), items__1__device_resolved=..., items__1__label={"watt_hour": 74.0}
    )
    by_label = changed(ITINERARY, items__1__model_id=..., items__1__label={"watt_hour": 74})
    yield itinerary(
        "label",
        "The model of a unit is unknown; the other passenger is clear.",
        reply(label),
        *("conditional", None, "conditional"),
        request=by_label,
    )
    serial = changed(
        CLEAR,
        items__0__device_resolved__recall_check_method="pattern",
        items__0__device_resolved__recalls=[RECALL],
    )
    yield itinerary(
        "clear-serial",
        "The serial number that was asked about is not affected.",
        reply(serial),
        *(None, None, None),
        request=changed(ITINERARY, items__0__serial="AC20007"),
    )
    yield itinerary(
        "clear-with-new-fields",
        "Answers may grow, except in what they say about packing.",
        reply(changed(CLEAR, pictures=[1], items__0__color="red", packing__passengers__0__name="Ann")),
        *(None, None, None),
    )
    yield itinerary(
        "unknown-verdict",
        "`permitted` is no verdict that there is.",
        reply(changed(CLEAR, verdict="permitted")),
        *("unknown_verdict", "contradictory", "contradictory"),
    )
    yield itinerary(
        "unknown-verdict-of-a-passenger",
        "`permitted` is no verdict that there is.",
        reply(changed(CLEAR, packing__passengers__1__verdict="permitted")),
        *("contradictory", "contradictory", "unknown_verdict"),
    )


def _malformed() -> Iterator[Json]:
    value: Any
    malformed = ("malformed",) * 3
    for name in (
        *("verdict", "itinerary_verdict_id", "expires_at", "packing", "items", "segments", "citations"),
        *("packing__passengers", "packing__passengers__0__verdict", "packing__passengers__0__items"),
        *("items__0__verdict", "items__0__quantity", "items__1__device_resolved"),
        *("segments__0__date", "segments__1__operating_airline", "segments__0__constraints__0__refs"),
        *("segments__0__items", "segments__0__items__0__decided_by", "segments__1__verdict"),
    ):
        body = changed(CLEAR, **{name: ...})
        yield itinerary(
            f"malformed-without-{name.replace('__', '-').replace('_', '-')}",
            "A field that the contract promises is missing.",
            reply(body),
            *malformed,
        )
    for name, place, value in (
        ("none-of-a-unit", "packing__passengers__0__items__0__quantity", 0),
        ("fewer-than-none", "packing__passengers__0__items__0__quantity", -1),
        ("passenger-text", "packing__passengers__0__passenger", "1"),
        ("stays-null", "packing__stays", None),
        ("stays-texts", "packing__stays", ["item_2"]),
        ("undecided-text", "packing__undecided", "item_2"),
        ("move-to-cabin-numbers", "packing__move_to_cabin", [2]),
        ("may-travel-true", "packing__may_travel", True),
        ("id-of-a-trip", "itinerary_verdict_id", "trip_oyhcwzabuukrci6h4mdse6bmyh"),
        ("watt-hour-text", "items__0__device_resolved__watt_hour", "37"),
    ):
        yield itinerary(
            f"malformed-{name}",
            "A value of another kind than the contract promises.",
            reply(changed(CLEAR, **{place: value})),
            *malformed,
        )
    yield itinerary(
        "malformed-trip", "A trip's answer to a question about an itinerary.", reply(PASS), *malformed
    )
    yield vector(
        "itinerary-for-a-trip",
        "An itinerary's answer to a question about a trip.",
        reply(CLEAR),
        read("malformed"),
        request=JOURNEY,
    )


def _of_other_questions() -> Iterator[Json]:
    first, second = CLEAR["packing"]["passengers"]
    for name, why, changes in (
        ("item-missing", "An item of the question", {"items__1": ...}),
        ("item-ref", "The name of an item", {"items__1__ref": "item_3"}),
        ("item-quantity", "The number of units", {"items__0__quantity": 1}),
        ("item-model", "The model of an item", {"items__1__device_resolved__model_id": "acme-slim-10k"}),
        ("item-label", "The model of an item", {"items__1__label": {"watt_hour": 74.0}}),
        ("item-order", "The order of the items", {"items": CLEAR["items"][::-1]}),
        ("return", "The return", {"segments__1": ...}),
        (
            "one-more-flight",
            "The number of flights",
            {"segments": [*CLEAR["segments"], _segment(3, **_AGAIN)]},
        ),
        ("flight-order", "The order of the flights", {"segments__0__index": 2, "segments__1__index": 1}),
        ("airport", "An airport", {"segments__0__origin_airport": "NRT"}),
        ("country", "A country", {"segments__1__destination": "KR"}),
        ("airline", "The airline that flies", {"segments__1__operating_airline": "EK"}),
        ("seller-only", "The airline that flies", {"segments__0__operating_airline": ...}),
        ("seller", "The airline that sold the flight", {"segments__0__marketing_airline": ...}),
        ("date", "The date of a flight", {"segments__0__date": "2026-12-02"}),
        ("date-not-assumed", "An assumed date", {"segments__1__date_assumed": ...}),
        ("item-not-flown", "An item on a flight", {"segments__1__items__1": ...}),
        ("passenger-missing", "A passenger", {"packing__passengers__1": ...}),
        ("passenger-of-nobody", "A passenger", {"packing__passengers__1__passenger": 3}),
        ("passenger-zero", "A passenger", {"packing__passengers__0__passenger": 0}),
        ("passenger-twice", "A passenger", {"packing__passengers": [first, second, first]}),
        ("unit-not-packed", "A unit", {"packing__passengers__1__items__0": ...}),
        ("unit-packed-twice", "A unit", {"packing__passengers__0__items__0__quantity": 2}),
        ("unit-unasked", "A unit", {"packing__passengers__0__items__0__ref": "slim2"}),
        (
            "carried-by-another",
            "Who carries an item",
            {
                "packing__passengers": [
                    {**first, "passenger": 2},
                    {**second, "passenger": 1},
                ]
            },
        ),
        ("serial-unasked", "The serial number", {"items__0__device_resolved__recalls": [RECALL]}),
    ):
        yield itinerary(
            f"other-{name}",
            f"{why} is not that of the question.",
            reply(changed(CLEAR, **changes)),
            *("other_question",) * 3,
        )
    yield itinerary(
        "other-unit-stays",
        "A unit stays that was not asked about, perhaps under another name.",
        reply(changed(BANNED, packing__stays__0__ref="item-2")),
        *("other_question",) * 3,
    )


_AGAIN = {"origin": "JP", "destination": "SG", "operating_airline": "SQ", "date": "2026-12-01"}


def _contradictory() -> Iterator[Json]:
    all_of_them = ("contradictory",) * 3
    for name, changes in (
        ("item", {"items__1__verdict": "conditional"}),
        ("item-new-word", {"items__1__verdict": "fine"}),
        ("flight", {"segments__1__verdict": "conditional"}),
        ("item-on-a-flight", {"segments__1__items__1__verdict": "conditional"}),
        ("stays", {"packing__stays": STAYS["stays"]}),
        ("undecided", {"packing__undecided": ["item_2"]}),
        ("move-to-cabin", {"packing__move_to_cabin": ["item_2"]}),
        ("unknown-part", {"packing__to_be_sealed": ["item_2"]}),
        ("uncovered", {"segments__1__error": {"code": "AIRLINE_NOT_COVERED", "message": "Ask it."}}),
    ):
        yield itinerary(
            f"contradictory-{name}",
            "It says allowed, and something that excludes it.",
            reply(changed(CLEAR, **changes)),
            *all_of_them,
        )
    yield itinerary(
        "contradictory-passenger",
        "It says allowed, and one passenger is not.",
        reply(changed(CLEAR, packing__passengers__1__verdict="banned")),
        *("contradictory", "contradictory", "banned"),
    )
    device = "items__1__device_resolved"
    for name, changes in (
        ("recall-affected", {f"{device}__recall_status": "affected"}),
        ("external-list", {f"{device}__recall_check_method": "external_list_required"}),
        ("watt-hours-unknown", {f"{device}__watt_hour": None}),
        ("decided-by", {"segments__0__items__1__decided_by": ["airline_approval_required"]}),
        ("fewer-units", {"segments__1__constraints__0__code": "max_units_1"}),
    ):
        yield itinerary(
            f"contradictory-{name}",
            "It says allowed, and something that excludes it for the second passenger.",
            reply(changed(CLEAR, **changes)),
            *("contradictory", None, "contradictory"),
        )
    yield itinerary(
        "contradictory-checked",
        "An item is in checked baggage, and allowed for the cabin alone.",
        reply(CLEAR),
        *("contradictory", None, "contradictory"),
        request=changed(ITINERARY, items__1__compartment_intent="checked"),
    )
    yield itinerary(
        "contradictory-label",
        "A unit of an unknown model is allowed.",
        reply(changed(CLEAR, items__1__device_resolved=..., items__1__label={"watt_hour": 74.0})),
        *("contradictory", None, "contradictory"),
        request=changed(ITINERARY, items__1__model_id=..., items__1__label={"watt_hour": 74}),
    )
    for name, changes in (
        ("all-stay", {"packing__stays__0": {"ref": "slim", "quantity": 2, "because": "unit"}}),
        ("first-undecided", {"packing__undecided": ["slim"]}),
        ("first-to-move", {"packing__move_to_cabin": ["slim"]}),
        ("unknown-part-too", {"packing__to_be_sealed": ["slim"]}),
        ("no-reason", {"items__0__verdict": "allowed", "items__1__verdict": "allowed"}),
    ):
        yield itinerary(
            f"contradictory-{name}",
            "The first passenger is allowed, and their unit is not cleared.",
            reply(changed(BANNED, **changes)),
            *("banned", "contradictory", "banned"),
        )
    yield itinerary(
        "contradictory-nobody-banned",
        "It says banned, and every passenger is allowed.",
        reply(changed(BANNED, packing__passengers__1__verdict="allowed")),
        *("banned", "contradictory", "contradictory"),
    )


def _around() -> Iterator[Json]:
    """Yield what can happen to any answer: nobody is cleared then."""
    once = {"client": {"attempts": 1}}
    yield itinerary("timeout", "No answer in time.", failure("timeout", 10), *("timeout",) * 3, **once)
    yield itinerary("server-error", "A failure.", reply(CLEAR, status=500), *("server_error",) * 3, **once)
    yield itinerary(
        "refused", "An error with a permission.", reply(CLEAR, status=400), *("unexpected_status",) * 3
    )
    yield itinerary("sandbox", "From the sandbox.", reply(CLEAR, x_sandbox="true"), *("sandbox",) * 3)
    yield itinerary(
        "clock", "The service does not say what time it is.", reply(CLEAR, date=...), *("clock_in_doubt",) * 3
    )
    yield itinerary(
        "until-it-expires",
        "Each light goes out when the answer expires.",
        reply(BANNED, takes_seconds=0),
        reads=[
            read("banned", after_seconds=DAY - 1, passengers=[None, "banned"]),
            read("banned", after_seconds=DAY, passengers=["expired", "banned"]),
        ],
    )
