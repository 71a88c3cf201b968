"""Asks two rulesets every question, without any thought of what could be left out: the survey must agree."""

import datetime
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import get_args

from recalls.serials import AffectedSerials
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.errors import AirlineNotCovered, ModelNotFound, UnknownCountry
from rules.engine.evaluate import judge_leg
from rules.engine.facts import Leg, Question, Unit
from rules.engine.vocabulary import (
    Compartment,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    UnitCondition,
)
from rules.impact.survey import Outcome, Survey
from rules.impact.survey.recalls import Pair, Shown, recall_pairs

Ways = Counter[tuple[Outcome, Outcome]]
"""How many answers go each way, without those that stay."""

Asked = tuple[Leg, str, int]
"""A flight, a model, and the number of a period."""


def outcome(corpus: Corpus, question: Question) -> Outcome:
    try:
        return judge_leg(corpus, question, today=question.travel_date)[0]
    except (AirlineNotCovered, ModelNotFound, UnknownCountry):
        return "not_answered"


def units(before: Content, after: Content, model: str) -> Iterator[Unit]:
    """Return every unit of a model that can be described; one serial for each pair of statuses."""
    facts = product(
        range(1, 21),
        get_args(MarkIndication),
        get_args(LabelIndication),
        get_args(UnitCondition),
        get_args(ListAnswer),
        pairs(before, after, model).values(),
    )
    for quantity, mark, label, condition, answer, shown in facts:
        yield Unit(
            model_id=model,
            quantity=quantity,
            ccc_mark=mark,
            capacity_label=label,
            condition=condition,
            recall_check=answer,
            serial=shown.serial,
            serial_hash=shown.serial_hash,
        )


def pairs(before: Content, after: Content, model: str) -> dict[Pair, Shown]:
    sides = [recalls_of(content, model) for content in (before, after)]
    found = [
        recalls
        for recalls, content in zip(sides, (before, after), strict=True)
        if any(device.model_id == model for device in content.devices)
    ]
    return recall_pairs(found[0], found[-1])


def recalls_of(content: Content, model: str) -> tuple[AffectedSerials, ...]:
    rows = sorted(content.recalls, key=lambda row: row.recall_id)
    return tuple(row.affected_serials for row in rows if row.model_id == model)


def asked_of(survey: Survey, leg: Leg, model: str, day: datetime.date) -> Ways:
    """Ask both rulesets everything about one model on one flight and day."""
    before, after = survey.corpora
    ways: Ways = Counter()
    for unit in units(before.content, after.content, model):
        for compartment in get_args(Compartment):
            question = Question(unit=unit, leg=leg, travel_date=day, compartment_intent=compartment)
            was, will_be = outcome(before, question), outcome(after, question)
            if was != will_be:
                ways[was, will_be] += 1
    return ways


def surveyed(survey: Survey) -> dict[Asked, Ways]:
    """Return how the answers flip that a survey finds, by flight, model and period."""
    found: dict[Asked, Ways] = {}
    for airline in survey.airlines:
        for part in survey.part(airline):
            if part.model.unlisted is not None:
                continue
            for where, flip, model in product(part.where, part.flips, part.model.names):
                for flights, period in product(where.flights, range(len(survey.days))):
                    if not where.periods >> period & 1:
                        continue
                    for origin, destination in product(flights.origins, flights.destinations):
                        if (origin == destination) == flights.domestic:
                            asked = Leg(origin, destination, airline), model, period
                            found.setdefault(asked, Counter())[flip.before, flip.after] += flip.units
    return found
