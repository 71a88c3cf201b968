"""What travelers rely on: a ban comes with what to do now, and no advice is milder than the truth."""

import datetime

import pytest
from hypothesis import given, reject, settings
from msgspec.structs import replace

from rules import verdicts, wording
from rules.answers.guidance import UNLISTED, capacity_alone, guidance_from
from rules.corpus import Published
from rules.engine.corpus import Corpus
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Leg, Params, Question, Rule, TripQuestion, Unit
from rules.engine.matching import bans
from rules.engine.vocabulary import CODES, EFFECT_OF_NATURE, Compartment, Verdict
from rules.verdicts import Answer
from rules.wording.advice import ADVICE, AT_HOME, DANGEROUS
from rules.wording.saying import say
from tests.rules.answer_texts import drawn_answers, reads_well
from tests.rules.engine.asked import ASKED, Asked
from tests.rules.engine.worlds import TODAY
from tests.support.starter import NOW, starter_release

AT = datetime.datetime.combine(TODAY, datetime.time(9), datetime.UTC)
VERDICTS: tuple[Verdict, ...] = ("allowed", "conditional", "insufficient", "banned")


def words(*keys: str) -> tuple[str, ...]:
    return tuple(say(f"advice.{key}", "en") for key in keys)


def reasons(answer: Answer) -> set[str]:
    return {one.name for one in answer.outcome.constraints[: answer.outcome.bans]}


def can_ban(code: str) -> bool:
    """Whether a rule with this code bans under any facts, or the engine bans by it."""
    effect = EFFECT_OF_NATURE.get(CODES[code].nature, "advise")
    rule = Rule(
        rule_id="one",
        issuer="regulator",
        authority="Authority",
        jurisdiction="INTL",
        applies=("global",),
        effect=effect,
        code=code,
        params=Params(max_units=2) if CODES[code].parameter == "max_units" else Params(),
        summary="One.",
        sources=("law",),
        confidence="confirmed",
    )
    return bool(bans(rule))


def test_there_is_advice_for_each_code_that_can_ban_and_for_no_other() -> None:
    assert {code for code in CODES if can_ban(code)} == set(ADVICE)


@settings(max_examples=200, deadline=None)
@given(ASKED)
def test_a_ban_always_comes_with_advice_and_nothing_else_does(asked: Asked) -> None:
    release = Published("2027-03-01", "0" * 64, AT, Corpus(asked.content))
    try:
        answer = verdicts.answer_from(release, asked.question, now=AT)
    except AirlineNotCovered:
        reject()
    said = wording.advice(answer, "en")
    assert bool(said) == (answer.outcome.verdict == "banned")
    for sentence in said:
        reads_well(sentence)


@pytest.mark.usefixtures("starter_release")
def test_of_the_real_rules_each_reason_gets_its_own_advice() -> None:
    met: set[str] = set()
    for answer in drawn_answers(3000):
        if answer.outcome.verdict != "banned":
            continue
        said, why = wording.advice(answer, "en"), reasons(answer)
        assert said
        said_unaffected = answer.question.unit.recall_check == "not_affected"
        if "damaged_not_permitted" in why or ("recalled_not_permitted" in why and not said_unaffected):
            assert set(words(*DANGEROUS)) <= set(said)
        if len(why) == 1 and answer.question.compartment_intent != "checked":
            assert set(said) & {*words(*ADVICE[next(iter(why))]), *words(*AT_HOME)}
        met |= why
    assert met == set(ADVICE)


@pytest.mark.usefixtures("starter_release")
def test_what_is_said_of_the_cabin_is_what_asking_for_the_cabin_gives() -> None:
    seen: set[str] = set()
    for answer in drawn_answers(3000):
        question = answer.question
        if answer.outcome.verdict != "banned" or question.compartment_intent != "checked":
            continue
        in_cabin = replace(question, compartment_intent="carry_on")
        cabin = verdicts.answer_from(answer.release, in_cabin, now=answer.generated_at).outcome.verdict
        said = wording.advice(answer, "en")
        assert [one for one in words(*(f"cabin.{verdict}" for verdict in VERDICTS)) if one in said] == list(
            words(f"cabin.{cabin}")
        )
        seen.add(cabin)
    assert seen == set(VERDICTS)


@pytest.mark.usefixtures("starter_release")
def test_a_companion_is_named_only_where_one_unit_of_it_may_travel() -> None:
    (companion,) = words("companion")
    named = 0
    for answer in drawn_answers(3000):
        if companion not in wording.advice(answer, "en"):
            continue
        one = replace(
            answer.question,
            unit=replace(answer.question.unit, quantity=1),
            compartment_intent="carry_on"
            if answer.question.compartment_intent == "checked"
            else answer.question.compartment_intent,
        )
        verdict = verdicts.answer_from(answer.release, one, now=answer.generated_at).outcome.verdict
        assert verdict in {"allowed", "conditional"}
        named += 1
    assert named > 20


def asked(model: str = "anker-a1289", intent: Compartment = "carry_on", **unit: object) -> Question:
    return Question(
        unit=replace(Unit(model_id=model), **unit),
        leg=Leg("AE", "GB", "EK"),
        travel_date=NOW.date(),
        compartment_intent=intent,
    )


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        (asked(quantity=2), ("companion",)),
        (asked(intent="checked"), ("cabin.allowed",)),
        (asked(condition="damaged"), DANGEROUS),
        (asked(condition="damaged", quantity=2), DANGEROUS),
        (asked(condition="damaged", intent="checked"), ("cabin.banned", *DANGEROUS)),
        (asked(capacity_label="missing"), ("label",)),
        # One unit alone would not be cleared either.
        (asked("anker-a1680", quantity=2), AT_HOME),
    ],
)
def test_the_advice_fits_the_reason(question: Question, keys: tuple[str, ...]) -> None:
    answer = verdicts.answer_from(starter_release(), question, now=NOW)
    assert wording.advice(answer, "en") == words(*keys)


def test_a_trip_and_guidance_get_the_same_advice() -> None:
    release, question = starter_release(), asked(quantity=2)
    trip = TripQuestion(
        unit=question.unit, legs=(question.leg, Leg("GB", "US", "BA")), travel_date=NOW.date()
    )
    assert wording.advice(verdicts.trip_answer_from(release, trip, now=NOW), "en") == words("companion")
    unlisted = asked(UNLISTED, "checked")
    guided = guidance_from(release, capacity_alone(20_000), unlisted, now=NOW)
    assert guided.outcome.verdict == "banned"
    assert wording.advice(guided, "en") == words("cabin.insufficient")
