"""What readers rely on: the rules that are called decisive are those without which the verdict is another."""

import datetime

import pytest
from hypothesis import given, reject, settings
from msgspec.structs import replace

from rules import verdicts
from rules.answers.rules_in_play import deciding
from rules.corpus import Published
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.errors import AirlineNotCovered
from tests.rules.answer_texts import drawn_answers
from tests.rules.engine.asked import ASKED, Asked
from tests.rules.engine.worlds import TODAY
from tests.support.starter import starter_release

AT = datetime.datetime.combine(TODAY, datetime.time(9), datetime.UTC)
checked_often = settings(max_examples=300, deadline=None)


def ask(content: Content, asked: Asked) -> verdicts.Answer:
    release = Published("2027-03-01", "0" * 64, AT, Corpus(content))
    try:
        return verdicts.answer_from(release, asked.question, now=AT)
    except AirlineNotCovered:
        reject()


@checked_often
@given(ASKED)
def test_a_ban_is_lifted_without_the_rules_that_decide_it_and_only_then(asked: Asked) -> None:
    answer = ask(asked.content, asked)
    if answer.outcome.verdict != "banned":
        return
    found = set(deciding(answer.release, asked.question, answer.outcome))
    recalled = "affected" in {answer.outcome.recall_status, asked.question.unit.recall_check}
    assert found or recalled
    without = ask(
        replace(
            asked.content, rules=tuple(rule for rule in asked.content.rules if rule.rule_id not in found)
        ),
        asked,
    )
    assert (without.outcome.verdict == "banned") == recalled
    for one in sorted(found)[:2]:
        others = found - {one}
        rules = tuple(rule for rule in asked.content.rules if rule.rule_id not in others)
        assert ask(replace(asked.content, rules=rules), asked).outcome.verdict == "banned"


@pytest.mark.usefixtures("starter_release")
def test_each_decisive_rule_stands_in_the_path_and_an_allowed_leg_rests_on_permits() -> None:
    release, kinds = starter_release(), set()
    for answer in drawn_answers(1500):
        found = deciding(release, answer.question, answer.outcome)
        assert set(found) <= set(answer.outcome.path)
        if answer.outcome.verdict == "allowed":
            assert {release.shelf.rules[one].effect for one in found} == {"permit"}
            assert any(release.shelf.rules[one].airline for one in found)
        if found:
            kinds.add(answer.outcome.verdict)
    assert kinds == {"allowed", "conditional", "banned"}
