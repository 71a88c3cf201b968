"""What travelers rely on: a conditional answer says what has to be settled, always."""

import datetime
from decimal import Decimal

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import verdicts, wording
from rules.answers.guidance import UNLISTED, Rating, capacity_alone, guidance_from, rating, trip_guidance_from
from rules.corpus import Published
from rules.engine.corpus import Corpus
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Leg, Question, TripQuestion, Unit
from rules.engine.vocabulary import Verdict
from rules.wording.saying import say
from tests.rules.answer_texts import drawn_answers, reads_well
from tests.rules.engine.asked import ASKED, Asked
from tests.rules.engine.starter_questions import starter_questions, starter_trips
from tests.rules.engine.worlds import TODAY
from tests.support.starter import NOW, starter_release

AT = datetime.datetime.combine(TODAY, datetime.time(9), datetime.UTC)
LABELS = st.builds(lambda watt_hour: rating(watt_hour=watt_hour), st.decimals(1, 200, places=2)) | st.just(
    capacity_alone(20_000)
)
often = settings(max_examples=200, deadline=None)


def unlisted(question: Question | TripQuestion) -> Question | TripQuestion:
    return replace(question, unit=replace(question.unit, model_id=UNLISTED, serial=None, serial_hash=None))


def says_what_to_settle(verdict: Verdict, points: tuple[str, ...]) -> None:
    assert bool(points) == (verdict in {"conditional", "insufficient"})
    for point in points:
        reads_well(point)


@often
@given(ASKED)
def test_whatever_the_rules_are_a_conditional_answer_says_what_to_settle(asked: Asked) -> None:
    release = Published("2027-03-01", "0" * 64, AT, Corpus(asked.content))
    try:
        answer = verdicts.answer_from(release, asked.question, now=AT)
    except AirlineNotCovered:
        reject()
    points = wording.open_points(release, answer.question, answer.question.leg, answer.outcome, "en")
    says_what_to_settle(answer.outcome.verdict, points)


@pytest.mark.usefixtures("starter_release")
def test_by_the_real_rules_a_conditional_answer_says_what_to_settle() -> None:
    policies = 0
    for answer in drawn_answers(3000):
        question, outcome = answer.question, answer.outcome
        points = wording.open_points(answer.release, question, question.leg, outcome, "en")
        says_what_to_settle(outcome.verdict, points)
        preconditions = [one for one in outcome.constraints if wording.is_open(one, question)]
        policies += outcome.verdict == "conditional" and not preconditions
    assert policies > 0, "no answer was conditional for an unconfirmed policy alone"


@often
@given(starter_questions(), LABELS)
def test_guidance_says_what_to_settle_and_that_the_model_has_to_be_found(
    question: Question, label: Rating
) -> None:
    release = starter_release()
    try:
        guided = guidance_from(release, label, unlisted(question), now=NOW)  # type: ignore[arg-type]
    except AirlineNotCovered:
        reject()
    points = wording.open_points(release, guided.question, question.leg, guided.outcome, "en")
    says_what_to_settle(guided.outcome.verdict, points)
    assert (say("guidance.model", "en") in points) == (guided.outcome.verdict != "banned")


@often
@given(starter_trips(), LABELS)
def test_each_flight_of_a_trip_says_what_to_settle(trip: TripQuestion, label: Rating) -> None:
    release = starter_release()
    answer = verdicts.trip_answer_from(release, trip, now=NOW)
    guided = trip_guidance_from(release, label, unlisted(trip), now=NOW)  # type: ignore[arg-type]
    for segment in answer.outcome.segments:
        if segment.answer is not None:
            points = wording.open_points(release, trip, segment.leg, segment.answer, "en")
            says_what_to_settle(segment.verdict, points)
    for one in guided.outcome.segments:
        if one.guidance is not None:
            points = wording.open_points(release, guided.question, one.leg, one.guidance, "en")
            says_what_to_settle(one.verdict, points)


@pytest.mark.usefixtures("starter_release")
def test_a_mark_that_was_found_is_nothing_to_settle() -> None:
    for answer in drawn_answers(1500):
        question = answer.question
        if question.unit.ccc_mark == "present":
            points = wording.open_points(answer.release, question, question.leg, answer.outcome, "en")
            assert not any("CCC" in point for point in points)


def test_a_capacity_alone_is_never_cleared_and_says_how_the_watt_hours_are_found() -> None:
    leg, unit = Leg("AE", "GB", "EK"), Unit(model_id=UNLISTED)
    question = Question(unit=unit, leg=leg, travel_date=NOW.date())
    guided = guidance_from(starter_release(), capacity_alone(20_000), question, now=NOW)
    assert (guided.outcome.verdict, guided.outcome.device.watt_hour) == ("insufficient", None)
    points = wording.open_points(starter_release(), question, leg, guided.outcome, "en")
    for words in ("watt-hours (Wh)", "3.6 to 3.85 V", "maker's website", "model number", "ask Emirates"):
        assert any(words in point for point in points)
    damaged = replace(question, unit=replace(unit, condition="damaged"))
    outcome = guidance_from(starter_release(), capacity_alone(20_000), damaged, now=NOW).outcome
    assert outcome.verdict == "banned"


def test_a_unit_of_unknown_model_is_told_of_the_models_that_the_airline_names() -> None:
    leg = Leg("CA", "US", "AC")
    question = Question(unit=Unit(model_id=UNLISTED), leg=leg, travel_date=NOW.date())
    guided = guidance_from(starter_release(), Rating(Decimal(74), "rated"), question, now=NOW)
    assert guided.outcome.verdict == "conditional"
    points = wording.open_points(starter_release(), question, leg, guided.outcome, "en")
    models = "Anker A1647, Anker A1681, and Anker A1689"
    assert f"Find the exact model: Air Canada has a rule only for {models}." in points
    elsewhere = replace(question, leg=Leg("CA", "US", "DL"))
    other = guidance_from(starter_release(), Rating(Decimal(74), "rated"), elsewhere, now=NOW)
    points = wording.open_points(starter_release(), elsewhere, elsewhere.leg, other.outcome, "en")
    assert not any("Anker" in point for point in points)
