"""A comparison of times means something only where both sides give the same answers."""

from itertools import islice

import pytest

from bench.engine.zen_engine import Way, agree, all_ways
from bench.questions import real_questions
from bench.report import Disagreement
from rules.engine.facts import Leg, Question, Unit
from tests.support.starter import starter_content


@pytest.fixture(scope="module")
def ways() -> dict[str, Way]:
    content = starter_content()
    asked = list(islice(real_questions(content, 6), 99))
    # One of the models that a rule of an airline names.
    unit = Unit(model_id="anker-a1647")
    named = Question(unit=unit, leg=Leg("CA", "US", "AC"), travel_date=asked[0].travel_date)
    return all_ways(content, [*asked, named])


def test_zen_finds_the_same_rules_as_our_own_matching_in_each_way_to_use_it(ways: dict[str, Way]) -> None:
    assert set(ways) == {"ours", "ours_in_force", "tables", "legs", "scopes"}
    assert all(len(way.calls) == 100 for way in ways.values())
    assert "ac.named-anker-models" in ways["legs"].find(*ways["legs"].calls[-1])
    agree(ways)


def test_different_answers_end_the_comparison(ways: dict[str, Way]) -> None:
    forgetful = Way(lambda *call: ways["legs"].find(*call)[1:], ways["legs"].calls)
    with pytest.raises(Disagreement):
        agree({**ways, "legs": forgetful})
