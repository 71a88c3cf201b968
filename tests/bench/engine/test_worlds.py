"""The synthetic worlds of the benchmark are real releases, and differ in size alone."""

import datetime
from collections.abc import Callable
from itertools import islice

import pytest

from bench.engine.worlds import questions, world
from bench.questions import of_a_family, one_by_one, real_itineraries, real_questions, today
from rules.engine.corpus import Corpus
from rules.engine.document import Content, problems
from rules.engine.evaluate import evaluate_leg
from rules.engine.itinerary import evaluate_itinerary
from tests.support.starter import starter_content

DAY = datetime.date(2026, 11, 20)
SMALL, LARGE = 100, 10_000


@pytest.fixture(scope="module")
def small() -> Content:
    return world(starter_content(), SMALL)


@pytest.fixture(scope="module")
def large() -> Content:
    return world(starter_content(), LARGE)


def test_a_world_has_exactly_as_many_rules_as_were_asked_for(small: Content, large: Content) -> None:
    assert (len(small.rules), len(large.rules)) == (SMALL, LARGE)


def test_a_small_world_could_be_published(small: Content) -> None:
    assert problems(small) == []


def test_a_large_world_could_be_published_but_for_the_length_of_its_airline_codes(large: Content) -> None:
    found = problems(large)
    long_codes = [airline.airline for airline in large.airlines if len(airline.airline) > 2]
    assert [problem.where for problem in found] == [f"airline {code}" for code in long_codes]
    assert len(long_codes) == len(large.airlines) - (36 * 36 - 10 * 10)


@pytest.mark.parametrize("size", [40, 99, 101])
def test_a_size_that_packs_cannot_make_is_refused_with_the_next_one_that_they_can(size: int) -> None:
    with pytest.raises(ValueError, match="whole packs") as error:
        world(starter_content(), size)
    nearest = int(str(error.value).split("one of ")[1].split()[0])
    assert nearest > size
    assert len(world(starter_content(), nearest).rules) == nearest


def test_every_leg_has_the_same_number_of_rules_in_force_whatever_the_size(
    small: Content, large: Content
) -> None:
    in_force = {
        len(list(corpus.in_play(question.leg).on(DAY.toordinal())))
        for content in (small, large)
        for corpus in [Corpus(content)]
        for question in islice(questions(content, 1, DAY), 200)
    }
    assert in_force == {32}


def test_worlds_of_different_size_answer_the_same_question_alike(small: Content, large: Content) -> None:
    one, other = Corpus(small), Corpus(large)
    for question in islice(questions(small, 2, DAY), 200):
        assert evaluate_leg(one, question, today=DAY) == evaluate_leg(other, question, today=DAY)


@pytest.mark.parametrize("draw", [questions, lambda content, seed, day: real_questions(content, seed)])
def test_a_seed_draws_the_same_questions_again(small: Content, draw: Callable) -> None:
    assert list(islice(draw(small, 3, DAY), 20)) == list(islice(draw(small, 3, DAY), 20))
    assert list(islice(draw(small, 3, DAY), 20)) != list(islice(draw(small, 4, DAY), 20))


def test_every_real_question_has_a_verdict() -> None:
    content = starter_content()
    corpus = Corpus(content)
    verdicts = {
        evaluate_leg(corpus, question, today=today(content)).verdict
        for question in islice(real_questions(content, 5), 2_000)
    }
    assert verdicts == {"allowed", "conditional", "insufficient", "banned"}


def test_every_real_itinerary_has_a_verdict_and_as_many_legs_as_items_times_flights() -> None:
    content = starter_content()
    corpus = Corpus(content)
    drawn = list(islice(real_itineraries(content, 5), 1_000))
    verdicts = {evaluate_itinerary(corpus, one, today=today(content)).verdict for one in drawn}
    assert verdicts == {"allowed", "conditional", "insufficient", "banned"}
    assert all(len(one_by_one(one)) == len(one.items) * len(one.flights) for one in drawn)


def test_a_family_has_six_items_on_four_flights() -> None:
    for one in islice(of_a_family(starter_content(), 5), 5):
        assert (one.passengers, len(one.items), len(one.flights)) == (4, 6, 4)
