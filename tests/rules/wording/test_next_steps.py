"""Whoever is told that something is open is told what to do about it first, and nothing else is suggested."""

import datetime

import pytest

from rules import verdicts, wording
from rules.corpus import Published
from rules.engine.facts import Leg, Question, TripQuestion, Unit
from rules.wording.next_steps import STEPS
from rules.wording.texts import NEXT_STEPS
from tests.rules.answer_texts import drawn_answers, reads_well
from tests.rules.engine.starter_questions import Drawer
from tests.support import door
from tests.support.starter import NOW, starter_content


def step_of(model_id: str, route: str, airline: str, **unit: str) -> wording.NextStep | None:
    question = Question(
        unit=Unit(model_id=model_id, **unit),  # type: ignore[arg-type]
        leg=Leg(route[:2], route[3:], airline),
        travel_date=NOW.date(),
    )
    return wording.next_step(door.verify(question, now=NOW), "en")


def test_every_step_has_its_sentence_and_reads_well(starter_release: Published) -> None:
    assert set(STEPS) == set(NEXT_STEPS)
    seen = set()
    for answer in drawn_answers(1500):
        step = wording.next_step(answer, "en")
        assert (step is not None) == (answer.outcome.verdict in {"conditional", "insufficient"})
        if step is not None:
            seen.add(step.code)
            reads_well(step.message)
            assert step.url is None or step.url.startswith(("https://", "http://"))
    assert len(seen) >= 5, seen


def test_a_trip_suggests_what_its_strictest_flight_does(starter_release: Published) -> None:
    drawer = Drawer(starter_content(), seed=11)
    suggested = 0
    for _ in range(400):
        question, _ = drawer.trip()
        now = datetime.datetime.combine(question.travel_date, datetime.time(9), datetime.UTC)
        try:
            answer = door.verify_trip(question, now=now)
        except LookupError:
            continue
        step = wording.trip_next_step(answer, "en")
        assert (step is not None) == (answer.outcome.verdict in {"conditional", "insufficient"})
        if step is not None:
            suggested += 1
            strictest = next(
                index
                for index, segment in enumerate(answer.outcome.segments)
                if segment.verdict == answer.outcome.verdict
            )
            leg = verdicts.segment_answer(answer, strictest)
            assert leg is None or step == wording.next_step(leg, "en")
    assert suggested > 20


@pytest.mark.usefixtures("starter_release")
def test_a_recall_with_a_list_leads_to_that_list() -> None:
    step = step_of("anker-a1263", "US-GB", "BA")
    assert step is not None
    assert step.code == "check_recall_list"
    assert step.url is not None


@pytest.mark.usefixtures("starter_release")
def test_missing_watt_hours_lead_to_the_label_and_the_airline() -> None:
    step = step_of("anker-a1680", "CN-JP", "CA")
    assert step is not None
    assert step.code == "read_label"
    assert "Air China" in step.message


@pytest.mark.usefixtures("starter_release")
def test_nothing_is_suggested_where_nothing_is_open() -> None:
    assert step_of("anker-a1289", "CN-CN", "CA", ccc_mark="present") is None
    assert step_of("anker-a1289", "CN-CN", "CA", ccc_mark="absent") is None


def test_a_flight_that_no_one_covers_leads_to_its_airline(starter_release: Published) -> None:
    question = TripQuestion(
        unit=Unit(model_id="anker-a1289"), legs=(Leg("GB", "IE", "ZZ"),), travel_date=NOW.date()
    )
    step = wording.trip_next_step(door.verify_trip(question, now=NOW), "en")
    assert step == wording.coverage_step(starter_release, "ZZ", "en")
    assert step is not None
    assert (step.code, step.url) == ("ask_airline", None)
    known = wording.coverage_step(starter_release, "NK", "en")
    assert known.url is not None
    assert "NK" not in known.message
