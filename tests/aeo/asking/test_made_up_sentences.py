"""Whatever a sentence is made of, its answer is never milder than its words, and no word is ignored."""

import random

import pytest

from checks.sentences.grammar import LANGUAGES, make
from checks.sentences.trying import try_sentences
from tests.support.starter import starter_release
from tests.support.thoroughness import examples

SEEDS = range(examples(2, thorough=8))
EACH = 2_500
"""Sentences of a seed, and as many with an unknown word in them. `make sentences` asks any number."""


@pytest.mark.parametrize("seed", SEEDS)
def test_no_sentence_is_answered_more_mildly_than_it_says_and_no_word_is_ignored(seed: int) -> None:
    found = try_sentences(starter_release(), seed, EACH)
    assert found.milder == ()
    assert found.ignoring == ()
    assert found.answered > EACH // 5, "sentences without a problem are answered at once"


def test_sentences_are_made_in_every_language_and_of_both_kinds() -> None:
    choose = random.Random(0)
    made = [make(choose) for _ in range(500)]
    assert {one.language for one in made} == set(LANGUAGES)
    assert {one.open for one in made} == {True, False}
