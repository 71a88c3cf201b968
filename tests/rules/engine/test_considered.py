"""Each rule that speaks for a leg is in its path, was considered and did not apply, or is not in force."""

from collections import Counter

import msgspec
from hypothesis import given, reject, settings

from rules.engine.considered import Considered, consider
from rules.engine.corpus import Corpus
from rules.engine.errors import AirlineNotCovered
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import INTERNATIONAL, Leg, Question, Rule
from rules.engine.outcomes import LegVerdict
from tests.rules.engine.asked import ASKED, Asked
from tests.rules.engine.worlds import TODAY

checked_often = settings(max_examples=300, deadline=None)


def ask(asked: Asked) -> tuple[LegVerdict, Considered]:
    content, question = asked.content, asked.question
    corpus = Corpus(content)
    try:
        outcome = evaluate_leg(corpus, question, today=TODAY)
    except AirlineNotCovered:
        reject()
    rules = {rule.rule_id: rule for rule in content.rules}
    return outcome, consider(corpus, rules, question, outcome.device, outcome.recall_status)


def speaks_for(asked: Asked, leg: Leg) -> set[str]:
    """Return the rules in play for a leg, worked out from the records alone."""
    regions = {place.code: {place.code, *place.member_of} for place in asked.content.jurisdictions}
    home = next(row.country for row in asked.content.airlines if row.airline == leg.airline)
    origin, destination, operator = (
        regions.get(code, {code}) for code in (leg.origin, leg.destination, home)
    )

    def speaks(rule: Rule) -> bool:
        if rule.airline is not None:
            return rule.airline == leg.airline
        place = rule.jurisdiction
        return (
            place == INTERNATIONAL
            or ("departure" in rule.applies and place in origin)
            or ("arrival" in rule.applies and place in destination)
            or ("domestic" in rule.applies and place in origin & destination)
            or ("operator" in rule.applies and place in operator)
        )

    return {rule.rule_id for rule in asked.content.rules if speaks(rule)}


@checked_often
@given(ASKED)
def test_every_rule_that_speaks_for_a_leg_is_in_exactly_one_place(asked: Asked) -> None:
    outcome, considered = ask(asked)
    places = Counter(
        [
            *(step for step in outcome.path[2:-1] if not step.startswith("certificate.")),
            *(one.rule.rule_id for one in considered.unmet),
            *(one.rule.rule_id for one in considered.out_of_force),
        ]
    )
    assert set(places) == speaks_for(asked, asked.question.leg)
    assert set(places.values()) <= {1}


@checked_often
@given(ASKED)
def test_a_rule_of_another_day_says_when_it_starts_or_ended(asked: Asked) -> None:
    _, considered = ask(asked)
    day = asked.question.travel_date
    for one in considered.out_of_force:
        assert not one.rule.in_force(day)
        assert (one.starts is None) != (one.ended is None)
        if one.starts is not None:
            assert one.starts == one.rule.effective_from
            assert one.starts > day
        else:
            assert one.ended is not None
            assert one.ended < day
    assert all(one.rule.in_force(day) for one in considered.unmet)


@checked_often
@given(ASKED)
def test_without_the_conditions_that_are_named_the_rule_would_apply(asked: Asked) -> None:
    """And with any one of them left in place it would not: each is a reason of its own."""
    _, considered = ask(asked)
    for one in considered.unmet[:3]:
        named = {reason.condition: None for reason in one.reasons}
        assert applies(asked, one.rule, tuple(named))
        for kept in named:
            assert not applies(asked, one.rule, tuple(name for name in named if name != kept))


def applies(asked: Asked, rule: Rule, dropped: tuple[str, ...]) -> bool:
    looser = msgspec.structs.replace(rule, when=msgspec.structs.replace(rule.when, **dict.fromkeys(dropped)))
    content = msgspec.structs.replace(
        asked.content, rules=tuple(looser if row is rule else row for row in asked.content.rules)
    )
    question: Question = asked.question
    return rule.rule_id in evaluate_leg(Corpus(content), question, today=TODAY).path
