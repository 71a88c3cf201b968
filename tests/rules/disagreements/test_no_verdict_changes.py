"""A disagreement is shown to readers and decides nothing."""

import datetime
from typing import Any

import msgspec

from rules.engine.corpus import Corpus
from rules.engine.errors import Unanswerable
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Question
from rules.impact.survey.changes import changed_records
from tests.rules.engine.starter_questions import Drawer
from tests.support.factories import a_disagreement
from tests.support.starter import starter_content

SEED = 20261123
QUESTIONS = 3_000

WITHOUT = msgspec.structs.replace(starter_content(), disagreements=())
WITH = msgspec.structs.replace(
    starter_content(),
    disagreements=tuple(
        a_disagreement(id=rule.rule_id.replace(".", "-"), applied=rule.rule_id)
        for rule in starter_content().rules
    ),
)
"""The starter corpus with a disagreement about each of its rules."""


def answer(corpus: Corpus, question: Question, today: datetime.date, connecting: bool) -> Any:
    try:
        return evaluate_leg(corpus, question, today=today, connecting=connecting)
    except Unanswerable as error:
        return str(error)


def test_disagreements_about_every_rule_change_no_answer() -> None:
    before, after, drawer = Corpus(WITHOUT), Corpus(WITH), Drawer(WITHOUT, SEED)
    verdicts = set()
    for _ in range(QUESTIONS):
        question, today, connecting = drawer.question()
        found = answer(before, question, today, connecting)
        assert answer(after, question, today, connecting) == found
        verdicts.add(getattr(found, "verdict", "none"))
    assert {"allowed", "conditional", "insufficient", "banned"} <= verdicts


def test_the_impact_of_a_release_does_not_count_them() -> None:
    assert changed_records(WITHOUT, WITH) == {}
