"""The survey finds every answer that a change flips, and no other: as asking everything one by one would."""

import datetime
from collections import Counter

import msgspec
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.facts import Leg
from rules.impact.survey import Result, Survey, ask, measure
from rules.impact.survey.outcomes import Outcome, milder
from rules.impact.survey.signatures import Signatures
from tests.rules.engine.worlds import AIRLINES, COUNTRY_CODES, MODEL_IDS, TODAY, WORLDS
from tests.rules.impact.asking import asked_of, pairs, surveyed
from tests.rules.impact.changing import changes, only
from tests.support.quotes import a_quote

PHASES = [Phase.explicit, Phase.reuse, Phase.generate]
"""Shrinking would ask everything again and again."""


def survey_of(before: Content, after: Content, today: datetime.date = TODAY) -> Survey:
    return Survey(Corpus(before), Corpus(after), today=today)


def measured(before: Content, after: Content, today: datetime.date = TODAY) -> Result:
    return measure(survey_of(before, after, today))


def known(change: tuple[Content, Content], model: str) -> bool:
    """Return whether a serial is known for each pair of statuses that a unit can have."""
    return not any(witness.assumed for witness in pairs(*change, model).values())


# --- Against asking everything ----------------------------------------------------------------------------


@given(changes(), st.data())
@settings(max_examples=40, deadline=None, phases=PHASES)
def test_a_flight_flips_exactly_as_asking_everything_finds(
    change: tuple[Content, Content], data: st.DataObject
) -> None:
    survey = survey_of(*change)
    model = data.draw(st.sampled_from(MODEL_IDS))
    assume(known(change, model))
    leg = data.draw(st.builds(Leg, *[st.sampled_from(COUNTRY_CODES)] * 2, st.sampled_from(AIRLINES)))
    period = data.draw(st.integers(0, len(survey.days) - 1))
    found = surveyed(survey).get((leg, model, period), Counter())
    assert found == asked_of(survey, leg, model, survey.days[period])


@given(changes(), st.sampled_from(MODEL_IDS), st.sampled_from(AIRLINES))
@settings(max_examples=4, deadline=None, phases=PHASES)
def test_the_counts_of_a_very_small_world_are_those_of_asking_everything(
    change: tuple[Content, Content], model: str, airline: str
) -> None:
    before, after = (only(one, model, airline, countries=("FR", "JP"), days=3) for one in change)
    assume(known((before, after), model))
    survey = survey_of(before, after)
    ways: Counter[tuple[Outcome, Outcome]] = Counter()
    for day in survey.days:
        for origin in ("FR", "JP"):
            for destination in ("FR", "JP"):
                ways += asked_of(survey, Leg(origin, destination, airline), model, day)
    result = measure(survey)
    assert {(way.before, way.after): way.count for way in result.ways} == ways
    assert result.lenient == sum(count for way, count in ways.items() if milder(*way))


@given(changes())
@settings(max_examples=40, deadline=None)
def test_the_sums_are_those_of_all_flights_models_and_periods(change: tuple[Content, Content]) -> None:
    survey = survey_of(*change)
    airlines, countries, models = Counter[str](), Counter[str](), Counter[str]()
    ways: Counter[tuple[Outcome, Outcome]] = Counter()
    for (leg, model, _), found in surveyed(survey).items():
        total = found.total()
        ways += found
        airlines[leg.airline] += total
        models[model] += total
        countries.update(dict.fromkeys({leg.origin, leg.destination}, total))
    result = measure(survey)
    assert {(way.before, way.after): way.count for way in result.ways} == ways
    assert {row.name: row.flipped for row in result.airlines.rows} == airlines
    assert {row.name: row.flipped for row in result.countries.rows} == countries
    assert {row.name: row.flipped for row in result.models.rows} == models
    assert result.evaluated == survey.size_of_all
    assert result.flipped <= result.questions


@given(changes())
@settings(max_examples=40, deadline=None)
def test_every_way_and_every_cause_has_a_sample_that_both_rulesets_answer_as_claimed(
    change: tuple[Content, Content],
) -> None:
    survey = survey_of(*change)
    result = measure(survey)
    ways = {(way.before, way.after) for way in (*result.ways, *result.unlisted)}
    assert {(one.before, one.after) for one in result.samples} == ways
    assert {cause for one in result.samples for cause in one.causes} == {
        cause.record for cause in result.causes if not cause.beyond
    }
    for one in result.samples:
        answers = [ask(corpus, one.question, one.label, today=TODAY)[0] for corpus in survey.corpora]
        assert one.serial_unknown or answers == [one.before, one.after]


@given(WORLDS)
@settings(max_examples=20)
def test_nothing_flips_and_nothing_is_compared_where_nothing_changed(content: Content) -> None:
    result = measured(content, content)
    assert (result.flipped, result.evaluated, result.unlisted) == (0, 0, ())
    assert result.questions > 0


@given(WORLDS)
@settings(max_examples=20)
def test_nothing_flips_where_rules_are_quoted(content: Content) -> None:
    read = {source.id for source in content.sources if source.citable}
    quoted = tuple(
        msgspec.structs.replace(
            rule, quotes=tuple(a_quote(source=name) for name in rule.sources if name in read)
        )
        for rule in content.rules
    )
    result = measured(content, msgspec.structs.replace(content, rules=quoted))
    assert (result.flipped, result.evaluated) == (0, 0)


@given(WORLDS, st.data())
@settings(max_examples=40, deadline=None)
def test_a_second_rule_of_one_signature_changes_nothing(content: Content, data: st.DataObject) -> None:
    rule = data.draw(st.sampled_from(content.rules))
    twin = msgspec.structs.replace(rule, rule_id="rule.twin", summary="The same.", sources=("paper",))
    signatures = Signatures((*content.rules, twin))
    assert signatures.of(rule) == signatures.of(twin)
    result = measured(content, msgspec.structs.replace(content, rules=(*content.rules, twin)))
    assert (result.flipped, result.evaluated) == (0, 0)
