"""One question as the API asks it: on the current release, which may be pinned."""

import datetime

from rules import corpus, verdicts
from rules.engine.facts import Question, TripQuestion
from rules.verdicts import Answer, TripAnswer


def verify(question: Question, *, now: datetime.datetime, ruleset_version: str | None = None) -> Answer:
    """Answer a question about one leg. Raises the errors of the door and of `corpus.check_version`."""
    release = corpus.current()
    corpus.check_version(release, ruleset_version)
    return verdicts.answer_from(release, question, now=now)


def verify_trip(
    question: TripQuestion, *, now: datetime.datetime, ruleset_version: str | None = None
) -> TripAnswer:
    """Answer a question about a whole trip. Raises as `verify` does."""
    release = corpus.current()
    corpus.check_version(release, ruleset_version)
    return verdicts.trip_answer_from(release, question, now=now)
