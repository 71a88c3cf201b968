"""Does a verdict cost the rules for its leg, or the size of the corpus? Measured on worlds of many sizes."""

import datetime
import gc
import time
from collections.abc import Callable, Iterator
from itertools import islice

from bench.engine.worlds import questions, world
from bench.questions import today
from bench.report import Disagreement, Line, ratio, say
from bench.rounds import Seconds, Work, in_turns
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Question

SIZES = {"100": 100, "10k": 10_000, "1m": 1_000_000}
HOT_QUESTIONS, REPEATS = 20, 10
LEGS = HOT_QUESTIONS * REPEATS
"""Legs in a turn, both hot and random: about five milliseconds, often short enough to avoid other load."""
ROUNDS = 60


def measure(content: Content) -> Iterator[Line]:
    """Compare worlds: twenty repeated questions, then questions that were never asked before."""
    day = today(content)
    worlds = {name: world(content, size) for name, size in SIZES.items()}
    corpora = {name: _load(made) for name, made in worlds.items()}
    hot = list(islice(questions(worlds["100"], seed=2, travel_date=day), HOT_QUESTIONS))
    _agree(corpora, hot, day)
    # As the service does after loading: the garbage collector does not walk through a million rules.
    gc.collect()
    gc.freeze()
    try:
        seconds = in_turns({name: _hot(corpus, hot, day) for name, corpus in corpora.items()}, ROUNDS)
        yield _line("engine_scale_10k_over_100", seconds, "10k")
        yield _line("engine_scale_1m_over_100", seconds, "1m")
        seconds = in_turns(
            {
                name: _fresh(corpora[name], questions(worlds[name], seed=3, travel_date=day), day)
                for name in worlds
            },
            ROUNDS,
        )
        yield _line("engine_scale_1m_over_100_random", seconds, "1m")
    finally:
        gc.unfreeze()


def _load(made: Content) -> Corpus:
    started = time.perf_counter()
    corpus = Corpus(made)
    say(f"  {len(made.rules):,} rules were indexed in {time.perf_counter() - started:.1f} s")
    return corpus


def _agree(corpora: dict[str, Corpus], asked: list[Question], day: datetime.date) -> None:
    """Check that each world gives the same answers."""
    for question in asked:
        answers = [evaluate_leg(corpus, question, today=day) for corpus in corpora.values()]
        if any(answer != answers[0] for answer in answers):
            raise Disagreement(f"worlds of different size answer {question} differently")


def _hot(corpus: Corpus, asked: list[Question], day: datetime.date) -> Work:
    def prepare() -> Callable[[], None]:
        return lambda: _ask(corpus, asked * REPEATS, day)

    return prepare


def _fresh(corpus: Corpus, drawn: Iterator[Question], day: datetime.date) -> Work:
    def prepare() -> Callable[[], None]:
        unasked = list(islice(drawn, LEGS))
        return lambda: _ask(corpus, unasked, day)

    return prepare


def _ask(corpus: Corpus, asked: list[Question], day: datetime.date) -> None:
    for question in asked:
        evaluate_leg(corpus, question, today=day)


def _line(name: str, seconds: Seconds, larger: str) -> Line:
    return ratio(
        name,
        seconds[larger],
        seconds["100"],
        leg_us={size: round(min(turns) / LEGS * 1e6, 1) for size, turns in seconds.items()},
    )
