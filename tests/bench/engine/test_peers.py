"""A comparison of times means something only where both sides give the same answers."""

from itertools import islice

import pytest

from bench.engine.peers import all_ways, cedar
from bench.engine.peers.questions import Way, Ways, agree, prepare
from bench.questions import real_questions
from bench.report import Disagreement
from rules.engine.corpus import Corpus
from rules.engine.facts import Leg, Question, Unit
from tests.support.starter import starter_content


@pytest.fixture(scope="module")
def ways() -> Ways:
    content = starter_content()
    corpus = Corpus(content)
    asked = list(islice(real_questions(content, 6), 99))
    # One of the models that a rule of an airline names.
    unit = Unit(model_id="anker-a1647")
    named = Question(unit=unit, leg=Leg("CA", "US", "AC"), travel_date=asked[0].travel_date)
    return all_ways(content, corpus, list(prepare(content, corpus, [*asked, named])))


def test_the_other_engines_find_the_same_rules_as_our_own_matching_in_each_way(ways: Ways) -> None:
    assert set(ways) == {
        "ours",
        "ours_in_force",
        "zen",
        "zen_tables",
        "zen_scopes",
        "cedar",
        "cedar_batch",
        "opa",
    }
    assert all(len(way.calls) == 100 for way in ways.values())
    for name in ("zen", "cedar", "opa"):
        assert "ac.named-anker-models" in ways[name].find(*ways[name].calls[-1])
    agree(ways)


@pytest.mark.parametrize("name", ["zen", "cedar", "opa"])
def test_different_answers_end_the_comparison(ways: Ways, name: str) -> None:
    forgetful = Way(lambda *call: ways[name].find(*call)[1:], ways[name].calls)
    with pytest.raises(Disagreement):
        agree({**ways, name: forgetful})


def test_the_bridge_of_cedar_is_measured_with_requests_to_which_no_rule_speaks() -> None:
    content = starter_content()
    corpus = Corpus(content)
    bridge = cedar.bridge(list(prepare(content, corpus, islice(real_questions(content, 6), 9))))
    assert [bridge.find(*call) for call in bridge.calls] == [[]] * 9
