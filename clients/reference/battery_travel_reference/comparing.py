"""Compares answers of the service with what this program finds.

Two forms are read. A *stored answer* has the `request` that was sent and the `answer` that came, as
`Answer.stored()` of the Python client writes them. A *line of an audit export* has the question without its
serial number, and the verdict.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from battery_travel_reference.answering import LegAnswer, TripAnswer, answer, plain_citations
from battery_travel_reference.deciding import NotCovered
from battery_travel_reference.questions import UnreadableQuestion, question_of
from battery_travel_reference.records import Release

STEP_OF_GAP = {
    "watt_hour_unknown": "read_label",
    "no_airline_permit": "ask_airline",
    "no_authority_permit": "ask_authority",
}
"""The `suggested_next_step` of an insufficient answer: that of its first gap."""

Difference = tuple[str, Any, Any]
"""The name of what differs, what the answer says, and what this program finds."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result for one answer.

    `outcome` is `same`, `different`, `other_release` (the answer is based on another release), `by_serial`
    (a serial number decided, and audit exports have none) or `unreadable` (`why` says what is wrong).
    """

    verdict_id: str
    outcome: str
    differences: tuple[Difference, ...] = ()
    why: str = ""


class UnreadableAnswer(ValueError):
    """A text that is neither a stored answer nor a line of an audit export."""


def answers_in(text: str) -> Iterator[dict[str, Any]]:
    """Return the answers of a file: one JSON object, a list of them, or one on each line.

    Raises `UnreadableAnswer`.
    """
    try:
        found = json.loads(text)
    except ValueError:
        try:
            found = [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError as error:
            raise UnreadableAnswer(f"the file is neither JSON nor JSON lines: {error}") from error
    for one in found if isinstance(found, list) else [found]:
        if not isinstance(one, dict):
            raise UnreadableAnswer("the file has something that is no answer")
        yield one


def compared(release: Release, one: dict[str, Any]) -> Comparison:
    """Compare one answer, in either form."""
    name = str(_inner(one, "answer").get("verdict_id") or one.get("verdict_id") or "")
    name = name or str(_inner(one, "answer").get("trip_verdict_id") or "an answer without an id")
    try:
        outcome, differences = _recorded(release, one) if "question" in one else _stored(release, one)
    except NotCovered as error:
        return Comparison(name, "different", (("answered", True, str(error)),))
    except (UnreadableQuestion, KeyError, TypeError, ValueError, AttributeError) as error:
        return Comparison(name, "unreadable", why=f"{type(error).__name__}: {error}")
    return Comparison(name, outcome, tuple(differences))


def _inner(one: dict[str, Any], name: str) -> dict[str, Any]:
    value = one.get(name)
    return value if isinstance(value, dict) else {}


def _stored(release: Release, one: dict[str, Any]) -> tuple[str, list[Difference]]:
    said = one["answer"]
    if said["ruleset_version"] != release.ruleset_version:
        return "other_release", []
    today = _day(said["generated_at"])
    found = answer(release, question_of(one["request"], today), today)
    wanted = one["request"].get("options", {}).get("citations", "full")
    pairs = _of_trip(said, found) if isinstance(found, TripAnswer) else _of_leg(said, found, wanted)
    differences = [pair for pair in pairs if pair[1] != pair[2]]
    return ("different" if differences else "same"), differences


def _of_leg(said: dict[str, Any], found: LegAnswer, wanted: str) -> Iterator[Difference]:
    """Return what an answer says and what was found, by names of the API.

    If fewer citations were `wanted`, those that it has must still be among those that were found.
    """
    device = said["device_resolved"]
    yield "verdict", said["verdict"], found.verdict
    yield "verdict_path", said["verdict_path"], found.path
    yield "recall_status", device["recall_status"], found.recall_status
    yield "recall_check_method", device["recall_check_method"], found.recall_check_method
    yield "constraints", [row["code"] for row in said["constraints"]], [row.code for row in found.constraints]
    yield "warnings", [(row["code"], row["severity"]) for row in said["warnings"]], found.warnings
    citations = plain_citations(found.citations)
    if wanted != "full":
        citations = [one for one in citations if wanted == "deciding" and one in said["citations"]]
    yield "citations", said["citations"], citations
    if found.verdict == "insufficient":
        yield "gaps", _step(said), STEP_OF_GAP[found.gaps[0]]


def _of_trip(said: dict[str, Any], found: TripAnswer) -> Iterator[Difference]:
    yield "verdict", said["verdict"], found.verdict
    yield "citation_count", said["citation_count"], len(found.citations)
    yield (
        "segments",
        [
            (row["origin"], row["destination"], row["airline"], row["verdict"]["verdict"], _error(row))
            for row in said["segments"]
        ],
        [
            (
                one.leg.origin,
                one.leg.destination,
                one.leg.airline,
                one.verdict,
                one.error.code if one.error else None,
            )
            for one in found.segments
        ],
    )


def _error(segment: dict[str, Any]) -> Any:
    return _inner(segment, "error").get("code")


def _step(said: dict[str, Any]) -> Any:
    return _inner(said, "suggested_next_step").get("code")


def _recorded(release: Release, line: dict[str, Any]) -> tuple[str, list[Difference]]:
    if line["release_sha256"] != release.sha256:
        return "other_release", []
    today = _day(line["generated"])
    found = answer(release, question_of(_body(line), today), today)
    status = found.recall_status if isinstance(found, LegAnswer) else ""
    differences: list[Difference] = []
    if line["verdict"] != found.verdict:
        differences.append(("verdict", line["verdict"], found.verdict))
    if status and line["recall_status"] not in ("", status):
        differences.append(("recall_status", line["recall_status"], status))
    if differences and line["serial_given"] != "none":
        return "by_serial", []
    return ("different" if differences else "same"), differences


def _body(line: dict[str, Any]) -> dict[str, Any]:
    """Return the question of an audit export as the body of a request."""
    asked = line["question"]
    trip = {"date": asked["travel_date"], "compartment_intent": asked["compartment_intent"]}
    if line["kind"] == "leg":
        return {**asked["unit"], "trip": trip | asked["leg"]}
    return {"device": asked["unit"], "trip": trip | {"legs": asked["legs"]}}


def _day(instant: str) -> date:
    """Return the day (UTC) of an instant."""
    return datetime.fromisoformat(instant).astimezone(UTC).date()
