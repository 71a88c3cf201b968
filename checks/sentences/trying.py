"""Tries generated sentences on a release: finds answers more lenient than the words, and ignored words."""

import functools
import random
from typing import NamedTuple

from django.http import QueryDict

from aeo.asking import Asked, read
from aeo.texts import speaking
from checks.sentences.grammar import TODAY, Made, make, unknown_word, with_word
from rules import verdicts
from rules.corpus import Published
from rules.engine.facts import Question
from rules.engine.vocabulary import STRICTNESS, Verdict


class Found(NamedTuple):
    """The result of some sentences: how many, how many were answered at once, and the wrong answers."""

    tried: int
    answered: int
    milder: tuple[str, ...]
    ignoring: tuple[str, ...]


def try_sentences(release: Published, seed: int, count: int) -> Found:
    """Make sentences and ask each as it is, and again with an unknown word in it."""
    choose = random.Random(seed)
    answered, milder, ignoring = 0, [], []
    for _ in range(count):
        made = make(choose)
        asked = ask(release, made.language, made.text)
        if asked.complete:
            answered += 1
            strict = "banned" if made.open else verdict_of(release, made.question)
            if STRICTNESS[_verdict(release, asked)] < STRICTNESS[strict]:
                milder.append(made.text)
        text = with_word(choose, made, unknown_word(choose, made.language))
        if ask(release, made.language, text).complete:
            ignoring.append(text)
    return Found(count, answered, tuple(milder), tuple(ignoring))


def ask(release: Published, language: str, text: str) -> Asked:
    """Read a sentence as the home page does, without a confirmation."""
    parameters = QueryDict(mutable=True)
    parameters["q"] = text
    with speaking(language):
        return read(parameters, release, TODAY)


def _verdict(release: Published, asked: Asked) -> Verdict:
    if asked.is_trip or asked.rating is not None:
        # Generated sentences name a model and two places: anything else that was read is wrong.
        return "allowed"
    return verdict_of(release, asked.question)


@functools.lru_cache(maxsize=100_000)
def verdict_of(release: Published, question: Question) -> Verdict:
    """Return the engine's verdict."""
    return verdicts.judge_from(release, question, today=TODAY)[0]


def said(made: Made) -> str:
    """Return a sentence with its meaning, for a failure."""
    return f"{made.text} ({made.question})"
