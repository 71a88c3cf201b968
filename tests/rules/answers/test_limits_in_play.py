"""The limits in play on a flight are those of the rules that the engine weighs on its day."""

import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from catalog.energy import Bound, bound, hundredths
from rules import verdicts
from rules.answers.limits_in_play import limits_in_play, limits_together, strictest_of, word_at
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Leg, Question, Unit
from rules.engine.outcomes import LegVerdict
from rules.selectors.policy_fields import EnergySpan, EnergyWord
from tests.support import starter

RELEASE, DAY = starter.starter_release(), starter.NOW.date()
STRICTER: list[EnergyWord] = ["free", "approval", "silent", "refused"]

WORDS = st.sampled_from(STRICTER)
LIMITS = st.lists(st.integers(1, 300_00), max_size=4, unique=True).map(sorted)


@st.composite
def spans(draw: st.DrawFn) -> tuple[EnergySpan, ...]:
    ends = [bound(Decimal(end) / 100) for end in draw(LIMITS)]
    return tuple(EnergySpan(draw(WORDS), end) for end in [*ends, None])


@given(st.lists(spans(), min_size=1, max_size=4), st.integers(1, 400_00))
def test_the_strictest_limits_say_of_each_rating_what_the_strictest_flight_says(
    limits: list[tuple[EnergySpan, ...]], rating: int
) -> None:
    expected = max((word_at(one, rating) for one in limits), key=STRICTER.index)
    assert word_at(strictest_of(limits), rating) == expected


@pytest.mark.parametrize("watt_hour", ["20", "99.99", "100", "100.01", "111", "160", "160.01", "300"])
def test_the_limits_of_a_flight_together_say_of_each_rating_what_its_verdict_says(watt_hour: str) -> None:
    content = starter.starter_content()
    model = replace(
        next(one for one in content.devices if one.model_id == "anker-a1277"),
        watt_hour=Decimal(watt_hour),
        watt_hour_basis="rated",
        capacity_mah=None,
        nominal_voltage=None,
    )
    release = starter.published(replace(content, devices=(model,), recalls=()))
    countries = sorted(release.corpus.countries)
    for number, (code, airline) in enumerate(sorted(release.corpus.airlines.items())):
        others = (airline.country, countries[number % len(countries)], "MY", "JP", "CN", "US", "AE")
        for leg in [
            Leg(*ends, code)
            for other in others
            for ends in ((airline.country, other), (other, airline.country))
        ]:
            question = Question(unit=Unit(model_id=model.model_id), leg=leg, travel_date=DAY)
            try:
                outcome = verdicts.answer_from(release, question, now=starter.NOW).outcome
            except AirlineNotCovered:
                continue
            together = limits_together(leg, limits_in_play(release, leg, DAY))
            assert word_at(together, hundredths(Decimal(watt_hour))) == of_verdict(outcome), leg


def of_verdict(outcome: LegVerdict) -> EnergyWord:
    """Return what a verdict on one ordinary unit says of its energy."""
    names = {one.name for one in outcome.constraints}
    if "over_watt_hour_limit" in names:
        return "refused"
    if outcome.gaps:
        return "silent"
    return "approval" if "airline_approval_required" in names else "free"


@pytest.mark.parametrize(
    ("limit", "rating", "word"),
    [
        (Bound(Decimal(100), inclusive=True), 99_99, "free"),
        (Bound(Decimal(100), inclusive=True), 100_00, "free"),
        (Bound(Decimal(100), inclusive=True), 100_01, "refused"),
        (Bound(Decimal(100), inclusive=False), 99_99, "free"),
        (Bound(Decimal(100), inclusive=False), 100_00, "refused"),
    ],
)
def test_a_rating_at_a_limit_is_within_it_only_if_the_limit_says_so(
    limit: Bound, rating: int, word: EnergyWord
) -> None:
    assert word_at((EnergySpan("free", limit), EnergySpan("refused", None)), rating) == word


def test_the_baseline_comes_first_and_the_airline_last() -> None:
    found = limits_in_play(RELEASE, Leg("AE", "GB", "EK"), DAY)
    assert found[0].jurisdiction == "INTL"
    assert found[-1].airline == "EK"
    assert {"AE", "GB"} <= {one.jurisdiction for one in found}


@pytest.mark.parametrize("airline", ["GK", "HO", "JL", "MM", "NH", "QH", "U2", "UA", "ZG"])
def test_an_airline_that_takes_more_has_to_approve_what_the_baseline_says(airline: str) -> None:
    *others, own = limits_in_play(RELEASE, Leg("JP", "SG", airline), DAY)
    assert word_at(others[0].spans, 148_00) == "approval"
    assert [word_at(own.spans, rating) for rating in (100_00, 100_01, 148_00)] == [
        "free",
        *["approval"] * 2,
    ]


def test_what_an_airline_does_not_speak_of_stays_unknown() -> None:
    baseline, *_, own = limits_in_play(RELEASE, Leg("JP", "PH", "5J"), DAY)
    assert word_at(baseline.spans, 161_00) == "refused"
    assert word_at(own.spans, 161_00) == "silent"


def test_an_airline_without_rules_has_no_limits() -> None:
    with pytest.raises(AirlineNotCovered):
        limits_in_play(RELEASE, Leg("AE", "GB", "ZZ"), DAY)


def test_a_limit_counts_on_the_days_on_which_its_rule_is_in_force() -> None:
    tomorrow = DAY + datetime.timedelta(days=1)
    content = starter.starter_content()
    later = tuple(
        replace(rule, effective_from=tomorrow) if rule.code == "over_watt_hour_limit" else rule
        for rule in content.rules
    )
    release, leg = starter.published(replace(content, rules=later)), Leg("AE", "GB", "EK")
    today, then = (limits_in_play(release, leg, day)[-1].spans for day in (DAY, tomorrow))
    assert [span.word for span in today] == ["free", "silent"]
    assert [span.word for span in then] == ["free", "refused"]
