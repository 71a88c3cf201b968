"""Answers a complete question, ready to show: with a verdict, or with guidance from the label alone.

Called by `aeo.checker.views`, and by the frames that partners put into their pages.
"""

import datetime
from typing import NamedTuple

from aeo.asking import Asked
from aeo.checker.answer import AnswerShown, guidance_shown, verdict_shown
from aeo.texts import say
from aeo.web.formatting import day
from rules import verdicts
from rules.answers.guidance import Guidance, guidance_from
from rules.corpus import Published
from rules.engine.errors import AirlineNotCovered
from rules.verdicts import Answer


class Given(NamedTuple):
    """An answer, and the form in which it is shown."""

    answer: Answer | Guidance
    shown: AnswerShown


def answered(asked: Asked, release: Published, now: datetime.datetime) -> Given:
    """Answer a complete question about one flight. Raises `AirlineNotCovered`."""
    if asked.rating is not None:
        guidance = guidance_from(release, asked.rating, asked.question, now=now)
        return Given(guidance, guidance_shown(asked, guidance))
    answer = verdicts.answer_from(release, asked.question, now=now)
    return Given(answer, verdict_shown(asked, answer))


def not_covered(asked: Asked, error: AirlineNotCovered) -> dict[str, str]:
    """Return the text about an airline that is not covered."""
    return {
        "title": say("answer.not_covered.title", airline=asked.airline),
        "text": say("answer.not_covered", airline=asked.airline, date=day(asked.travel_date)),
        "change": say("answer.not_covered.change", date=day(error.next_change)) if error.next_change else "",
    }
