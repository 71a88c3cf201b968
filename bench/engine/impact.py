"""What a blast radius costs: all verdicts that a change of the baseline can flip, on one core."""

import time
from collections.abc import Iterator

import msgspec

from bench.questions import today
from bench.report import Line, say, value
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.facts import INTERNATIONAL
from rules.impact.survey import Survey


def measure(content: Content) -> Iterator[Line]:
    """Remove a permit of the baseline and ask both rulesets everything; airlines are the rounds.

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
    questions, per_verdict = 0, []
    for airline in survey.airlines:
        begun = time.process_time()
        # Each question goes to both rulesets, so it takes two verdicts.
        verdicts = 2 * survey.part(airline).evaluated
        per_verdict.append((time.process_time() - begun) / verdicts * 1e6)
        questions += verdicts // 2
    seconds = time.process_time() - started
    say(f"  {2 * questions:,} verdicts, for {len(survey.airlines)} airlines, took {seconds:.0f} s")
    yield value("blast_radius_us_per_verdict", per_verdict, "us", verdicts=2 * questions)
    yield value("impact_of_the_baseline_s", [seconds], "s", questions=questions)
