"""What the verdict of one leg costs on the real corpus."""

import time
from collections.abc import Iterator
from itertools import islice
from statistics import median, quantiles

from bench.questions import real_questions, today
from bench.report import Line, value
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.evaluate import evaluate_leg

ROUNDS, LEGS = 9, 2_000


def measure(content: Content) -> Iterator[Line]:
    """Time every leg separately, with new questions in each round."""
    corpus, day, drawn = Corpus(content), today(content), real_questions(content, seed=1)
    medians, slowest = [], []
    for _ in range(ROUNDS):
        microseconds = []
        for question in list(islice(drawn, LEGS)):
            started = time.perf_counter_ns()
            evaluate_leg(corpus, question, today=day)
            microseconds.append((time.perf_counter_ns() - started) / 1000)
        medians.append(median(microseconds))
        slowest.append(quantiles(microseconds, n=100)[-1])
    yield value("engine_leg_us", medians, "us", p99=round(median(slowest), 1), legs_a_round=LEGS)
