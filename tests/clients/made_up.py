"""Vectors that no sandbox can play: wrong clocks, answers that contradict themselves, broken networks.

Each begins with an answer that is clear to pack and changes the one thing that it is named after.
"""

import copy
import datetime
import email.utils
import json
from collections.abc import Iterator, Mapping
from typing import Any

Json = dict[str, Any]

STARTS_AT = datetime.datetime(2026, 11, 22, 12, tzinfo=datetime.UTC)
DAY = 24 * 60 * 60

FLIGHT: Json = {
    "model_id": "acme-slim-10k",
    "quantity": 2,
    "trip": {"origin": "JP", "destination": "SG", "airline": "SQ", "compartment_intent": "carry_on"},
}
JOURNEY: Json = {
    "device": {"model_id": "acme-slim-10k", "quantity": 2},
    "trip": {
        "legs": [
            {"origin": "JP", "destination": "KR", "airline": "KE"},
            {"origin": "KR", "destination": "SG", "airline": "SQ"},
        ],
        "compartment_intent": "carry_on",
    },
}

ALLOWED: Json = {
    "verdict": "allowed",
    "verdict_id": "vdt_oyhcwzabuukrci6h4mdse6bmyh",
    "ruleset_version": "2026-11-20",
    "generated_at": "2026-11-22T12:00:00Z",
    "expires_at": "2026-11-23T12:00:00Z",
    "summary": "Allowed in your cabin bag on this flight. At most 2 power banks.",
    "device_resolved": {
        "model_id": "acme-slim-10k",
        "brand": "Acme",
        "model_name": "Slim 10,000 mAh",
        "watt_hour": 37.0,
        "recall_status": "not_affected",
        "recall_check_method": "model_match",
        "certifications": [],
        "certificates": [],
        "recalls": [],
    },
    "constraints": [
        {"code": "max_units_2", "message": "At most 2 power banks per passenger."},
        {"code": "carry_on_only", "message": "Carry it in the cabin."},
    ],
    "warnings": [
        {
            "code": "overhead_bin_discouraged",
            "severity": "advisory",
            "message": "You are advised not to put it in the overhead bin.",
        }
    ],
    "citations": [
        {
            "kind": "airline",
            "authority": "Singapore Airlines",
            "jurisdiction": "SG",
            "url": "https://airline.example/power-banks",
            "pulled_at": "2026-11-20",
        }
    ],
    "verdict_path": [
        "device.resolved",
        "recall.not_affected",
        "sq.carry-on",
        "sq.max-units",
        "verdict.allowed",
    ],
}


def _segment(index: int, leg: Mapping[str, str]) -> Json:
    verdict = {
        "verdict": "allowed",
        "ruleset_version": "2026-11-20",
        "verdict_id": f"vdt_{'abcdefghijklmnopqrstuvwxyz'[::index]:a<26}",
    }
    said = {name: ALLOWED[name] for name in ("constraints", "warnings")}
    return {"index": index, **leg, "verdict": verdict, **said}


PASS: Json = {
    "public_name": "Trip Battery Pass",
    "trip_verdict_id": "trip_oyhcwzabuukrci6h4mdse6bmyh",
    "verdict": "allowed",
    "summary": "Allowed in your cabin bag on this trip. At most 2 power banks.",
    "segments": [_segment(index, leg) for index, leg in enumerate(JOURNEY["trip"]["legs"], 1)],
    "device_resolved": {"model_id": "acme-slim-10k", "watt_hour": 37.0},
    "citation_count": 3,
    "ruleset_version": "2026-11-20",
    "generated_at": "2026-11-22T12:00:00Z",
    "expires_at": "2026-11-23T12:00:00Z",
}

PROBLEM: Json = {
    "type": "urn:problem-type:battery-travel:model-not-found",
    "title": "The model is not in the catalog",
    "status": 404,
    "detail": "Find the exact model with GET /api/devices. A similar model proves nothing about this one.",
    "instance": "/api/verify",
    "code": "MODEL_NOT_FOUND",
    "request_id": "01890a5d-ac96-774b-bcce-b302099a8057",
}

RECALL: Json = {
    "recall_id": "acme-2026-1",
    "model_id": "acme-slim-10k",
    "affected_serials": {
        "pattern": "AC1[0-9]{4}",
        "explicit_list_url": None,
        "scope": "serial_pattern",
        "identifier": "serial number",
    },
    "verdict_impact": {
        "applies_to": "exact_model_only",
        "if_affected_serial": "banned",
        "if_serial_unknown": "warning",
        "if_not_affected_serial": "normal_rules_apply",
    },
    "serial_evaluation": {
        "provided_serial": "AC20007",
        "match_status": "not_affected",
        "match_method": "pattern",
        "verdict_if_used_for_flight": "conditional",
    },
}


def http_date(instant: datetime.datetime) -> str:
    """Return an instant as HTTP headers say it."""
    return email.utils.format_datetime(instant, usegmt=True)


def date_after(seconds: float) -> str:
    """Return the `Date` of a service whose clock is right, so long after a vector starts."""
    return http_date(STARTS_AT + datetime.timedelta(seconds=seconds))


def changed(body: Json, **changes: Any) -> Json:
    """Return a body with some values changed, by their place: `device_resolved__watt_hour=None`.

    A number is a place in a list. `...` takes the value away.
    """
    body = copy.deepcopy(body)
    for place, value in changes.items():
        *way, last = [int(step) if step.isdigit() else step for step in place.split("__")]
        part: Any = body
        for step in way:
            part = part[step]
        if value is ...:
            del part[last]
        else:
            part[last] = value
    return body


def reply(
    json: Any = None,
    *,
    status: int = 200,
    text: str | None = None,
    takes_seconds: float = 0.25,
    **headers: Any,
) -> Json:
    """Return an answer of the network. A header of `...` is left out."""
    kind = "application/json" if status == 200 else "application/problem+json"
    named = {"date": date_after(0), "content-type": kind}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    content = {"json": json} if text is None else {"text": text}
    kept = {name: value for name, value in named.items() if value is not ...}
    return {"takes_seconds": takes_seconds, "status": status, "headers": kept, **content}


def failure(kind: str, takes_seconds: float) -> Json:
    """Return what is left where no answer came."""
    return {"takes_seconds": takes_seconds, "failure": kind}


def read(
    why_not: str | None, *, after_seconds: float = 0, wall_seconds: float | None = None, **more: Any
) -> Json:
    """Return what an answer says of itself some time after it came; the wall clock may disagree."""
    wall = {} if wall_seconds is None else {"wall_seconds": wall_seconds}
    clear = {"clear_to_pack": why_not is None, "why_not": why_not}
    return {"after_seconds": after_seconds, **wall, **clear, **more}


def operation_of(request: Json) -> str:
    """Return the operation that a question is for."""
    if "items" in request:
        return "verify_itinerary"
    return "verify" if "model_id" in request else "verify_trip"


def vector(
    name: str, why: str, replies: list[Json] | Json, *reads: Json, request: Json = FLIGHT, **more: Any
) -> Json:
    """Return one vector."""
    return {
        "id": name,
        "why": why,
        "operation": operation_of(request),
        "request": request,
        "client": {"sandbox": False, **more.pop("client", {})},
        "starts_at": STARTS_AT.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "replies": replies if isinstance(replies, list) else [replies],
        **more,
        "reads": list(reads),
    }


def vectors() -> Iterator[Json]:
    """Return all of them."""
    yield from _clear()
    yield from _verdicts()
    yield from _malformed()
    yield from _of_other_questions()
    yield from _contradictory()
    yield from _clocks()
    yield from _transport()
    yield from _retries()


def _clear() -> Iterator[Json]:
    yield vector("clear", "Allowed, in time, for this very question.", reply(ALLOWED), read(None))
    yield vector("clear-trip", "Every flight is allowed.", reply(PASS), read(None), request=JOURNEY)
    by_stops = {
        "device": JOURNEY["device"],
        "trip": {"origin": "JP", "transit": ["KR"], "destination": "SG", "airline": "SQ"},
    }
    yield vector(
        "clear-trip-by-stops",
        "Origin, transit and destination are flights, one after the other.",
        reply(changed(PASS, segments__0__airline="SQ")),
        read(None),
        request=by_stops,
    )
    yield vector(
        "clear-with-new-fields",
        "Answers may grow: fields that a client does not know change nothing.",
        reply(changed(ALLOWED, suggested_next_step=None, pictures=[1], device_resolved__color="red")),
        read(None),
    )
    yield vector(
        "clear-serial",
        "A recall, and the serial number that was asked about is not affected.",
        reply(
            changed(
                ALLOWED, device_resolved__recall_check_method="pattern", device_resolved__recalls=[RECALL]
            )
        ),
        read(None),
        request={**FLIGHT, "serial": "AC20007"},
    )
    yield vector(
        "clear-until-it-expires",
        "The same answer is clear a second before its expires_at, and never again from then on.",
        reply(ALLOWED, takes_seconds=0),
        read(None, after_seconds=DAY - 1),
        read("expired", after_seconds=DAY),
        read("expired", after_seconds=DAY + 1),
    )
    yield vector(
        "clear-parameters-of-the-type",
        "A content type may have parameters, and other capitals.",
        reply(ALLOWED, content_type="Application/JSON; charset=utf-8"),
        read(None),
    )


def _verdicts() -> Iterator[Json]:
    for verdict in ("conditional", "banned", "insufficient"):
        body = changed(ALLOWED, verdict=verdict, verdict_path__4=f"verdict.{verdict}")
        yield vector(verdict, "Another verdict than allowed.", reply(body), read(verdict))
        trip = changed(PASS, verdict=verdict, segments__1__verdict__verdict=verdict)
        yield vector(
            f"{verdict}-trip", "Another verdict than allowed.", reply(trip), read(verdict), request=JOURNEY
        )
    for name, word in (
        ("capital", "Allowed"),
        ("capitals", "ALLOWED"),
        ("space", "allowed "),
        ("short", "allow"),
        ("longer", "allowed_with_care"),
        ("ok", "ok"),
        ("true", "true"),
        ("new", "permitted"),
    ):
        yield vector(
            f"unknown-verdict-{name}",
            f"`{word}` is no verdict that there is.",
            reply(changed(ALLOWED, verdict=word)),
            read("unknown_verdict"),
        )


def _malformed() -> Iterator[Json]:
    value: Any
    for name in (
        *("verdict", "verdict_id", "ruleset_version", "generated_at", "expires_at", "summary"),
        *("device_resolved", "constraints", "warnings", "citations", "verdict_path"),
    ):
        yield vector(
            f"malformed-without-{name.replace('_', '-')}",
            "A field that the contract promises is missing.",
            reply(changed(ALLOWED, **{name: ...})),
            read("malformed", field=name),
        )
    for name, value in (
        ("verdict-true", True),
        ("verdict-list", ["allowed"]),
        ("verdict-null", None),
    ):
        yield vector(
            f"malformed-{name}", "No word.", reply(changed(ALLOWED, verdict=value)), read("malformed")
        )
    for name, value in (
        ("number", 1795435200),
        ("date", "2026-11-23"),
        ("offset", "2026-11-23T12:00:00+00:00"),
        ("no-zone", "2026-11-23T12:00:00"),
        ("no-such-day", "2026-11-31T12:00:00Z"),
        ("no-such-hour", "2026-11-23T25:00:00Z"),
        ("lower-case", "2026-11-23t12:00:00z"),
        ("year-10000", "10000-01-01T00:00:00Z"),
        ("empty", ""),
    ):
        yield vector(
            f"malformed-expires-at-{name}",
            "An end that is not a date-time in UTC ends nothing.",
            reply(changed(ALLOWED, expires_at=value)),
            read("malformed"),
        )
    for name, place, value in (
        ("watt-hour-text", "device_resolved__watt_hour", "37"),
        ("watt-hour-true", "device_resolved__watt_hour", True),
        ("watt-hour-zero", "device_resolved__watt_hour", 0),
        ("watt-hour-missing", "device_resolved__watt_hour", ...),
        ("recall-status-missing", "device_resolved__recall_status", ...),
        ("recalls-missing", "device_resolved__recalls", ...),
        ("constraint-text", "constraints__0", "max_units_2"),
        ("constraint-code-missing", "constraints__0__code", ...),
        ("constraints-object", "constraints", {}),
        ("citation-without-address", "citations__0__url", ...),
        ("path-of-numbers", "verdict_path", [1, 2]),
        ("id-of-a-trip", "verdict_id", "trip_oyhcwzabuukrci6h4mdse6bmyh"),
    ):
        yield vector(
            f"malformed-{name}",
            "A value of another kind than the contract promises.",
            reply(changed(ALLOWED, **{place: value})),
            read("malformed"),
        )
    for name in ("segments", "trip_verdict_id", "expires_at", "device_resolved"):
        yield vector(
            f"malformed-trip-without-{name.replace('_', '-')}",
            "A field that the contract promises is missing.",
            reply(changed(PASS, **{name: ...})),
            read("malformed", field=name),
            request=JOURNEY,
        )
    for name, place, value in (
        ("constraints", "segments__1__constraints", {}),
        ("warnings", "segments__0__warnings", None),
        ("constraint-code", "segments__0__constraints__0__code", ...),
    ):
        yield vector(
            f"malformed-trip-{name}",
            "A value of another kind than the contract promises.",
            reply(changed(PASS, **{place: value})),
            read("malformed"),
            request=JOURNEY,
        )
    text = json.dumps(ALLOWED)
    for name, sent in (
        ("empty", ""),
        ("half", text[: len(text) // 2]),
        ("two", text + text),
        ("list", f"[{text}]"),
        ("text", '"allowed"'),
        ("null", "null"),
        ("nan", text.replace("37.0", "NaN")),
        ("mark-of-order", f"\ufeff{text}"),
        ("two-verdicts", text.replace('"verdict": "allowed"', '"verdict": "banned", "verdict": "allowed"')),
        (
            "two-spellings",
            text.replace('"verdict": "allowed"', '"verdict":"allowed", "\\u0076erdict" :"allowed"'),
        ),
        ("two-names-within", text.replace('"watt_hour": 37.0', '"watt_hour": null, "watt_hour": 37.0')),
    ):
        yield vector(
            f"malformed-body-{name}",
            "The body is no JSON object that says each thing once.",
            reply(text=sent),
            read("malformed"),
        )
    for name, watt_hour in (("too-many", "1e400"), ("too-few", "1e-400")):
        yield vector(
            f"malformed-watt-hour-{name}",
            "No number of watt-hours.",
            reply(text=text.replace("37.0", watt_hour)),
            read("malformed"),
        )
    yield vector(
        "malformed-page",
        "The Wi-Fi of a hotel answers everything with a page.",
        reply(text="<!doctype html><p>Welcome. allowed", content_type="text/html"),
        read("malformed"),
    )
    yield vector(
        "malformed-type",
        "The answer is not marked as JSON.",
        reply(ALLOWED, content_type="text/plain"),
        read("malformed"),
    )
    yield vector(
        "malformed-no-type",
        "The answer is marked as nothing.",
        reply(ALLOWED, content_type=...),
        read("malformed"),
    )
    yield vector(
        "malformed-trip-for-a-flight",
        "A trip's answer to a question about a flight.",
        reply(PASS),
        read("malformed"),
    )
    yield vector(
        "malformed-flight-for-a-trip",
        "A flight's answer to a question about a trip.",
        reply(ALLOWED),
        read("malformed"),
        request=JOURNEY,
    )


def _of_other_questions() -> Iterator[Json]:
    changes: Json
    yield vector(
        "other-model",
        "The answer is about another model than was asked about.",
        reply(changed(ALLOWED, device_resolved__model_id="acme-slim-20k")),
        read("other_question"),
    )
    serial = changed(
        ALLOWED,
        device_resolved__recall_check_method="pattern",
        device_resolved__recalls=[changed(RECALL, serial_evaluation__provided_serial="AC20008")],
    )
    yield vector(
        "other-serial",
        "The answer is about another serial number than was asked about.",
        reply(serial),
        read("other_question"),
        request={**FLIGHT, "serial": "AC20007"},
    )
    yield vector(
        "other-serial-unasked",
        "The answer is about a serial number, and none was asked about.",
        reply(serial),
        read("other_question"),
    )
    for name, without in (
        ("unanswered", "serial_evaluation"),
        ("unsaid", "serial_evaluation__provided_serial"),
    ):
        yield vector(
            f"other-serial-{name}",
            "A serial number was asked about, and the answer does not say that it is about that one.",
            reply(changed(serial, **{f"device_resolved__recalls__0__{without}": ...})),
            read("other_question"),
            request={**FLIGHT, "serial": "AC20007"},
        )
    yield vector(
        "other-serial-none",
        "No serial number was asked about, and the answer is about one that it does not name.",
        reply(changed(serial, device_resolved__recalls__0__serial_evaluation__provided_serial=None)),
        read("other_question"),
    )
    for name, changes in (
        ("model", {"device_resolved__model_id": "acme-slim-20k"}),
        ("airline", {"segments__1__airline": "EK"}),
        ("country", {"segments__0__destination": "JP"}),
        ("order", {"segments__0__index": 2, "segments__1__index": 1}),
        ("one-flight", {"segments__1": ...}),
        ("no-flight", {"segments": []}),
        ("one-more", {"segments": [*PASS["segments"], {**PASS["segments"][1], "index": 3}]}),
    ):
        yield vector(
            f"other-trip-{name}",
            "The segments are not the flights that were asked about.",
            reply(changed(PASS, **changes)),
            read("other_question"),
            request=JOURNEY,
        )


def _contradictory() -> Iterator[Json]:
    changes: Json
    for name, changes in (
        ("path", {"verdict_path__4": "verdict.conditional"}),
        ("path-empty", {"verdict_path": []}),
        ("path-of-a-recall", {"verdict_path__1": "recall.serial_unknown"}),
        ("path-without-recalls", {"verdict_path__1": ...}),
        ("path-of-two-verdicts", {"verdict_path__3": "verdict.conditional"}),
        ("recall-affected", {"device_resolved__recall_status": "affected"}),
        ("recall-unknown", {"device_resolved__recall_status": "serial_unknown"}),
        ("recall-new-word", {"device_resolved__recall_status": "settled"}),
        ("external-list", {"device_resolved__recall_check_method": "external_list_required"}),
        ("recall-new-method", {"device_resolved__recall_check_method": "call_the_maker"}),
        ("watt-hours-unknown", {"device_resolved__watt_hour": None}),
        ("fewer-units", {"constraints__0__code": "max_units_1"}),
        ("fewer-large-units", {"constraints__0__code": "max_units_over_100wh_1"}),
    ):
        yield vector(
            f"contradictory-{name}",
            "It says allowed, and something that excludes it.",
            reply(changed(ALLOWED, **changes)),
            read("contradictory"),
        )
    for status in ("unknown", "affected"):
        recall = changed(RECALL, serial_evaluation__match_status=status)
        yield vector(
            f"contradictory-serial-{status}",
            "It says allowed, and that the serial number is not cleared.",
            reply(changed(ALLOWED, device_resolved__recalls=[recall])),
            read("contradictory"),
            request={**FLIGHT, "serial": "AC20007"},
        )
    yield vector(
        "contradictory-checked",
        "Asked for checked baggage, allowed for the cabin alone.",
        reply(ALLOWED),
        read("contradictory"),
        request=changed(FLIGHT, trip__compartment_intent="checked"),
    )
    for name, changes in (
        ("segment-conditional", {"segments__1__verdict__verdict": "conditional"}),
        ("segment-new-word", {"segments__0__verdict__verdict": "fine"}),
        ("segment-of-other-rules", {"segments__1__verdict__ruleset_version": "2026-11-13"}),
        ("segment-error", {"segments__0__error": {"code": "AIRLINE_NOT_COVERED", "message": "Ask it."}}),
        ("trip-watt-hours-unknown", {"device_resolved__watt_hour": None}),
    ):
        yield vector(
            f"contradictory-{name}",
            "It says allowed, and something that excludes it.",
            reply(changed(PASS, **changes)),
            read("contradictory"),
            request=JOURNEY,
        )
    yield vector(
        "sandbox-by-header",
        "An answer of the sandbox is nothing to a client of the real service.",
        reply(ALLOWED, x_sandbox="true"),
        read("sandbox"),
    )
    yield vector(
        "sandbox-by-version",
        "The mark was lost on the way, and the ruleset tells it nevertheless.",
        reply(changed(ALLOWED, ruleset_version="sandbox-2026-11-22")),
        read("sandbox"),
    )
    yield vector(
        "sandbox-wanted",
        "Who wants answers of the sandbox has them.",
        reply(changed(ALLOWED, ruleset_version="sandbox-2026-11-22"), x_sandbox="true"),
        read(None),
        client={"sandbox": True},
    )


def _clocks() -> Iterator[Json]:
    def served(at_seconds: float, **more: Any) -> Json:
        """Return an answer of a service whose clock is so far ahead of this machine's."""
        start = STARTS_AT + datetime.timedelta(seconds=at_seconds)
        return reply(
            changed(
                ALLOWED,
                generated_at=start.strftime("%Y-%m-%dT%H:%M:%SZ"),
                expires_at=(start + datetime.timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            ),
            date=http_date(start),
            **more,
        )

    yield vector("clock-nearly-right", "A minute of difference is borne.", served(60), read(None))
    yield vector("clock-nearly-right-too", "In the other direction as well.", served(-60), read(None))
    for name, seconds in (
        ("slow-by-minutes", 300),
        ("fast-by-minutes", -300),
        ("slow-by-days", 3 * DAY),
        ("fast-by-days", -DAY // 2),
    ):
        yield vector(
            f"clock-{name}",
            "The clock of this machine and that of the service disagree.",
            served(seconds),
            read("clock_in_doubt"),
        )
    yield vector(
        "clock-unsaid",
        "The service does not say what time it is.",
        reply(ALLOWED, date=...),
        read("clock_in_doubt"),
    )
    for name, date in (
        ("number", "1795435200"),
        ("iso", "2026-11-22T12:00:00Z"),
        ("other-zone", "Sun, 22 Nov 2026 12:00:00 +0000"),
        ("twice", f"{date_after(0)}, {date_after(0)}"),
        ("no-such-day", "Tue, 31 Nov 2026 12:00:00 GMT"),
        ("old-year", "Sun, 22 Nov 0026 12:00:00 GMT"),
    ):
        yield vector(
            f"clock-date-{name}",
            "The service does not say what time it is, in the one way in which HTTP says it.",
            reply(ALLOWED, date=date),
            read("clock_in_doubt"),
        )
    yield vector(
        "clock-put-back",
        "Somebody puts the clock back after the answer came: it has not become younger.",
        reply(ALLOWED),
        read(None, after_seconds=3600),
        read("clock_in_doubt", after_seconds=7200, wall_seconds=3600),
        read("clock_in_doubt", after_seconds=2 * DAY, wall_seconds=60),
    )
    yield vector(
        "clock-put-back-a-little",
        "A clock that was set right by a minute gains the answer no minute.",
        reply(ALLOWED, takes_seconds=0),
        read(None, after_seconds=DAY - 1, wall_seconds=DAY - 61),
        read("expired", after_seconds=DAY, wall_seconds=DAY - 60),
    )
    yield vector(
        "clock-put-forward",
        "Where the clock was put forward, or the machine slept, the later time counts.",
        reply(ALLOWED, takes_seconds=0),
        read(None, after_seconds=10, wall_seconds=DAY - 1),
        read("expired", after_seconds=10, wall_seconds=DAY),
    )
    yield vector(
        "clock-other-machine",
        "The clock that only goes forward went back: this is another machine, or it was started anew.",
        reply(ALLOWED),
        read("clock_in_doubt", after_seconds=-10, wall_seconds=10),
    )
    yield vector(
        "expired-when-it-came",
        "It expired before it came.",
        reply(changed(ALLOWED, generated_at="2026-11-21T11:00:00Z", expires_at="2026-11-22T11:00:00Z")),
        read("expired"),
    )
    yield vector(
        "expired-at-once",
        "It expires at the very instant at which it comes.",
        reply(changed(ALLOWED, expires_at="2026-11-22T12:00:00Z")),
        read("expired"),
    )
    yield vector(
        "expired-by-the-service",
        "By the clock of the service it has expired, by that of this machine not quite.",
        reply(changed(ALLOWED, expires_at="2026-11-22T12:00:50Z"), date=date_after(60)),
        read("expired"),
    )
    yield vector(
        "not-fresh",
        "It still holds, but was made an hour ago, for somebody who asked then.",
        reply(changed(ALLOWED, generated_at="2026-11-22T11:00:00Z")),
        read("not_fresh"),
    )
    yield vector(
        "not-fresh-from-the-future",
        "It will be made in an hour.",
        reply(changed(ALLOWED, generated_at="2026-11-22T13:00:00Z")),
        read("not_fresh"),
    )
    yield vector(
        "not-fresh-kept",
        "Something on the way kept it for ten seconds, perhaps for whoever asked something else.",
        reply(ALLOWED, age="10"),
        read("not_fresh"),
    )
    yield vector(
        "clear-not-kept",
        "It passed something that keeps, and was not kept.",
        reply(ALLOWED, age="0"),
        read(None),
    )


def _transport() -> Iterator[Json]:
    once = {"client": {"attempts": 1}}
    for status in (201, 203, 206, 302, 307):
        yield vector(
            f"status-{status}",
            "The service answers a question with 200 or with an error, and with nothing else.",
            reply(ALLOWED, status=status, content_type="application/json"),
            read("unexpected_status"),
        )
    yield vector(
        "status-404", "The model is not in the catalog.", reply(PROBLEM, status=404), read("refused")
    )
    yield vector(
        "status-404-page",
        "A page where nothing is: whoever answers there, it is not the service.",
        reply(text="Not Found", status=404, content_type="text/html"),
        read("unexpected_status"),
    )
    yield vector(
        "status-400-allowed",
        "An error with the body of a permission.",
        reply(ALLOWED, status=400, content_type="application/json"),
        read("unexpected_status"),
    )
    yield vector(
        "status-500-allowed",
        "A failure with the body of a permission.",
        reply(ALLOWED, status=500, content_type="application/json"),
        read("server_error"),
        **once,
    )
    for status in (500, 502, 503, 504, 599):
        yield vector(
            f"status-{status}",
            "A failure of the service, or of a proxy.",
            reply(text="", status=status, content_type="text/html"),
            read("server_error"),
            **once,
        )
    yield vector("status-429", "Too many requests.", reply(PROBLEM, status=429), read("rate_limited"), **once)
    yield vector("timeout", "No answer in time.", failure("timeout", 10), read("timeout"), requests=1, **once)
    yield vector(
        "unreachable", "No connection.", failure("unreachable", 0.1), read("unreachable"), requests=1, **once
    )


def _retries() -> Iterator[Json]:
    def busy(status: int, **headers: Any) -> Json:
        return reply(PROBLEM, status=status, **headers)

    clear = reply(ALLOWED)
    yield vector(
        "retry-after-seconds",
        "It waits for as long as the service asks, and asks again.",
        [busy(429, retry_after="7"), clear],
        read(None),
        requests=2,
        pauses_at_least=[7],
    )
    yield vector(
        "retry-after-date",
        "The service may say so by a date, which its own clock gives a meaning.",
        [busy(503, retry_after=date_after(9)), clear],
        read(None),
        requests=2,
        pauses_at_least=[9],
    )
    yield vector(
        "retry-after-too-long",
        "It asks for more patience than there is: the refusal is the answer.",
        busy(429, retry_after="31"),
        read("rate_limited"),
        requests=1,
    )
    yield vector(
        "retry-after-nonsense",
        "What is no wait is not obeyed, and is no leave to ask at once.",
        [busy(503, retry_after="-1"), busy(503, retry_after="soon"), clear],
        read(None),
        requests=3,
        pauses_at_least=[0.5, 1],
    )
    for status in (500, 502, 503, 504):
        yield vector(
            f"retry-{status}",
            "A failure may be over in a moment.",
            [busy(status), clear],
            read(None),
            requests=2,
            pauses_at_least=[0.5],
        )
    yield vector(
        "retry-unreachable",
        "So may a broken connection.",
        [failure("unreachable", 0.1), clear],
        read(None),
        requests=2,
        pauses_at_least=[0.5],
    )
    yield vector(
        "retry-in-vain",
        "Three attempts, each pause longer than the one before; then the failure is the answer.",
        busy(503),
        read("server_error"),
        requests=3,
        pauses_at_least=[0.5, 1],
    )
    yield vector(
        "retry-timeouts",
        "Ten seconds for each attempt, thirty for all of them together.",
        failure("timeout", 10),
        read("timeout"),
        requests=3,
        pauses_at_least=[0.5, 1],
    )
    yield vector(
        "retry-not-an-answer",
        "A refusal stays a refusal, and is not asked again.",
        [busy(404), clear],
        read("refused"),
        requests=1,
    )
    yield vector(
        "retry-not-a-verdict",
        "A verdict that is no permission is a verdict, and is not asked again.",
        [reply(changed(ALLOWED, verdict="banned")), clear],
        read("banned"),
        requests=1,
    )
    yield vector(
        "retry-not-a-malformed-one",
        "What is not understood is not asked again either.",
        [reply(text="{}"), clear],
        read("malformed"),
        requests=1,
    )
