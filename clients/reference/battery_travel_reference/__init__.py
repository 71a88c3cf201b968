"""Checks answers of the battery travel compliance service by a release, without the service's own code.

    release = release_of(Path("2026-11-20.json").read_bytes())
    question = question_of(body, today=date(2026, 11, 21))
    print(answer(release, question, today=date(2026, 11, 21)).plain())

`python -m battery_travel_reference RELEASE.json ask` does this on the command line. `compare` checks answers
that you received.
"""

from battery_travel_reference.answering import LegAnswer, Segment, TripAnswer, answer
from battery_travel_reference.deciding import NotCovered
from battery_travel_reference.decoding import UnreadableRelease, release_of
from battery_travel_reference.questions import Leg, Question, Unit, UnreadableQuestion, question_of
from battery_travel_reference.records import Release

__all__ = [
    "Leg",
    "LegAnswer",
    "NotCovered",
    "Question",
    "Release",
    "Segment",
    "TripAnswer",
    "Unit",
    "UnreadableQuestion",
    "UnreadableRelease",
    "answer",
    "question_of",
    "release_of",
]
