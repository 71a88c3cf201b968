"""Rules that do nothing can be taken away: no verdict and no sentence changes."""

import datetime
from decimal import Decimal

import msgspec
import pytest
from hypothesis import given, settings

from rules.analysis.checks.idle import never_matching, shadowed
from rules.analysis.checks.reach import by_issuer
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.errors import AirlineNotCovered
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Params, Question, Rule, When
from rules.engine.outcomes import LegVerdict
from tests.rules.engine.asked import ASKED, Asked
from tests.support.starter import starter_content


def answer(content: Content, question: Question) -> LegVerdict | None:
    try:
        return evaluate_leg(Corpus(content), question, today=question.travel_date)
    except AirlineNotCovered:
        return None


def without(content: Content, rule_id: str) -> Content:
    kept = tuple(rule for rule in content.rules if rule.rule_id != rule_id)
    return msgspec.structs.replace(content, rules=kept)


@given(ASKED)
@settings(max_examples=300)
def test_a_shadowed_rule_changes_no_answer(asked: Asked) -> None:
    for group in by_issuer(asked.content.rules).values():
        for one in shadowed(group):
            with_it, without_it = (
                answer(content, asked.question)
                for content in (asked.content, without(asked.content, one.subject))
            )
            assert (with_it is None) == (without_it is None)
            if with_it is None or without_it is None:
                continue
            assert without_it.verdict == with_it.verdict
            assert set(without_it.constraints) == set(with_it.constraints)
            assert without_it.gaps == with_it.gaps


@given(ASKED)
@settings(max_examples=300)
def test_a_rule_that_never_matches_stands_in_no_path(asked: Asked) -> None:
    outcome = answer(asked.content, asked.question)
    for group in by_issuer(asked.content.rules).values():
        for one in never_matching(group):
            assert outcome is None or one.subject not in outcome.path


BASE = next(rule for rule in starter_content().rules if rule.rule_id == "sq.max-units")


def changed(rule_id: str, **fields: object) -> Rule:
    return msgspec.structs.replace(BASE, rule_id=rule_id, **fields)


def shadows(*rules: Rule) -> list[tuple[str, ...]]:
    return [one.rule_ids for group in by_issuer(rules).values() for one in shadowed(group)]


def test_the_weaker_of_two_limits_is_shadowed() -> None:
    assert shadows(BASE, changed("sq.three", params=Params(max_units=3))) == [("sq.three", BASE.rule_id)]


def test_of_two_twins_the_later_id_is_the_one_too_many() -> None:
    assert shadows(BASE, changed("sq.a-twin")) == [(BASE.rule_id, "sq.a-twin")]


@pytest.mark.parametrize(
    "other",
    [
        changed(
            "sq.stricter-from-later", params=Params(max_units=3), effective_until=datetime.date(2030, 1, 1)
        ),
        changed(
            "sq.large-ones",
            when=When(watt_hour_over=Decimal(100)),
            params=Params(max_units=9),
        ),
        changed("sq.another-code", code="no_overhead_bin", params=Params()),
    ],
    ids=lambda rule: rule.rule_id,
)
def test_a_rule_that_says_more_is_not_shadowed(other: Rule) -> None:
    base = msgspec.structs.replace(BASE, effective_from=datetime.date(2031, 1, 1))
    assert shadows(base, other) == []


def test_a_number_that_only_several_items_together_reach_can_match() -> None:
    """One item has at most twenty units; an itinerary can have more in one bag."""
    crates = changed("sq.crates", when=When(quantity_over=20))
    assert [one for group in by_issuer([crates]).values() for one in never_matching(group)] == []
