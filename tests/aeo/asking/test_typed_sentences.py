"""Sentences as travelers type them: none is answered milder than its words, and plain ones are answered."""

import pytest

from aeo.asking import sentences
from aeo.asking.sentences import Heard, hear
from tests.support.starter import starter_release


@pytest.fixture(scope="module")
def heard() -> list[Heard]:
    return [hear(starter_release(), one) for one in sentences.sentences()]


def test_there_are_sentences_of_each_kind_in_each_language(heard: list[Heard]) -> None:
    kinds = {(one.sentence.language, one.sentence.kind) for one in heard}
    assert len(kinds) == 8 * 3
    assert len(heard) >= 400


def test_no_sentence_is_answered_more_mildly_than_its_words(heard: list[Heard]) -> None:
    assert [one.sentence.say for one in heard if one.milder] == []


def test_plain_sentences_are_answered_at_once_as_exactly_their_facts(heard: list[Heard]) -> None:
    known = starter_release().shelf.devices
    plain = [one for one in heard if one.sentence.kind == "plain"]
    answered = [one for one in plain if one.as_said]
    assert len(answered) >= 0.95 * len(plain)
    for one in plain:
        model = str(one.sentence.facts.get("model", ""))
        assert one.as_said or one.verdict is None, one.sentence.say
        assert not model or model in known, model


def test_the_figures_of_the_scorecard_are_those_of_the_sentences(heard: list[Heard]) -> None:
    counted = sentences.count(starter_release())
    plain = [one for one in heard if one.sentence.kind == "plain"]
    assert (counted.sentences, counted.languages, counted.milder) == (len(heard), 8, 0)
    assert (counted.plain, counted.plain_answered) == (len(plain), sum(one.as_said for one in plain))
