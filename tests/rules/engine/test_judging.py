"""Judging a leg gives the verdict that evaluating it gives, from as many rules."""

from itertools import islice

from bench.questions import real_questions
from rules.engine.corpus import Corpus
from rules.engine.evaluate import evaluate_leg, judge_leg
from tests.support.starter import starter_content

NOT_RULES = {"device", "recall", "verdict"}


def test_a_judgment_is_the_verdict_of_the_evaluation_and_the_number_of_its_rules() -> None:
    content = starter_content()
    corpus = Corpus(content)
    verdicts = set()
    for question in islice(real_questions(content, seed=11), 3_000):
        evaluated = evaluate_leg(corpus, question, today=question.travel_date)
        rules = [step for step in evaluated.path if step.partition(".")[0] not in NOT_RULES]
        assert judge_leg(corpus, question, today=question.travel_date) == (evaluated.verdict, len(rules))
        verdicts.add(evaluated.verdict)
    assert len(verdicts) == 4
