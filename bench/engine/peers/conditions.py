"""What a rule compares, fact by fact, for the languages of other engines.

Written from the readable rules and not from our own index, so equal answers test both. Facts have the forms
that are cheapest for these engines: watt-hours as whole hundredths (-1 if unknown), the rest as words. Dates
are not among them: all sides start from the rules in force on the day.
"""

from typing import NamedTuple

from catalog.energy import hundredths
from recalls.serials import RecallStatus
from rules.engine.facts import Device, Question, Rule

Facts = dict[str, str | int]
"""The facts of a question, by name: those that the conditions of rules name."""


class Span(NamedTuple):
    """A whole number from the first to the second, both included. Without a second number it is open."""

    low: int
    high: int | None


Test = Span | tuple[str, ...]
"""The test of a rule on one fact: a number within a span, or one of some words."""


def facts(question: Question, device: Device, status: RecallStatus) -> Facts:
    """Return the facts of a question about a unit of this model with this recall status."""
    return {
        "watt_hour": -1 if device.watt_hour is None else hundredths(device.watt_hour),
        "compartment": question.compartment_intent,
        "recall_status": status,
        "condition": question.unit.condition,
        "mark": question.unit.ccc_mark,
        "quantity": question.unit.quantity,
        "model": question.unit.model_id,
    }


def conditions(rule: Rule) -> dict[str, Test]:
    """Return the tests of a rule, by fact. All must hold."""
    when = rule.when
    tests: dict[str, Test] = {}
    over, at_least, up_to = (
        None if bound is None else hundredths(bound)
        for bound in (when.watt_hour_over, when.watt_hour_at_least, when.watt_hour_up_to)
    )
    if (over, at_least, up_to) != (None, None, None):
        # Unknown watt-hours never meet such a condition: zero excludes their -1.
        tests["watt_hour"] = Span(max(0, at_least or 0, -1 if over is None else over + 1), up_to)
    if when.compartment is not None:
        tests["compartment"] = when.compartment
    if when.recall_status is not None:
        tests["recall_status"] = when.recall_status
    if when.condition is not None:
        tests["condition"] = when.condition
    if when.certification_missing is not None:
        tests["mark"] = ("absent", "unknown")
    if when.quantity_over is not None:
        tests["quantity"] = Span(when.quantity_over + 1, None)
    if when.model is not None:
        tests["model"] = when.model
    return tests
