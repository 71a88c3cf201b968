"""What readers rely on: guidance from a label never clears a unit, and is never milder than a verdict."""

import datetime
from decimal import Decimal
from typing import Any, Literal

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import verdicts, wording
from rules.answers.guidance import (
    UNLISTED,
    LabelFact,
    LabelUnclear,
    Rating,
    guidance_from,
    rating,
    trip_guidance_from,
)
from rules.answers.rules_in_play import considered
from rules.corpus import Published
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Leg, Question, TripQuestion, Unit
from rules.engine.vocabulary import STRICTNESS, strictest
from rules.wording.saying import say
from tests.rules.answer_texts import reads_well
from tests.rules.engine.asked import ASKED, ASKED_TRIPS, Asked, AskedTrip
from tests.rules.engine.worlds import FIGURES, TODAY, device
from tests.support.starter import NOW, starter_release

AT = datetime.datetime.combine(TODAY, datetime.time(9), datetime.UTC)
checked_often = settings(max_examples=300, deadline=None)

WATT_HOURS = st.sampled_from([Decimal(figure) for figure, _ in FIGURES if figure]) | st.decimals(
    1, 300, places=2
)
BASES: st.SearchStrategy[Literal["rated", "computed"]] = st.sampled_from(("rated", "computed"))


def release_of(content: Content) -> Published:
    return Published("2027-03-01", "0" * 64, AT, Corpus(content))


def with_model(content: Content, model_id: str, label: Rating) -> Content:
    """Return the content where a model has this rating, read in a source, no recall, and no rule by name."""
    own = device(model_id, str(label.watt_hour), label.basis, sources=())
    return replace(
        content,
        rules=tuple(row for row in content.rules if model_id not in (row.when.model or ())),
        devices=tuple(own if row.model_id == model_id else row for row in content.devices),
        recalls=tuple(row for row in content.recalls if row.model_id != model_id),
    )


def unlisted(unit: Unit) -> Unit:
    return replace(unit, model_id=UNLISTED, serial=None, serial_hash=None)


# --- Never milder ---


@checked_often
@given(ASKED, WATT_HOURS, BASES)
def test_guidance_is_as_strict_as_the_verdict_on_such_a_model_and_never_allowed(
    asked: Asked, watt_hour: Decimal, basis: Literal["rated", "computed"]
) -> None:
    label, question = Rating(watt_hour, basis), asked.question
    release = release_of(with_model(asked.content, question.unit.model_id, label))
    try:
        verdict = verdicts.answer_from(release, question, now=AT)
    except AirlineNotCovered:
        reject()
    guidance = guidance_from(release, label, replace(question, unit=unlisted(question.unit)), now=AT)
    assert guidance.outcome.verdict != "allowed"
    assert STRICTNESS[guidance.outcome.verdict] >= STRICTNESS[verdict.outcome.verdict]
    assert guidance.outcome.verdict == strictest([verdict.outcome.verdict, "conditional"])
    assert guidance.outcome.constraints == verdict.outcome.constraints
    assert guidance.outcome.path[2:-1] == verdict.outcome.path[2:-1]
    assert guidance.expires_at == verdict.expires_at


@checked_often
@given(ASKED_TRIPS, WATT_HOURS, BASES)
def test_guidance_for_a_trip_is_that_of_its_strictest_leg(
    asked: AskedTrip, watt_hour: Decimal, basis: Literal["rated", "computed"]
) -> None:
    label, trip = Rating(watt_hour, basis), replace(asked.trip, unit=unlisted(asked.trip.unit))
    release = release_of(asked.content)
    guidance = trip_guidance_from(release, label, trip, now=AT)
    for leg, segment in zip(trip.legs, guidance.outcome.segments, strict=True):
        question = Question(
            unit=trip.unit,
            leg=leg,
            travel_date=trip.travel_date,
            compartment_intent=trip.compartment_intent,
        )
        try:
            alone = guidance_from(release, label, question, now=AT).outcome.verdict
        except AirlineNotCovered:
            alone = "insufficient"
        assert segment.verdict == alone
    verdict = guidance.outcome.verdict
    assert verdict == strictest(segment.verdict for segment in guidance.outcome.segments)
    assert verdict != "allowed"


# --- What it claims ---


@checked_often
@given(ASKED, WATT_HOURS, BASES)
def test_guidance_says_that_recalls_were_not_checked_and_claims_nothing_of_them(
    asked: Asked, watt_hour: Decimal, basis: Literal["rated", "computed"]
) -> None:
    release, label = release_of(asked.content), Rating(watt_hour, basis)
    question = replace(asked.question, unit=unlisted(asked.question.unit))
    try:
        guidance = guidance_from(release, label, question, now=AT)
    except AirlineNotCovered:
        reject()
    outcome = guidance.outcome
    assert outcome.path[:2] == ("unit.described", "recall.not_checked")
    recalls = say("guidance.recalls", "en")
    assert recalls in wording.guidance_notes(label, "en")
    summary = wording.guidance_summary(guidance, "en")
    assert summary.startswith("General guidance:")
    assert summary.endswith(recalls)
    shown = wording.steps(release, outcome, "en")
    assert tuple(step.step for step in shown) == outcome.path
    for text in (
        summary,
        *wording.guidance_notes(label, "en"),
        *wording.guidance_constraint_messages(outcome, "en"),
        *wording.guidance_warning_messages(outcome, "en"),
        *(step.says for step in shown),
    ):
        reads_well(text)
        assert "on file" not in text or "rule" in text.lower()
    applied = {step.step for step in shown if step.kind == "rule"}
    others = considered(release, question, outcome)
    assert applied.isdisjoint(one.rule.rule_id for one in others.unmet)


def test_a_question_about_a_model_is_for_the_door() -> None:
    question = Question(unit=Unit(model_id="anker-a1289"), leg=Leg("JP", "SG", "SQ"), travel_date=NOW.date())
    with pytest.raises(ValueError, match="verdict, not guidance"):
        guidance_from(starter_release(), Rating(Decimal(74), "rated"), question, now=NOW)


# --- Real cases ---


def guided(route: str, **label: Any) -> str:
    leg = Leg(route[:2], route[3:5], route[6:])
    question = Question(unit=Unit(model_id=UNLISTED), leg=leg, travel_date=NOW.date())
    return wording.guidance_summary(
        guidance_from(starter_release(), rating(**label), question, now=NOW), "en"
    )


RECALLS = (
    " Recalls cannot be checked without the exact model: check whether yours is recalled before you fly."
)


def test_a_small_unit_is_open_for_its_recalls_alone() -> None:
    assert guided("AE-GB EK", watt_hour=Decimal(74)) == (
        "General guidance: a power bank of this rating may travel on this flight only once the open "
        "points are settled." + RECALLS
    )


def test_a_computed_figure_near_the_limit_must_be_read_from_the_label() -> None:
    said = guided("AE-GB EK", capacity_mah=26_800, nominal_voltage=Decimal("3.7"))
    assert "Read the rated watt-hours on its label" in said
    assert "Read the rated watt-hours" not in guided("AE-GB EK", watt_hour=Decimal("99.16"))


def test_a_large_unit_is_banned() -> None:
    assert guided("AE-GB EK", watt_hour=Decimal(148)).startswith(
        "General guidance: a power bank as you describe it is not allowed on this flight. It has 148 Wh "
        "and the limit is 100 Wh."
    )


def test_a_trip_with_an_airline_that_is_not_covered_is_not_cleared() -> None:
    trip = TripQuestion(
        unit=Unit(model_id=UNLISTED),
        legs=(Leg("AE", "GB", "EK"), Leg("GB", "US", "ZZ")),
        travel_date=NOW.date(),
    )
    guidance = trip_guidance_from(starter_release(), rating(watt_hour=Decimal(74)), trip, now=NOW)
    assert guidance.outcome.verdict == "insufficient"
    assert "ZZ is not covered here" in wording.trip_guidance_summary(guidance, "en")


# --- The label ---


@pytest.mark.parametrize(
    ("label", "watt_hour", "basis"),
    [
        ({"watt_hour": Decimal("99.9")}, "99.90", "rated"),
        ({"watt_hour": Decimal("99.991")}, "100.00", "rated"),
        ({"capacity_mah": 20_000, "nominal_voltage": Decimal("3.7")}, "74.00", "computed"),
        (
            {"watt_hour": Decimal(74), "capacity_mah": 20_000, "nominal_voltage": Decimal("3.7")},
            "74",
            "rated",
        ),
        (
            {"watt_hour": Decimal(72), "capacity_mah": 20_000, "nominal_voltage": Decimal("3.7")},
            "74",
            "computed",
        ),
        ({"watt_hour": Decimal(74), "capacity_mah": 20_000}, "74", "rated"),
    ],
)
def test_a_label_gives_its_rating_and_the_higher_figure_counts(
    label: dict[str, Any], watt_hour: str, basis: Any
) -> None:
    assert rating(**label) == Rating(Decimal(watt_hour), basis)


@pytest.mark.parametrize(
    ("label", "fact", "reason"),
    [
        ({}, "watt_hour", "missing"),
        ({"capacity_mah": 20_000}, "nominal_voltage", "missing"),
        ({"nominal_voltage": Decimal("3.7")}, "capacity_mah", "missing"),
        ({"watt_hour": Decimal(0)}, "watt_hour", "implausible"),
        ({"watt_hour": Decimal("NaN")}, "watt_hour", "implausible"),
        ({"capacity_mah": 27, "nominal_voltage": Decimal("3.7")}, "capacity_mah", "implausible"),
        ({"capacity_mah": 20_000, "nominal_voltage": Decimal("0.37")}, "nominal_voltage", "implausible"),
        ({"watt_hour": Decimal(10), "capacity_mah": 27_000}, "watt_hour", "contradicted"),
        ({"watt_hour": Decimal("80.99"), "capacity_mah": 27_000}, "watt_hour", "contradicted"),
    ],
)
def test_a_label_that_gives_no_rating_is_asked_about(
    label: dict[str, Any], fact: LabelFact, reason: str
) -> None:
    with pytest.raises(LabelUnclear) as unclear:
        rating(**label)
    assert (unclear.value.fact, unclear.value.reason) == (fact, reason)
