"""Trying a draft against a release."""

import datetime
from decimal import Decimal

import pytest
from msgspec.structs import replace

from rules.editing.trials import concerning, try_rule
from rules.engine.corpus import Corpus
from rules.engine.errors import ModelNotFound
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Leg, Params, Question, Rule, Unit, When
from tests.support.starter import NOW, published, starter_content, starter_release

DAY = datetime.date(2026, 12, 24)
ONE_UNIT = Rule(
    rule_id="qr.one-unit",
    issuer="airline",
    authority="Qatar Airways",
    jurisdiction="QA",
    airline="QR",
    applies=("airline",),
    effect="require",
    code="max_units",
    params=Params(max_units=1),
    effective_from=datetime.date(2026, 12, 1),
    summary="One unit.",
    confidence="confirmed",
    sources=("qr-page",),
)
SOURCES = [replace(starter_content().sources[0], id="qr-page", basis="official_page_read")]


def question(
    airline: str = "QR", *, quantity: int = 2, model: str | None = None, day: datetime.date = DAY
) -> Question:
    model = model or next(
        device.model_id
        for device in starter_content().devices
        if device.watt_hour is not None
        and device.watt_hour < 90
        and device.model_id not in {recall.model_id for recall in starter_content().recalls}
    )
    return Question(
        unit=Unit(model_id=model, quantity=quantity), leg=Leg("QA", "GB", airline), travel_date=day
    )


def verdicts(rule: Rule, asked: Question, **options: bool) -> tuple[str, str, bool, bool]:
    trial = try_rule(starter_release(), rule, SOURCES, asked, now=NOW, **options)
    assert trial.before is not None
    assert trial.after is not None
    return trial.before.outcome.verdict, trial.after.outcome.verdict, trial.speaks, trial.decides


def test_a_draft_that_bans_is_seen_to_decide() -> None:
    assert verdicts(ONE_UNIT, question()) == ("allowed", "banned", True, True)


def test_a_draft_that_is_met_speaks_and_does_not_decide() -> None:
    assert verdicts(ONE_UNIT, question(quantity=1)) == ("allowed", "allowed", True, False)


def test_a_draft_that_starts_later_or_is_of_another_airline_does_not_speak() -> None:
    assert verdicts(ONE_UNIT, question(day=datetime.date(2026, 11, 30))) == (
        "allowed",
        "allowed",
        False,
        False,
    )
    assert verdicts(ONE_UNIT, question("BA"))[2:] == (False, False)


def test_a_revision_stands_in_the_place_of_what_is_published() -> None:
    (permit,) = [
        rule
        for rule in starter_content().rules
        if rule.airline == "QR" and rule.effect == "permit" and rule.when.watt_hour_over is None
    ]
    narrower = replace(permit, when=When(watt_hour_up_to=Decimal(1)), sources=("qr-page",))
    assert verdicts(narrower, question()) == ("allowed", "insufficient", False, False)
    assert verdicts(permit, question()) == ("allowed", "allowed", True, True)
    assert verdicts(permit, question(), withdraws=True) == ("allowed", "insufficient", False, False)


def test_an_airline_without_rules_is_covered_by_the_draft_alone() -> None:
    content = starter_content()
    rules = tuple(rule for rule in content.rules if rule.airline != "QR")
    release = published(replace(content, rules=rules))
    trial = try_rule(release, ONE_UNIT, SOURCES, question(), now=NOW)
    assert trial.before is None
    assert trial.after is not None
    assert trial.after.outcome.verdict == "banned"
    assert trial.decides


def test_a_model_that_is_not_in_the_release_is_refused() -> None:
    with pytest.raises(ModelNotFound):
        try_rule(starter_release(), ONE_UNIT, SOURCES, question(model="nowhere-1"), now=NOW)


def test_no_answer_depends_on_what_a_trial_leaves_out() -> None:
    content = starter_content()
    devices = [device.model_id for device in content.devices][:: len(content.devices) // 9]
    airlines = [airline.airline for airline in content.airlines][:: len(content.airlines) // 7]
    legs = [("US", "US"), ("CN", "CN"), ("QA", "GB"), ("JP", "KR"), ("DE", "FR")]
    for at, model in enumerate(devices):
        for airline in airlines:
            origin, destination = legs[at % len(legs)]
            unit = Unit(model_id=model, quantity=1 + at % 3)
            asked = Question(unit=unit, leg=Leg(origin, destination, airline), travel_date=DAY)
            whole = evaluate_leg(starter_release().corpus, asked, today=NOW.date())
            part = evaluate_leg(Corpus(concerning(content, asked)), asked, today=NOW.date())
            assert part == whole
