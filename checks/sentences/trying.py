"""Trying made-up sentences on a release: what is milder than its words, and what ignores a word."""

import functools
import random
from typing import NamedTuple

from django.http import QueryDict
from django.utils.translation import override

from aeo.asking import Asked, read
from checks.sentences.grammar import TODAY, Made, make, unknown_word, with_word
from rules import verdicts
from rules.corpus import Published
from rules.engine.facts import Question
from rules.engine.vocabulary import STRICTNESS, Verdict


class Found(NamedTuple):
    """What some sentences gave: how many, how many were answered at once, and those answered wrongly."""

    tried: int
    answered: int
    milder: tuple[str, ...]
    ignoring: tuple[str, ...]


def try_sentences(release: Published, seed: int, count: int) -> Found:
    """Make sentences and ask each as it is, and once more with an unknown word in it."""
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
    """Read a sentence as the home page does, without a press."""
    parameters = QueryDict(mutable=True)
    parameters["q"] = text
    with override(language):
        return read(parameters, release, TODAY)


def _verdict(release: Published, asked: Asked) -> Verdict:
    if asked.is_trip or asked.rating is not None:
        # Made-up sentences name a model and two places: whatever else was read is wrong.
        return "allowed"
    return verdict_of(release, asked.question)


@functools.lru_cache(maxsize=100_000)
def verdict_of(release: Published, question: Question) -> Verdict:
    """Return the engine's verdict."""
    return verdicts.judge_from(release, question, today=TODAY)[0]


def said(made: Made) -> str:
    """Return a sentence with what it says, for a failure."""
    return f"{made.text} ({made.question})"
