"""The engine and the reference program (`clients/reference`) give the same answers.

The program is written from the documents, not from the engine, and shares no code with it. It gets each
release as a third party does, as canonical JSON, and each question as the body of a request.
"""

import dataclasses
import datetime
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from battery_travel_reference import LegAnswer, NotCovered, Release, question_of
from battery_travel_reference.answering import answer_leg, answer_trip
from catalog.cadence import FRESHNESS
from rules.engine.corpus import Corpus
from rules.engine.document import Content, problems
from rules.engine.errors import Unanswerable
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Leg, Question, TripQuestion
from rules.engine.matching import Statement
from rules.engine.outcomes import LegVerdict
from rules.engine.trip import evaluate_trip
from rules.engine.vocabulary import CODES, EFFECT_OF_NATURE
from tests.rules.engine.starter_questions import Drawer, Neighborhood, certified
from tests.rules.engine.worlds import TODAY, WORLD_QUESTIONS, WORLD_TRIPS, WORLDS
from tests.support.reference import body_of, downloaded, trip_body_of
from tests.support.starter import starter_content
from tests.support.thoroughness import examples

SEED = 20261120
QUESTIONS = examples(25_000, thorough=100_000)
TRIPS = 2_000
SHOWN_DISAGREEMENTS = 5

Outcome = dict[str, Any]
"""An answer, or an error, as plain values under the names of their fields."""


def test_engine_and_reference_agree_on_questions_about_the_starter_corpus() -> None:
    content = certified(starter_content())
    corpus, release, drawer = Corpus(content), downloaded(content), Drawer(content, SEED)
    seen: dict[str, Counter[str]] = {
        name: Counter() for name in ("verdict", "constraint", "warning", "recall", "freshness", "other")
    }
    disagreements = []
    for number in range(QUESTIONS):
        question, today, connecting = drawer.question()
        expected = _reference(release, question, today, connecting)
        actual = _engine(corpus, question, today, connecting)
        if expected != actual:
            disagreements.append(
                _disagreement(f"seed {SEED}, question {number}", question, today, expected, actual)
            )
        _count(seen, actual)
    _fail_if_any(disagreements)
    _every_branch_was_met(seen, content)


def test_engine_and_reference_agree_on_trips_through_the_starter_corpus() -> None:
    content = certified(starter_content())
    corpus, release, drawer = Corpus(content), downloaded(content), Drawer(content, SEED + 1)
    disagreements, errors = [], 0
    for number in range(TRIPS):
        trip, today = drawer.trip()
        expected = _reference_trip(release, trip, today)
        actual = _engine_trip(corpus, trip, today)
        if expected != actual:
            disagreements.append(
                _disagreement(f"seed {SEED + 1}, trip {number}", trip, today, expected, actual)
            )
        errors += any(name.endswith("error") for name in actual)
    _fail_if_any(disagreements)
    assert errors > TRIPS / 100, "hardly a trip had an uncovered segment"


def test_cutting_the_starter_corpus_down_to_a_question_changes_no_answer() -> None:
    content = certified(starter_content())
    whole, near, drawer = downloaded(content), Neighborhood(content), Drawer(content, SEED + 2)
    for _ in range(100):
        question, today, connecting = drawer.question()
        cut = downloaded(near.around(question.unit.model_id, (question.leg,)))
        assert _reference(cut, question, today, connecting) == _reference(whole, question, today, connecting)


def test_the_starter_corpus_cut_down_to_a_question_could_be_published() -> None:
    content = certified(starter_content())
    near = Neighborhood(content)
    for device in content.devices:
        assert problems(near.around(device.model_id, (Leg("AQ", "AQ", "EK"),))) == []
    for airline in content.airlines:
        leg = Leg(airline.country, "DE", airline.airline)
        assert problems(near.around("anker-a1263", (leg,))) == []


@settings(max_examples=examples(500, thorough=1_500), deadline=None)
@given(WORLDS, st.lists(WORLD_QUESTIONS, min_size=8, max_size=20), st.booleans())
def test_engine_and_reference_agree_in_generated_worlds(
    content: Content, questions: list[Question], connecting: bool
) -> None:
    assert problems(content) == []
    corpus, release = Corpus(content), downloaded(content)
    for question in questions:
        expected = _reference(release, question, TODAY, connecting)
        actual = _engine(corpus, question, TODAY, connecting)
        if expected != actual:
            pytest.fail(_disagreement("in a generated world", question, TODAY, expected, actual))


@settings(max_examples=500, deadline=None)
@given(WORLDS, st.lists(WORLD_TRIPS, min_size=1, max_size=4))
def test_engine_and_reference_agree_on_trips_in_generated_worlds(
    content: Content, trips: list[TripQuestion]
) -> None:
    corpus, release = Corpus(content), downloaded(content)
    for trip in trips:
        expected, actual = _reference_trip(release, trip, TODAY), _engine_trip(corpus, trip, TODAY)
        if expected != actual:
            pytest.fail(_disagreement("in a generated world", trip, TODAY, expected, actual))


# --- Both sides as plain values -----------------------------------------------------------------------------


def _reference(release: Release, question: Question, today: datetime.date, connecting: bool) -> Outcome:
    asked = question_of(body_of(question), today)
    try:
        return _plain_reference(answer_leg(release, asked, asked.legs[0], today, connecting=connecting))
    except NotCovered as error:
        return _plain_error(error)


def _engine(corpus: Corpus, question: Question, today: datetime.date, connecting: bool) -> Outcome:
    try:
        return _plain_engine(evaluate_leg(corpus, question, today=today, connecting=connecting))
    except Unanswerable as error:
        return _plain_error(error)


def _reference_trip(release: Release, trip: TripQuestion, today: datetime.date) -> Outcome:
    # A request is refused if its flights do not follow each other, and drawn ones may not.
    alone = [question_of(trip_body_of(replace(trip, legs=(leg,))), today) for leg in trip.legs]
    asked = dataclasses.replace(alone[0], legs=tuple(one.legs[0] for one in alone))
    try:
        answer = answer_trip(release, asked, today)
    except NotCovered as error:
        return _plain_error(error)
    return _plain_trip(
        answer.verdict,
        [_plain_reference(row.answer) if row.answer else _plain_error(row.error) for row in answer.segments],
        [row.verdict for row in answer.segments],
        answer.citations,
        (answer.next_change, answer.freshness, answer.staler_on),
    )


def _engine_trip(corpus: Corpus, trip: TripQuestion, today: datetime.date) -> Outcome:
    try:
        answer = evaluate_trip(corpus, trip, today=today)
    except Unanswerable as error:
        return _plain_error(error)
    return _plain_trip(
        answer.verdict,
        [_plain_engine(row.answer) if row.answer else _plain_error(row.error) for row in answer.segments],
        [row.verdict for row in answer.segments],
        _plain_citations(answer.citations),
        (answer.next_change, answer.freshness, answer.staler_on),
    )


def _plain_trip(
    verdict: str,
    segments: list[Outcome],
    verdicts: list[str],
    citations: list[Any],
    holding: tuple[Any, ...],
) -> Outcome:
    trip: Outcome = {
        "verdict": verdict,
        "verdicts": verdicts,
        "citations": citations,
        "holding": holding,
    }
    for index, segment in enumerate(segments):
        trip |= {f"segment {index} {name}": value for name, value in segment.items()}
    return trip


def _plain_error(error: Unanswerable | NotCovered | None) -> Outcome:
    assert error is not None
    return {"error": error.code, "of": error.name}


def _plain_reference(answer: LegAnswer) -> Outcome:
    return {
        "verdict": answer.verdict,
        "constraints": [entry.code for entry in answer.constraints],
        "parameters": [entry.value for entry in answer.constraints],
        "warnings": answer.warnings,
        "bans": answer.bans,
        "gaps": answer.gaps,
        "upcoming": (answer.rule_change, answer.certificate_change),
        "read_on": answer.read_on,
        "freshness": (answer.freshness, answer.staler_on),
        "path": answer.path,
        "citations": answer.citations,
        "recall": (answer.recall_status, answer.recall_check_method),
        "next_change": answer.next_change,
    }


def _plain_engine(answer: LegVerdict) -> Outcome:
    named = {warning.code: dict(warning.params) for warning in answer.warnings}
    return {
        "verdict": answer.verdict,
        "constraints": [constraint.code for constraint in answer.constraints],
        "parameters": [_parameter(constraint) for constraint in answer.constraints],
        "warnings": [(warning.code, warning.severity) for warning in answer.warnings],
        "bans": answer.bans,
        "gaps": list(answer.gaps),
        "upcoming": tuple(
            _day(named.get(name, {}).get("date"))
            for name in ("rule_change_upcoming", "certificate_change_upcoming")
        ),
        "read_on": _day(named.get("evidence_stale", {}).get("read_on")),
        "freshness": (answer.freshness, answer.staler_on),
        "path": list(answer.path),
        "citations": _plain_citations(answer.citations),
        "recall": (answer.recall_status, answer.recall_check_method),
        "next_change": answer.next_change,
    }


def _day(text: str | None) -> datetime.date | None:
    return None if text is None else datetime.date.fromisoformat(text)


def _parameter(statement: Statement) -> str | None:
    params = dict(statement.params)
    return params.get("max_units") or params.get("limit_watt_hour") or params.get("lookup_url")


def _plain_citations(citations: tuple[Any, ...]) -> list[tuple[str, str, str, str, datetime.date]]:
    return [(row.kind, row.authority, row.jurisdiction, row.url, row.pulled_at) for row in citations]


def _disagreement(where: str, question: Any, today: datetime.date, expected: Outcome, actual: Outcome) -> str:
    """Say what differs. A question is shown without its serial; its seed and number give it back in full."""
    lines = []
    for name in expected | actual:
        documents, engine = expected.get(name), actual.get(name)
        if documents == engine:
            continue
        if isinstance(documents, list) and isinstance(engine, list):
            lines.append(f"  {name}: documents alone {_only_in(documents, engine)}")
            lines.append(f"  {name}: engine alone {_only_in(engine, documents)}")
        else:
            lines.append(f"  {name}: documents {documents!r}, engine {engine!r}")
    return "\n".join([f"{where}, asked on {today}: {question!r}", *lines])


def _only_in(one: list[Any], other: list[Any]) -> list[Any] | str:
    return [item for item in one if item not in other] or "nothing, at most another order"


def _fail_if_any(disagreements: list[str]) -> None:
    if disagreements:
        shown = "\n".join(disagreements[:SHOWN_DISAGREEMENTS])
        pytest.fail(f"{len(disagreements)} disagreements, the first of them:\n{shown}")


# --- Was everything asked? ----------------------------------------------------------------------------------


def _count(seen: dict[str, Counter[str]], actual: Outcome) -> None:
    if "error" in actual:
        seen["other"][actual["error"]] += 1
        return
    seen["verdict"][actual["verdict"]] += 1
    seen["constraint"].update(actual["constraints"])
    seen["warning"].update(code for code, _ in actual["warnings"])
    seen["recall"][" by ".join(actual["recall"])] += 1
    seen["freshness"][actual["freshness"][0]] += 1
    seen["other"]["next change"] += actual["next_change"] is not None


def _every_branch_was_met(seen: dict[str, Counter[str]], content: Content) -> None:
    """So that agreement is never empty: each outcome that this corpus can give was given."""
    assert set(seen["verdict"]) == {"allowed", "conditional", "insufficient", "banned"}
    assert min(seen["verdict"].values()) > QUESTIONS / 50, seen["verdict"]
    assert {"MODEL_NOT_FOUND", "AIRLINE_NOT_COVERED", "next change"} <= set(seen["other"])
    assert set(seen["recall"]) == {
        "not_affected by model_match",
        "not_affected by pattern",
        "affected by model_match",
        "affected by pattern",
        "serial_unknown by model_match",
        "serial_unknown by pattern",
        "external_check_required by external_list_required",
    }
    assert min(seen["freshness"][one] for one in FRESHNESS) > QUESTIONS / 50, seen["freshness"]
    said = {CODES[rule.code] for rule in content.rules if rule.code is not None}
    binding = {code.name for code in said if EFFECT_OF_NATURE[code.nature] != "advise"} - {"max_units"}
    advice = {code.name for code in said if EFFECT_OF_NATURE[code.nature] == "advise"}
    units = {"max_units_1", "max_units_2", "max_units_20", "max_units_over_100wh_2"}
    of_facts = {
        "recall_serial_check",
        "recall_list_proof",
        "confirm_rated_watt_hour",
        "ccc_certificate_suspended",
    }
    assert set(seen["constraint"]) == binding | units | of_facts
    assert set(seen["warning"]) == advice | {
        "airline_approval_review",
        "recall_serial_unknown",
        "recall_external_list",
        "airline_policy_unconfirmed",
        "baseline_only_coverage",
        "watt_hour_unconfirmed",
        "device_facts_unconfirmed",
        "evidence_stale",
        "rule_change_upcoming",
        "ccc_mark_in_doubt",
        "certificate_change_upcoming",
        "transit_rescreening",
    }
