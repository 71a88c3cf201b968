"""Which rules are in play for a leg but were not applied, and why not.

Every rule that speaks for a leg is in exactly one of three places: in the path of the verdict; here among the
rules in force with a condition that does not hold; or here among the rules that are not in force on the
travel date. Reads the same records as the engine, condition by condition, so that an answer can give the
reason. Called by `rules.answers.rules_in_play`.
"""

import datetime
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from catalog.energy import hundredths
from recalls.serials import RecallStatus
from rules.engine.corpus import Corpus, Speakers
from rules.engine.facts import Device, Question, Rule
from rules.engine.matching import plain

Condition = Literal[
    "watt_hour_over",
    "watt_hour_at_least",
    "watt_hour_up_to",
    "compartment",
    "recall_status",
    "condition",
    "certification_missing",
    "quantity_over",
    "model",
]
"""A condition of a rule, by its name in `When`."""

UNKNOWN = "unknown"
"""The watt-hours of a unit when they are unknown: no watt-hour condition holds for them."""


class Reason(msgspec.Struct, frozen=True):
    """A condition that does not hold: what the rule `needs` (one of these), and what the question `has`."""

    condition: Condition
    needs: tuple[str, ...]
    has: str


class Unmet(msgspec.Struct, frozen=True):
    """A rule in force on the travel date whose conditions do not all hold."""

    rule: Rule
    reasons: tuple[Reason, ...]


class OutOfForce(msgspec.Struct, frozen=True):
    """A rule that is not in force on the travel date: it `starts` later, or its last day was `ended`."""

    rule: Rule
    starts: datetime.date | None = None
    ended: datetime.date | None = None


class Considered(msgspec.Struct, frozen=True):
    """The rules in play for a leg that are not in the path of its verdict, each list in path order."""

    unmet: tuple[Unmet, ...]
    out_of_force: tuple[OutOfForce, ...]


def consider(
    corpus: Corpus, rules: Mapping[str, Rule], question: Question, device: Device, recall_status: RecallStatus
) -> Considered:
    """Sort the rules in play for a leg that do not apply.

    Args:
        corpus: The release.
        rules: Its rules, by id.
        question: What was asked.
        device: The unit that was judged.
        recall_status: What its recalls were found to mean.

    Raises:
        AirlineNotCovered, UnknownCountry: The release does not cover what the question names.

    """
    unmet, out_of_force, day = [], [], question.travel_date
    for group in corpus.in_play(question.leg).groups:
        for rule in [rules[rule_id] for rule_id in _rule_ids(group)]:
            if rule.effective_from is not None and day < rule.effective_from:
                out_of_force.append(OutOfForce(rule, starts=rule.effective_from))
            elif rule.effective_until is not None and rule.effective_until < day:
                out_of_force.append(OutOfForce(rule, ended=rule.effective_until))
            elif reasons := tuple(_reasons(rule, question, device, recall_status)):
                unmet.append(Unmet(rule, reasons))
    return Considered(tuple(unmet), tuple(out_of_force))


def _rule_ids(group: Speakers) -> list[str]:
    return sorted({rule.rule_id for period in group.periods for _, rule in period})


def _reasons(rule: Rule, question: Question, device: Device, recall_status: RecallStatus) -> Iterator[Reason]:
    """Return each condition of a rule that does not hold."""
    when, unit = rule.when, question.unit
    yield from _watt_hours(rule, device)
    if when.compartment is not None and question.compartment_intent not in when.compartment:
        yield Reason("compartment", when.compartment, question.compartment_intent)
    if when.recall_status is not None and recall_status not in when.recall_status:
        yield Reason("recall_status", when.recall_status, recall_status)
    if when.condition is not None and unit.condition not in when.condition:
        yield Reason("condition", when.condition, unit.condition)
    if when.certification_missing is not None and unit.ccc_mark == "present":
        yield Reason("certification_missing", (when.certification_missing,), unit.ccc_mark)
    if when.quantity_over is not None and unit.quantity <= when.quantity_over:
        yield Reason("quantity_over", (str(when.quantity_over),), str(unit.quantity))
    if when.model is not None and device.model_id not in when.model:
        yield Reason("model", when.model, device.model_id)


def _watt_hours(rule: Rule, device: Device) -> Iterator[Reason]:
    figure = None if device.watt_hour is None else hundredths(device.watt_hour)
    has = UNKNOWN if device.watt_hour is None else plain(device.watt_hour)
    when = rule.when
    if (over := when.watt_hour_over) is not None and (figure is None or figure <= hundredths(over)):
        yield Reason("watt_hour_over", (plain(over),), has)
    if (least := when.watt_hour_at_least) is not None and (figure is None or figure < hundredths(least)):
        yield Reason("watt_hour_at_least", (plain(least),), has)
    if (most := when.watt_hour_up_to) is not None and (figure is None or figure > hundredths(most)):
        yield Reason("watt_hour_up_to", (plain(most),), has)
