"""What editors could slip through: each planted leniency is found, and no harmless edit is called milder."""

import datetime

import pytest
from msgspec.structs import replace

from rules.engine.corpus import Corpus
from rules.engine.document import Content, problems
from rules.engine.facts import Params
from rules.impact.survey import Changed, Result, Survey, ask, measure
from tests.rules.impact.planting import IN_A_YEAR, START, TODAY, changed, harmless, planted
from tests.support.thoroughness import examples

SEEDS = range(examples(1, thorough=8))
OF_A_SEED = 25
"""Leniencies and harmless edits in parts that can run next to each other."""


def measured(before: Content, after: Content) -> tuple[Survey, Result]:
    survey = Survey(Corpus(before), Corpus(after), today=TODAY)
    return survey, measure(survey)


def lenient(result: Result) -> bool:
    return result.lenient > 0 or any(way.lenient for way in result.unlisted)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_planted_leniency_is_found_with_a_true_example(seed: int) -> None:
    names = []
    for name, before, after, question in planted(seed, number=OF_A_SEED):
        survey, result = measured(before, after)
        assert result.lenient > 0, (name, question)
        assert result.causes, name
        examples = [sample for sample in result.samples if sample.lenient and sample.label is None]
        assert examples, name
        for sample in examples[:5]:
            answers = [ask(side, sample.question, today=TODAY)[0] for side in survey.corpora]
            assert answers == [sample.before, sample.after], (name, sample.question)
        names.append(name)
    assert len(names) == OF_A_SEED


@pytest.mark.parametrize("seed", SEEDS)
def test_no_harmless_edit_is_called_milder(seed: int) -> None:
    for name, after in harmless(seed, number=OF_A_SEED):
        _, result = measured(START, after)
        assert not lenient(result), (name, result.causes)
        assert not result.causes, name


# --- The ways that were carried out -----------------------------------------------------------------------


def test_a_narrowed_pattern_shows_the_serial_that_is_no_longer_affected() -> None:
    recall = next(one for one in START.recalls if one.affected_serials.pattern == "^000[GHIL]21$")
    narrower = replace(
        recall.affected_serials,
        pattern="^000G21$",
        exhaustive=True,
        affected_samples=("000G21",),
        unaffected_samples=("000H21",),
    )
    after = changed(START, "recalls", recall, replace(recall, affected_serials=narrower))
    _, result = measured(START, after)
    assert [cause.record for cause in result.causes] == [Changed("recalls", recall.recall_id)]
    assert ("banned", "allowed") in {(way.before, way.after) for way in result.ways}
    serials = {sample.question.unit.serial for sample in result.samples if sample.before == "banned"}
    assert serials & {"000H21", "000I21", "000L21"}


def test_a_withdrawn_demand_for_a_label_shows_a_unit_without_one() -> None:
    rule = next(one for one in START.rules if one.rule_id == "qf.label-required")
    _, result = measured(START, changed(START, "rules", rule))
    assert {row.name for row in result.airlines.rows} == {"QF"}
    assert ("banned", "allowed") in {(way.before, way.after) for way in result.ways}
    assert {sample.question.unit.capacity_label for sample in result.samples} == {"missing"}


def test_flights_that_do_not_touch_the_home_of_the_airline_are_surveyed() -> None:
    rule = next(one for one in START.rules if one.rule_id == "sq.max-units")
    more = replace(rule, rule_id="qr.one-unit", airline="QR", jurisdiction="QA", params=Params(max_units=1))
    _, result = measured(replace(START, rules=(*START.rules, more)), START)
    countries = {row.name: row.flipped for row in result.countries.rows}
    assert len(countries) == len(START.countries)
    assert result.flipped > 2 * countries["QA"]


def test_a_leniency_after_the_last_day_that_can_be_asked_about_is_one() -> None:
    rule = next(one for one in START.rules if one.rule_id == "qf.label-required")
    last = IN_A_YEAR - datetime.timedelta(days=1)
    _, result = measured(START, changed(START, "rules", rule, replace(rule, effective_until=last)))
    assert result.lenient > 0
    assert {sample.question.travel_date for sample in result.samples} == {IN_A_YEAR}


def test_an_energy_without_a_model_in_the_catalog_is_surveyed() -> None:
    heavy = {one.model_id for one in START.devices if one.watt_hour and one.watt_hour > 160}
    before = replace(
        START,
        devices=tuple(one for one in START.devices if one.model_id not in heavy),
        recalls=tuple(one for one in START.recalls if one.model_id not in heavy),
    )
    rule = next(one for one in before.rules if one.rule_id == "intl.icao.over-160wh")
    _, result = measured(before, changed(before, "rules", rule))
    assert problems(before) == []
    assert result.lenient == 0
    assert any(way.lenient for way in result.unlisted)
    assert [(cause.record.record_id, cause.count) for cause in result.causes] == [(rule.rule_id, 0)]
    assert all(sample.label and (sample.label.watt_hour or 0) > 160 for sample in result.samples)
