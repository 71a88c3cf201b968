"""What measured changes cost: all answers that a change of the baseline can flip, on one core."""

import time
from collections.abc import Iterator

import msgspec

from bench.questions import today
from bench.report import Line, say, value
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.facts import INTERNATIONAL
from rules.impact.survey import Survey, add, result_of, tally


def measure(content: Content) -> Iterator[Line]:
    """Remove a permit of the baseline and survey every question; airlines are the rounds.

    Seconds are processor time: on one core, independent of other load on the machine.
    """
    permit = next(
        rule for rule in content.rules if rule.jurisdiction == INTERNATIONAL and rule.effect == "permit"
    )
    others = tuple(rule for rule in content.rules if rule != permit)
    started = time.process_time()
    survey = Survey(
        Corpus(content), Corpus(msgspec.structs.replace(content, rules=others)), today=today(content)
    )
    parts, of_each = [], []
    for airline in survey.airlines:
        begun = time.process_time()
        parts.append(tally(survey, airline))
        of_each.append((time.process_time() - begun) * 1e3)
    result = result_of(survey, add(parts))
    seconds = time.process_time() - started
    say(f"  {result.questions:.2g} questions, for {len(survey.airlines)} airlines, took {seconds:.1f} s")
    yield value("impact_of_an_airline_ms", of_each, "ms", compared=result.evaluated)
    yield value("impact_of_the_baseline_s", [seconds], "s", compared=result.evaluated)
