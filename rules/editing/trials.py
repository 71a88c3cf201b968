"""Trying a draft: one question, answered by a release as it is and with one rule put in or taken out.

All answers come through the door, `rules.verdicts`. A release has thousands of rules and a question concerns
few, so the trial is built without the others; `tests/rules/editing/test_trials.py` checks that no answer
depends on them. Reads nothing but its arguments. Called by the editors' desk.
"""

import datetime
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from rules.corpus import Published
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Question, Rule, Source
from rules.verdicts import Answer, answer_from


class Trial(NamedTuple):
    """The answers without and with a draft; None if the airline is not covered.

    `speaks` says whether the draft is among the applied rules, `decides` whether the verdict would differ if
    there were no such rule at all.
    """

    before: Answer | None
    after: Answer | None
    speaks: bool
    decides: bool


def try_rule(
    release: Published,
    rule: Rule,
    sources: Sequence[Source],
    question: Question,
    *,
    now: datetime.datetime,
    withdraws: bool = False,
) -> Trial:
    """Answer a question by a release, and by the same release with a rule in place of the one with its id.

    Args:
        release: What is published.
        rule: A rule that could be released.
        sources: The sources of the rule, which the release may not all contain.
        question: What is asked.
        now: The instant of asking, with its time zone.
        withdraws: Whether the draft takes its rule out, so that the answer after it is one without it.

    Raises:
        ModelNotFound, UnknownCountry: The release does not cover what the question names.

    """
    known = concerning(release.corpus.content, question)
    others = tuple(other for other in known.rules if other.rule_id != rule.rule_id)
    cited = {source.id: source for source in (*known.sources, *sources)}
    without = replace(known, rules=others, sources=tuple(cited.values()))
    with_it = replace(without, rules=(*others, rule))
    before = _answer(release, question, now)
    bare = _answer(_as_if(release, without), question, now)
    after = bare if withdraws else _answer(_as_if(release, with_it), question, now)
    return Trial(
        before=before,
        after=after,
        speaks=after is not None and rule.rule_id in after.outcome.path,
        decides=_verdict(after) != _verdict(bare),
    )


def concerning(content: Content, question: Question) -> Content:
    """Return the part of a release that can affect a question: no other airline's rules, no other model."""
    leg, model_id = question.leg, question.unit.model_id
    return replace(
        content,
        airlines=tuple(airline for airline in content.airlines if airline.airline == leg.airline),
        devices=tuple(device for device in content.devices if device.model_id == model_id),
        recalls=tuple(recall for recall in content.recalls if recall.model_id == model_id),
        rules=tuple(rule for rule in content.rules if rule.airline in (None, leg.airline)),
    )


def _as_if(release: Published, content: Content) -> Published:
    """Return a release that was never published, to answer one question."""
    return Published(
        ruleset_version=release.ruleset_version,
        sha256=release.sha256,
        published_at=release.published_at,
        corpus=Corpus(content),
    )


def _answer(release: Published, question: Question, now: datetime.datetime) -> Answer | None:
    try:
        return answer_from(release, question, now=now)
    except AirlineNotCovered:
        return None


def _verdict(answer: Answer | None) -> str | None:
    return None if answer is None else answer.outcome.verdict
