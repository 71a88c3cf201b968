"""Which records make answers less strict: without all of them no answer would be."""

from decimal import Decimal

import msgspec
import pytest
from hypothesis import given, settings

from rules.engine.corpus import Corpus
from rules.engine.document import ID_FIELD, Content
from rules.engine.facts import Params, Rule
from rules.impact.survey import Changed, Result, Survey, ask, changed_records, measure
from rules.impact.survey.outcomes import strictness
from tests.rules.engine.worlds import TODAY
from tests.rules.impact.changing import changes
from tests.rules.impact.test_survey import PHASES
from tests.support.starter import NOW, starter_content


def _of_airlines(content: Content, *codes: str) -> Content:
    return msgspec.structs.replace(
        content,
        airlines=tuple(row for row in content.airlines if row.airline in codes),
        rules=tuple(rule for rule in content.rules if rule.airline in (None, *codes)),
    )


CONTENT = _of_airlines(starter_content(), "QR", "EK")
"""The starter corpus with two airlines, so that everything is asked quickly."""


ONE_UNIT = msgspec.structs.replace(
    next(rule for rule in starter_content().rules if rule.rule_id == "sq.max-units"),
    rule_id="qr.one-unit",
    airline="QR",
    jurisdiction="QA",
    params=Params(max_units=1),
)


def limited(content: Content) -> Content:
    return msgspec.structs.replace(content, rules=(*content.rules, ONE_UNIT))


def result(before: Content, after: Content) -> Result:
    return measure(Survey(Corpus(before), Corpus(after), today=NOW.date()))


def causes(before: Content, after: Content) -> set[Changed]:
    return {cause.record for cause in result(before, after).causes}


def without(after: Content, before: Content, records: set[Changed]) -> Content:
    """Return some content with some records as they were before."""
    for record in records:
        id_field = ID_FIELD[record.kind]
        kept = [row for row in getattr(after, record.kind) if getattr(row, id_field) != record.record_id]
        kept += [row for row in getattr(before, record.kind) if getattr(row, id_field) == record.record_id]
        rows = tuple(sorted(kept, key=lambda row: getattr(row, id_field)))
        after = msgspec.structs.replace(after, **{record.kind: rows})
    return after


@given(changes())
@settings(max_examples=25, deadline=None, phases=PHASES)
def test_without_its_causes_no_answer_would_be_less_strict(change: tuple[Content, Content]) -> None:
    before, after = change
    survey = Survey(Corpus(before), Corpus(after), today=TODAY)
    lenient = [sample for sample in measure(survey).samples if sample.lenient]
    for sample in lenient[:: len(lenient) // 20 + 1]:
        assert sample.causes
        assert set(sample.causes) <= changed_records(before, after).keys()
        if sample.serial_unknown:
            continue
        then = Corpus(without(after, before, set(sample.causes)))
        outcome, _ = ask(then, sample.question, sample.label, today=TODAY)
        assert strictness(outcome) >= strictness(sample.before)


def replaced(content: Content, rule: Rule) -> Content:
    return msgspec.structs.replace(
        content, rules=tuple(rule if one.rule_id == rule.rule_id else one for one in content.rules)
    )


def test_taking_a_limit_away_is_lenient_because_of_that_rule_alone() -> None:
    tighter = msgspec.structs.replace(ONE_UNIT, rule_id="qr.another", airline="EK", jurisdiction="AE")
    after = msgspec.structs.replace(CONTENT, rules=(*CONTENT.rules, tighter))
    assert causes(limited(CONTENT), after) == {Changed("rules", "qr.one-unit")}


def test_two_permits_that_only_together_let_something_through_both_count() -> None:
    content = CONTENT
    permits = [rule for rule in content.rules if rule.effect == "permit"]
    own = {rule.rule_id for rule in permits if rule.airline == "QR"}
    baseline = {rule.rule_id for rule in permits if rule.jurisdiction == "INTL"}
    bare = msgspec.structs.replace(
        content, rules=tuple(rule for rule in content.rules if rule.rule_id not in own | baseline)
    )
    of_qatar = [cause for cause in result(bare, content).causes if cause.record.record_id in own]
    assert of_qatar
    found = causes(bare, content)
    assert {Changed("rules", name) for name in baseline} & found


def test_a_model_whose_watt_hours_fall_is_the_cause_itself() -> None:
    content = CONTENT
    heavy = next(device for device in content.devices if device.watt_hour and device.watt_hour > 160)
    lighter = msgspec.structs.replace(heavy, watt_hour=Decimal("20"), watt_hour_basis="rated")
    devices = tuple(lighter if one == heavy else one for one in content.devices)
    assert causes(content, msgspec.structs.replace(content, devices=devices)) == {
        Changed("devices", heavy.model_id)
    }


@pytest.mark.parametrize("field", ["summary", "authority", "sources"])
def test_what_a_rule_only_tells_changes_no_answer_and_costs_nothing(field: str) -> None:
    content = CONTENT
    baseline = next(rule for rule in content.rules if rule.jurisdiction == "INTL")
    other: object = baseline.sources[::-1] if field == "sources" else "Something else."
    survey = Survey(
        Corpus(content),
        Corpus(replaced(content, msgspec.structs.replace(baseline, **{field: other}))),
        today=NOW.date(),
    )
    assert survey.size_of_all == 0
    assert survey.changed == {}


def test_a_result_names_every_airline_that_flips_once_in_its_samples_and_says_what_it_cuts() -> None:
    found = result(CONTENT, limited(CONTENT))
    assert {sample.airline for sample in found.samples} == {"QR"}
    assert found.flipped == sum(row.flipped for row in found.airlines.rows)
    assert found.models.total > len(found.models.rows) == 300
    assert found.kinds_of_flips >= len(found.samples)
    assert all(sample.before_path[-1] == f"verdict.{sample.before}" for sample in found.samples)
    read = msgspec.convert(msgspec.to_builtins(found), Result)
    assert read == found


def test_models_that_change_alike_are_each_shown_with_a_question_about_that_model() -> None:
    over = Decimal(170)
    names = [device.model_id for device in CONTENT.devices if device.watt_hour_basis == "rated"][:3]
    before = msgspec.structs.replace(
        CONTENT,
        devices=tuple(
            msgspec.structs.replace(device, watt_hour=over, watt_hour_basis="rated")
            if device.model_id in names
            else device
            for device in CONTENT.devices
        ),
    )
    after = msgspec.structs.replace(
        before,
        devices=tuple(
            msgspec.structs.replace(device, watt_hour=Decimal(90)) if device.model_id in names else device
            for device in before.devices
        ),
    )
    found = result(before, after)
    assert {cause.record.record_id for cause in found.causes} == set(names)
    shown = {sample.question.unit.model_id for sample in found.samples if sample.lenient}
    assert shown == set(names)
    for sample in found.samples:
        assert sample.models[0] == sample.question.unit.model_id
