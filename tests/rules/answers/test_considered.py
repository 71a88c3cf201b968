"""What readers rely on: a rule that did not apply says why in plain words, with its evidence."""

from decimal import Decimal

import pytest

from rules import verdicts
from rules.answers.guidance import UNLISTED, Rating, guidance_from
from rules.answers.rules_in_play import considered
from rules.engine.facts import Leg, Question, Unit
from rules.verdicts import Answer
from rules.wording import considered_words
from tests.rules.answer_texts import drawn_answers, reads_well
from tests.support.starter import NOW, starter_release


def an_answer(route: str, **unit: str) -> Answer:
    leg = Leg(route[:2], route[3:5], route[6:])
    question = Question(unit=Unit(model_id="anker-a1289", **unit), leg=leg, travel_date=NOW.date())  # type: ignore[arg-type]
    return verdicts.answer_from(starter_release(), question, now=NOW)


def reasons(answer: Answer) -> dict[str, tuple[str, ...]]:
    words = considered_words(
        starter_release(), considered(starter_release(), answer.question, answer.outcome), "en"
    )
    return {one.rule_id: one.reasons for one in (*words.unmet, *words.out_of_force)}


def test_a_limit_that_was_not_reached_names_it_and_the_rating() -> None:
    said = reasons(an_answer("JP-SG SQ"))
    assert said["intl.icao.over-160wh"] == (
        "It applies to a power bank over 160 Wh, and this one has 86.4 Wh.",
    )


def test_a_rule_that_ended_names_its_last_day() -> None:
    said = reasons(an_answer("JP-SG SQ"))
    assert said["intl.icao.max-20-until-2026"] == (
        "It was last in force on 26 March 2026, before the day of travel.",
    )


def test_a_rule_that_is_not_in_force_keeps_its_conditions_in_words() -> None:
    answer = an_answer("JP-SG SQ")
    words = considered_words(
        starter_release(), considered(starter_release(), answer.question, answer.outcome), "en"
    )
    ended = next(one for one in words.out_of_force if one.rule_id == "intl.icao.max-20-until-2026")
    assert "It applies to a passenger who carries more than 20." in ended.conditions


def test_a_rule_for_named_models_names_them_to_anyone_who_carries_another() -> None:
    said = reasons(an_answer("CA-US AC"))
    assert said["ac.named-anker-models"] == ("It applies only to Anker A1647, Anker A1681, and Anker A1689.",)


def test_a_rule_for_named_models_says_so_where_the_model_is_not_known() -> None:
    leg, unit = Leg("CA", "US", "AC"), Unit(model_id=UNLISTED)
    question = Question(unit=unit, leg=leg, travel_date=NOW.date())
    guided = guidance_from(starter_release(), Rating(Decimal(74), "rated"), question, now=NOW)
    found = considered(starter_release(), question, guided.outcome)
    words = considered_words(starter_release(), found, "en")
    (named,) = (one for one in words.unmet if one.rule_id == "ac.named-anker-models")
    assert named.says == "A power bank of a recalled model may not travel."
    (reason,) = named.reasons
    assert reason.startswith("It applies only to Anker A1647, Anker A1681, and Anker A1689, and the model of")


def test_the_rule_for_damaged_units_did_not_apply_to_an_intact_one() -> None:
    said = reasons(an_answer("JP-SG SQ", condition="intact"))
    assert said["intl.icao.damaged"] == ("It applies to a damaged unit.",)


@pytest.mark.usefixtures("starter_release")
def test_whatever_is_asked_each_reason_reads_well_and_is_cited() -> None:
    release, counted = starter_release(), 0
    for answer in drawn_answers(500):
        words = considered_words(release, considered(release, answer.question, answer.outcome), "en")
        for one in (*words.unmet, *words.out_of_force):
            counted += 1
            assert one.reasons
            assert one.citations
            for text in (one.says, *one.conditions, *one.reasons):
                reads_well(text)
    assert counted > 500
