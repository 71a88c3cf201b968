"""Samples of what a release would flip: one question of each kind, with both ways to the answer."""

import datetime
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from rules.engine.corpus import Corpus
from rules.engine.errors import AirlineNotCovered, ModelNotFound, UnknownCountry
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Question
from rules.impact.survey import Flip


class Sample(NamedTuple):
    """A flip, and the path to its answer before and after; a path without an answer is empty."""

    flip: Flip
    before: tuple[str, ...]
    after: tuple[str, ...]


def samples(
    flips: Iterable[Flip], before: Corpus, after: Corpus, *, today: datetime.date, most: int | None
) -> Iterator[Sample]:
    """Return a sample of the most frequent flip of each airline and way, at most so many of them."""
    first: dict[tuple[str, str, str], Flip] = {}
    for flip in flips:
        first.setdefault((flip.airline, flip.before, flip.after), flip)
    for flip in islice(first.values(), most):
        yield Sample(flip, _path(before, flip.sample, today), _path(after, flip.sample, today))


def _path(corpus: Corpus, question: Question, today: datetime.date) -> tuple[str, ...]:
    try:
        return evaluate_leg(corpus, question, today=today).path
    except (AirlineNotCovered, ModelNotFound, UnknownCountry):
        return ()
