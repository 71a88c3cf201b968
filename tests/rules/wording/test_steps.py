"""What readers rely on: each step of a path is worded, by whom, on what evidence, and no two rules alike."""

from decimal import Decimal
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from msgspec.structs import replace

from rules.engine.document import Content
from rules.engine.facts import Params, Rule
from rules.engine.vocabulary import CODES, Nature
from rules.selectors import evidence
from rules.wording.saying import say
from rules.wording.step_texts import STEPS
from rules.wording.steps import CABIN, Speaker, rule_words, steps
from tests.rules.answer_texts import drawn_answers, reads_well
from tests.rules.engine.worlds import WORLDS
from tests.support.starter import starter_content, starter_release

RULES = {rule.rule_id: rule for rule in starter_content().rules}


def means(rule: Rule) -> Any:
    """Return what a rule says, without what its words may leave out."""
    when, params = rule.when, rule.params
    compartments = frozenset(when.compartment or ())
    if rule.code and CODES[rule.code].nature in {Nature.CONDUCT, Nature.ADVICE} and compartments == CABIN:
        # Conduct is of the cabin anyway, so saying it means nothing more.
        compartments = frozenset()
    bounded = when.watt_hour_over is not None or when.watt_hour_at_least is not None
    if rule.code == "over_watt_hour_limit" and bounded and when.watt_hour_up_to is None:
        params = Params()
    return (
        rule.effect,
        rule.code,
        params,
        when.watt_hour_over,
        when.watt_hour_at_least,
        when.watt_hour_up_to,
        compartments,
        frozenset(when.recall_status or ()),
        frozenset(when.condition or ()),
        when.certification_missing,
        when.quantity_over,
        when.model,
    )


def read_differently(content: Content) -> None:
    said: dict[Any, Any] = {}
    for rule in content.rules:
        assert said.setdefault(rule_words(rule, "en"), means(rule)) == means(rule)


def test_two_rules_of_the_corpus_that_say_different_things_read_differently() -> None:
    read_differently(starter_content())


@given(WORLDS)
def test_two_rules_that_say_different_things_read_differently(content: Content) -> None:
    read_differently(content)


@given(WORLDS)
def test_every_rule_that_could_be_published_reads_well(content: Content) -> None:
    for rule in content.rules:
        words = rule_words(rule, "en")
        for text in (words.says, *words.conditions):
            reads_well(text)


@pytest.mark.parametrize(
    ("rule_id", "says", "conditions"),
    [
        ("intl.icao.carry-on-up-to-100wh", "A power bank of up to 100 Wh may travel in the cabin.", ()),
        (
            "intl.icao.carry-on-100-160wh",
            "A power bank over 100 Wh and up to 160 Wh may travel in the cabin.",
            (),
        ),
        ("intl.icao.checked-baggage", "Power banks travel in the cabin only, never in checked baggage.", ()),
    ],
)
def test_a_rule_says_what_its_code_and_conditions_mean(
    rule_id: str, says: str, conditions: tuple[str, ...]
) -> None:
    words = rule_words(RULES[rule_id], "en")
    assert (words.says, words.conditions) == (says, conditions)


def test_a_permit_up_to_the_last_hundredth_is_said_as_a_strict_limit() -> None:
    permit = RULES["intl.icao.carry-on-up-to-100wh"]
    strict = replace(permit, when=replace(permit.when, watt_hour_up_to=Decimal("99.99")))
    assert rule_words(strict, "en").says == "A power bank under 100 Wh may travel in the cabin."
    assert "unter 100 Wh" in rule_words(strict, "de").says


@pytest.mark.usefixtures("starter_release")
def test_each_entry_of_a_path_is_a_step_and_their_evidence_is_that_of_the_answer() -> None:
    release, kinds = starter_release(), set()
    for answer in drawn_answers(1500):
        shown = steps(release, answer.outcome, "en")
        assert tuple(step.step for step in shown) == answer.outcome.path
        cited = dict.fromkeys(chain.from_iterable(step.citations for step in shown))
        assert tuple(cited) == evidence.with_basis(release, answer.outcome.citations)
        for step in shown:
            kinds.add(step.step if step.kind != "rule" else "rule")
            reads_well(step.says)
            if step.kind == "rule":
                assert step.citations
                assert step.speakers
    assert kinds == {"device.resolved", "rule", *(name for name in STEPS if name.startswith("verdict."))} | {
        f"recall.{status}"
        for status in ("affected", "not_affected", "serial_unknown", "external_check_required")
    }


@pytest.mark.usefixtures("starter_release")
def test_a_step_names_the_airline_by_its_name_and_the_authority_by_its_own() -> None:
    release = starter_release()
    for answer in drawn_answers(200):
        for step in steps(release, answer.outcome, "en"):
            if step.kind == "rule":
                rule = RULES[step.step]
                named = release.corpus.airlines[rule.airline].name if rule.airline else rule.authority
                assert step.speakers == (Speaker(named, rule.jurisdiction, rule.airline),)


@pytest.mark.usefixtures("starter_release")
def test_a_model_without_a_recall_is_never_called_recalled_nor_one_with_a_recall_free_of_any() -> None:
    for answer in drawn_answers(1500):
        step = steps(starter_release(), answer.outcome, "en")[1]
        assert (step.says == say("step.recall.none", "en")) == (not answer.outcome.recalls)
