"""Vectors of batches and look-ups: one reply about many questions, or about none."""

from collections.abc import Iterator
from typing import Any

from tests.clients import itineraries
from tests.clients.made_up import (
    ALLOWED,
    FLIGHT,
    PROBLEM,
    RECALL,
    Json,
    changed,
    failure,
    reply,
    vector,
)

BANNED = changed(ALLOWED, verdict="banned", verdict_path__4="verdict.banned")
OTHER_FLIGHT: Json = {**FLIGHT, "trip": {**FLIGHT["trip"], "destination": "TH"}}
WRONG_FIELD: Json = {
    **PROBLEM,
    "status": 400,
    "code": "VALIDATION_ERROR",
    "errors": [{"field": "trip.origin", "code": "unknown_country", "message": "Send a country."}],
}

MODEL: Json = {
    "model_id": "acme-slim-10k",
    "brand": "Acme",
    "model_name": "Slim 10,000 mAh",
    "model_number": "A-10",
    "aliases": [],
    "capacity_mah": 10000,
    "nominal_voltage": 3.7,
    "watt_hour": 37.0,
    "watt_hour_basis": "rated",
    "certifications": [],
    "certificates": [],
    "release_year": None,
    "facts_confirmed": True,
    "recall_count": 1,
}
MODELS: Json = {"devices": [MODEL], "total": 1, "next_cursor": None, "ruleset_version": "2026-11-20"}
RECALLED: Json = {
    "recall_id": "acme-2026-1",
    "model_id": "acme-slim-10k",
    "affected_serials": {
        "pattern": "AC1[0-9]{4}",
        "explicit_list_url": None,
        "scope": "serial_pattern",
        "identifier": "serial number",
    },
    "authority": "Recall Authority",
    "announced_on": "2026-10-01",
    "title": "Acme Slim 10,000 mAh",
    "hazard": "The cells can overheat.",
    "remedy": "Stop using it.",
    "notice_url": "https://authority.example/acme-2026-1",
}
RECALLS: Json = {
    "device": MODEL,
    "recalls": [RECALLED],
    "total": 1,
    "ruleset_version": "2026-11-20",
}
MAX_UNITS: Json = {
    "code": "max_units",
    "kind": "constraint",
    "since": "1.0.0",
    "sentences": [
        {"text": {"en": "At most {max_units} power banks."}, "parameters": ["max_units"], "number": "other"}
    ],
    "nature": "limit",
    "written_as": "^max_units_([1-9]|1[0-9]|20)$",
}
RATE_LIMITED: Json = {
    "code": "RATE_LIMITED",
    "kind": "error",
    "since": "1.0.0",
    "sentences": [{"text": {"en": "Wait."}}],
    "status": 429,
    "title": "Too many requests",
}
CODES: Json = {"codes": [MAX_UNITS, RATE_LIMITED], "total": 2, "contract_version": "1.0.0"}
SEARCH: Json = {"q": "acme slim 10k", "limit": 10}
OF_MODEL: Json = {"model_id": "acme-slim-10k"}
EXPIRED = changed(ALLOWED, expires_at="2026-11-22T12:00:00Z")


def vectors() -> Iterator[Json]:
    """Return all of them."""
    yield from _batches()
    yield from _itineraries()
    yield from _searches()
    yield from _codes()
    yield from _recalls()
    yield from _checks()


def item(index: int, body: Json, *, status: int = 200) -> Json:
    """Return the result of one question of a batch."""
    answer, problem = (body, None) if status == 200 else (None, body)
    return {"answer": answer, "index": index, "problem": problem, "status": status}


def batch(*items: Json) -> Json:
    """Return the answer to a batch."""
    return {
        "counts": {},
        "generated_at": ALLOWED["generated_at"],
        "items": list(items),
        "ruleset_version": ALLOWED["ruleset_version"],
    }


def _said(*reasons: str | None) -> Json:
    return {"after_seconds": 0, "answers": list(reasons)}


def _batch(name: str, why: str, body: Any, *reasons: str | None) -> Json:
    replied = body if isinstance(body, dict) and "takes_seconds" in body else reply(body)
    return vector(
        f"batch-{name}",
        why,
        replied,
        _said(*reasons),
        request={"items": [FLIGHT, OTHER_FLIGHT]},
        operation="verify_batch",
    )


def _batches() -> Iterator[Json]:
    clear = item(0, ALLOWED)
    yield _batch("clear", "Each question has an answer.", batch(clear, item(1, ALLOWED)), None, None)
    yield _batch(
        "banned", "One verdict says nothing about another.", batch(clear, item(1, BANNED)), None, "banned"
    )
    yield _batch(
        "expired", "Each item has its own end.", batch(item(0, EXPIRED), item(1, ALLOWED)), "expired", None
    )
    yield _batch(
        "refused",
        "A problem is not an answer.",
        batch(clear, item(1, WRONG_FIELD, status=400)),
        None,
        "refused",
    )
    yield _batch(
        "not-found",
        "An unknown model.",
        batch(item(0, PROBLEM, status=404), item(1, ALLOWED)),
        "refused",
        None,
    )
    yield _batch(
        "problem-with-an-answer",
        "The status of an item says that it failed.",
        batch({**clear, "status": 500}, item(1, ALLOWED)),
        "server_error",
        None,
    )
    yield _batch(
        "without-an-answer",
        "An item has neither.",
        batch({**clear, "answer": None}, item(1, ALLOWED)),
        "malformed",
        None,
    )
    yield _batch(
        "other-question",
        "The answers are those of the questions in another order.",
        batch(item(0, changed(ALLOWED, device_resolved__model_id="acme-slim-20k")), item(1, ALLOWED)),
        "other_question",
        None,
    )
    for name, items in (
        ("one-missing", [clear]),
        ("one-more", [clear, item(1, ALLOWED), item(2, ALLOWED)]),
        ("swapped", [item(1, ALLOWED), item(0, ALLOWED)]),
        ("same-index", [clear, clear]),
        ("status-true", [{**clear, "status": True}, item(1, ALLOWED)]),
        ("no-objects", [None, None]),
    ):
        why = "It is not a batch of these questions, so nothing in it is an answer."
        yield _batch(name, why, batch(*items), "malformed", "malformed")
    yield _batch("one-answer", "One answer instead of a batch.", ALLOWED, "malformed", "malformed")
    yield _batch(
        "rate-limited",
        "It was refused as a whole.",
        reply(PROBLEM, status=429, retry_after="60"),
        "rate_limited",
        "rate_limited",
    )
    yield _batch("unreachable", "No answer came.", failure("unreachable", 0), "unreachable", "unreachable")


def _itineraries() -> Iterator[Json]:
    clear = next(one for one in itineraries.vectors() if one["id"] == "itinerary-clear")
    [answered] = clear["replies"]
    banned = changed(answered["json"], verdict="banned")
    yield vector(
        "batch-itineraries",
        "Each itinerary has an answer. A verdict that is not that of its items contradicts itself.",
        reply(batch(item(0, answered["json"]), item(1, banned))),
        _said(None, "banned"),
        request={"items": [clear["request"], clear["request"]]},
        operation="verify_itinerary_batch",
    )


def _found(
    name: str, why: str, replied: Json, found: list[str] | None, why_not: str | None = None, **more: Any
) -> Json:
    looked = {"after_seconds": 0, "found": found, "why_not": why_not}
    return vector(name, why, replied, looked, **more)


def _searches() -> Iterator[Json]:
    search: Json = {"request": SEARCH, "operation": "search"}
    yield _found("search-found", "A model.", reply(MODELS), ["acme-slim-10k"], **search)
    nothing = {**MODELS, "devices": [], "total": 0}
    yield _found("search-nothing", "No model is found.", reply(nothing), [], **search)
    no_model_id = changed(MODELS, devices__0__model_id=...)
    yield _found(
        "search-malformed", "A model without an id.", reply(no_model_id), None, "malformed", **search
    )
    yield _found(
        "search-sandbox", "Made-up models.", reply(MODELS, x_sandbox="true"), None, "sandbox", **search
    )


def _codes() -> Iterator[Json]:
    codes: Json = {"request": {}, "operation": "codes"}
    yield _found("codes-found", "All codes.", reply(CODES), ["max_units", "RATE_LIMITED"], **codes)
    for name, why, body in (
        ("not-all", "The list says that it has more codes.", {**CODES, "total": 3}),
        (
            "no-english",
            "A sentence has no text.",
            changed(CODES, codes__1__sentences__0__text={"de": "Warte."}),
        ),
        ("status-text", "A status is no number.", changed(CODES, codes__1__status="429")),
    ):
        yield _found(f"codes-{name}", why, reply(body), None, "malformed", **codes)
    yield _found(
        "codes-sandbox", "The list of a sandbox.", reply(CODES, x_sandbox="true"), None, "sandbox", **codes
    )


def _recalls() -> Iterator[Json]:
    recalls: Json = {"request": OF_MODEL, "operation": "recalls"}
    yield _found("recalls-found", "A recall.", reply(RECALLS), ["acme-2026-1"], **recalls)
    none = {**RECALLS, "recalls": [], "total": 0}
    yield _found("recalls-none", "No recall is known.", reply(none), [], **recalls)
    for name, why, body in (
        ("other-model", "Recalls of another model.", changed(RECALLS, device__model_id="acme-slim-20k")),
        (
            "of-other-model",
            "A recall of another model.",
            changed(RECALLS, recalls__0__model_id="acme-slim-20k"),
        ),
        ("not-all", "The list says that it has more recalls.", {**RECALLS, "recalls": []}),
        ("no-list", "No list.", changed(RECALLS, recalls=None)),
        ("answer", "An answer about a flight.", ALLOWED),
    ):
        yield _found(
            f"recalls-{name}", f"{why} So nothing is known.", reply(body), None, "malformed", **recalls
        )
    for name, replied, why_not in (
        ("not-found", reply(PROBLEM, status=404), "refused"),
        ("broken", reply(PROBLEM, status=500), "server_error"),
        ("unreachable", failure("unreachable", 0), "unreachable"),
        ("rate-limited", reply(PROBLEM, status=429, retry_after="60"), "rate_limited"),
    ):
        yield _found(
            f"recalls-{name}", "No answer: that is not an empty list.", replied, None, why_not, **recalls
        )


def _checks() -> Iterator[Json]:
    check: Json = {"request": {**OF_MODEL, "serial": "AC20007"}, "operation": "check_recalls"}
    evaluation = RECALL["serial_evaluation"]
    answered = {name: value for name, value in RECALLS.items() if name != "device"}
    for status in ("affected", "not_affected", "unknown"):
        evaluated = {**evaluation, "match_status": status}
        body = {**answered, "recalls": [{**RECALLED, "serial_evaluation": evaluated}]}
        looked = {"after_seconds": 0, "found": ["acme-2026-1"], "why_not": None, "match_status": [status]}
        yield vector(
            f"check-{status.replace('_', '-')}", "What it says of the unit.", reply(body), looked, **check
        )
    by_hash = {**evaluation, "provided_serial": "a hash"}
    yield _found(
        "check-by-hash",
        "By the hash of a serial.",
        reply({**answered, "recalls": [{**RECALLED, "serial_evaluation": by_hash}]}),
        ["acme-2026-1"],
        request={**OF_MODEL, "serial_hash": "5" * 64},
        operation="check_recalls",
    )
    other = {**evaluation, "provided_serial": "AC20008"}
    for name, why, recalled in (
        ("other-unit", "It is about another unit.", {**RECALLED, "serial_evaluation": other}),
        ("nothing-of-the-unit", "It says nothing about the unit.", RECALLED),
        ("other-model", "It is about another model.", {**RECALLED, "model_id": "acme-slim-20k"}),
    ):
        body = {**answered, "recalls": [recalled]}
        yield _found(f"check-{name}", why, reply(body), None, "malformed", **check)
