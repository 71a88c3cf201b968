"""The scorecard: what a release answers wrongly is counted, and a broken promise is seen."""

import datetime

import msgspec
import pytest

from rules.cases import failures, load_cases
from rules.corpus import Published
from rules.engine.document import Content
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Question
from rules.engine.outcomes import LegVerdict
from rules.scorecard import invariants
from rules.scorecard.figures import MOST_NAMED, measure
from rules.scorecard.invariants import Kept
from tests.support import starter

TODAY = starter.NOW.date()


def doctored(**lists: object) -> Published:
    """The starter corpus with some of its lists replaced, published."""
    return starter.published(msgspec.structs.replace(starter.starter_content(), **lists))


def without_prohibitions(content: Content) -> Published:
    """A release in which nobody forbids or requires anything any more."""
    return doctored(rules=tuple(rule for rule in content.rules if rule.effect == "permit"))


def kept(release: Published) -> dict[str, Kept]:
    return {one.promise: one for one in measure(release, today=TODAY, cases=()).promises}


def test_the_shipped_cases_and_the_promises_hold_for_the_starter_corpus() -> None:
    card = measure(starter.starter_release(), today=TODAY)
    assert card.cases == len(load_cases()) > 400
    assert (card.agreeing, card.milder, card.false_allowed, card.differing) == (card.cases, 0, 0, ())
    assert all(one.tried and not one.broken and one.first is None for one in card.promises)


def test_a_release_that_forbids_too_little_has_its_false_allowed_cases_counted() -> None:
    release = without_prohibitions(starter.starter_content())
    card = measure(release, today=TODAY)
    wrong = failures(release.corpus.content, load_cases())
    # Independently: each case that was to be stricter and is said to have come out allowed.
    allowed = {
        (one.file, one.name)
        for one in wrong
        if one.got == "allowed" and one.expected.startswith("the verdict")
    }
    assert card.false_allowed >= len(allowed) > 20
    assert card.milder >= card.false_allowed
    assert card.cases - card.agreeing == len({(one.file, one.name) for one in wrong})
    assert len(card.differing) == MOST_NAMED
    assert all(one.false_allowed for one in card.differing)
    assert {(one.file, one.name) for one in card.differing} & allowed


def test_one_rule_too_few_is_one_planted_case_too_many() -> None:
    content = starter.starter_content()
    rules = tuple(rule for rule in content.rules if rule.effect == "permit")
    found = failures(msgspec.structs.replace(content, rules=rules), load_cases())
    allowed = {one.name for one in found if one.got == "allowed"}
    case = next(one for one in load_cases() if one.expect.verdict == "banned" and one.name in allowed)
    card = measure(doctored(rules=rules), today=TODAY, cases=[case])
    assert (card.cases, card.agreeing, card.false_allowed, card.milder) == (1, 0, 1, 1)
    assert [(one.name, one.false_allowed) for one in card.differing] == [(case.name, True)]


def test_the_same_release_and_day_give_the_same_figures() -> None:
    release = starter.starter_release()
    assert measure(release, today=TODAY, cases=()) == measure(release, today=TODAY, cases=())


def test_the_work_is_bounded_however_large_the_release_is() -> None:
    card = measure(starter.starter_release(), today=TODAY, cases=())
    assert all(one.tried <= 3 * invariants.QUESTIONS for one in card.promises)


def test_a_release_without_airlines_or_models_tries_nothing_and_breaks_nothing() -> None:
    for lists in ({"devices": (), "recalls": ()}, {"airlines": (), "rules": ()}):
        assert all((one.tried, one.broken) == (0, 0) for one in kept(doctored(**lists)).values())


@pytest.mark.parametrize("promise", ["permission", "unverified", "watt_hours", "recalled", "list_answer"])
def test_an_engine_that_allows_everything_breaks_the_promises(
    promise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = evaluate_leg

    def lenient(corpus: object, question: Question, *, today: datetime.date) -> LegVerdict:
        answer = honest(corpus, question, today=today)  # type: ignore[arg-type]
        path = tuple(step for step in answer.path if "." not in step)
        return msgspec.structs.replace(answer, verdict="allowed", path=path)

    monkeypatch.setattr("rules.scorecard.invariants.evaluate_leg", lenient)
    found = kept(starter.starter_release())[promise]
    assert found.broken == found.tried > 0
    assert found.first is not None
    assert "→" in found.first


def test_an_engine_that_answers_by_the_number_of_units_the_wrong_way_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = evaluate_leg

    def upside_down(corpus: object, question: Question, *, today: datetime.date) -> LegVerdict:
        answer = honest(corpus, question, today=today)  # type: ignore[arg-type]
        few = question.unit.quantity < 4
        return msgspec.structs.replace(answer, verdict="banned" if few else "allowed", citations=())

    monkeypatch.setattr("rules.scorecard.invariants.evaluate_leg", upside_down)
    found = kept(starter.starter_release())
    assert found["more_units"].broken > 0
    assert found["cited"].broken > 0
