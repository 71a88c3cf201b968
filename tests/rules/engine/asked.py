"""Questions with the release that they are asked of: what the properties in `test_invariants.py` draw.

Half of them are asked of a generated world, half of the starter corpus, cut down to what the question can
touch.
"""

import functools
from dataclasses import dataclass
from typing import Any

import msgspec
from hypothesis import strategies as st

from rules.engine.document import Content
from rules.engine.facts import Question, Rule, TripQuestion
from tests.rules.engine.starter_questions import Neighborhood, certified, starter_questions, starter_trips
from tests.rules.engine.worlds import MONOTONE_WORLDS, WORLD_QUESTIONS, WORLD_TRIPS, WORLDS
from tests.support.starter import starter_content


@dataclass(frozen=True)
class Asked:
    """A question and a release. Hypothesis prints who, where and which rules."""

    content: Content
    question: Question

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(_described(self.content, self.question))


@dataclass(frozen=True)
class AskedTrip:
    """The same for an itinerary."""

    content: Content
    trip: TripQuestion

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(_described(self.content, self.trip))


def _described(content: Content, question: Question | TripQuestion) -> str:
    recalls = [row for row in content.recalls if row.model_id == question.unit.model_id]
    return "\n".join(
        [
            repr(question),
            *(f"  {row.model_id} {row.watt_hour} Wh, {row.watt_hour_basis}" for row in content.devices),
            *(f"  {row.airline} of {row.country}, {row.confidence}" for row in content.airlines),
            *(f"  {row.recall_id} {_given(row.affected_serials)}" for row in recalls),
            *(f"  {_described_rule(rule)}" for rule in content.rules),
        ]
    )


def _described_rule(rule: Rule) -> str:
    said = f"{rule.effect} {rule.code or ''} {_given(rule.params)} when {_given(rule.when)}"
    days = f"{rule.effective_from or ''}..{rule.effective_until or ''}"
    return f"{rule.rule_id} of {rule.airline or rule.jurisdiction} {'/'.join(rule.applies)}: {said} {days}"


def _given(struct: msgspec.Struct) -> str:
    fields = msgspec.structs.asdict(struct)
    return ", ".join(f"{name}={value}" for name, value in fields.items() if value) or "-"


@functools.cache
def _neighborhood() -> Neighborhood:
    return Neighborhood(certified(starter_content()))


def _asked(question: Question) -> Asked:
    return Asked(_neighborhood().around(question.unit.model_id, (question.leg,)), question)


def _asked_trip(trip: TripQuestion) -> AskedTrip:
    return AskedTrip(_neighborhood().around(trip.unit.model_id, trip.legs), trip)


_ASKED_STARTER_CORPUS = st.deferred(starter_questions).map(_asked)

ASKED = st.builds(Asked, WORLDS, WORLD_QUESTIONS) | _ASKED_STARTER_CORPUS
ASKED_MONOTONE = st.builds(Asked, MONOTONE_WORLDS, WORLD_QUESTIONS) | _ASKED_STARTER_CORPUS
ASKED_TRIPS = st.builds(AskedTrip, WORLDS, WORLD_TRIPS) | st.deferred(starter_trips).map(_asked_trip)
