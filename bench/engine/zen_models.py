"""Our rules in the two languages of zen-engine: a decision table, and an expression.

Written from the readable rules and not from our own index, so equal answers test both. Facts have the forms
that are cheapest for zen: watt-hours as whole hundredths (-1 if unknown), the rest as words. Dates are not
among them: both sides start from the rules in force on the day.
"""

import json
from collections.abc import Iterable
from typing import NamedTuple

from catalog.energy import hundredths
from rules.engine.facts import Rule


class Span(NamedTuple):
    """A whole number from the first to the second, both included. Without a second number it is open."""

    low: int
    high: int | None


Test = Span | tuple[str, ...]
"""The test of a rule on one fact: a number within a span, or one of some words."""


def table(rules: Iterable[Rule]) -> str:
    """Return a decision in JSON: one decision table with a row for each rule, all matches collected.

    It has a column for each fact that any of the rules tests, and no other.
    """
    tests = {rule.rule_id: _tests(rule) for rule in rules}
    facts = list(dict.fromkeys(fact for row in tests.values() for fact in row))
    content = {
        "hitPolicy": "collect",
        "inputs": [{"id": fact, "name": fact, "type": "expression", "field": fact} for fact in facts],
        "outputs": [{"id": "rule", "name": "rule", "type": "expression", "field": "rule"}],
        "rules": [
            {
                "_id": name,
                "rule": f"'{name}'",
                **{fact: _cell(row[fact]) if fact in row else "" for fact in facts},
            }
            for name, row in tests.items()
        ],
    }
    place = {"position": {"x": 0, "y": 0}}
    nodes = [
        {"id": "question", "name": "question", "type": "inputNode", **place},
        {"id": "rules", "name": "rules", "type": "decisionTableNode", "content": content, **place},
        {"id": "answer", "name": "answer", "type": "outputNode", **place},
    ]
    edges = [
        {"id": f"{source}-{target}", "type": "edge", "sourceId": source, "targetId": target}
        for source, target in (("question", "rules"), ("rules", "answer"))
    ]
    return json.dumps({"nodes": nodes, "edges": edges})


def listing(rules: Iterable[Rule]) -> str:
    """Return an expression: a list with the name of each rule if it matches, else null."""
    return f"[{', '.join(map(_name_or_null, rules))}]"


def _name_or_null(rule: Rule) -> str:
    conditions = [_condition(fact, test) for fact, test in _tests(rule).items()]
    return f"{' and '.join(conditions)} ? '{rule.rule_id}' : null" if conditions else f"'{rule.rule_id}'"


def _tests(rule: Rule) -> dict[str, Test]:
    """Return the tests of a rule, by fact."""
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


def _cell(test: Test) -> str:
    """Return a test as a cell of a table's column."""
    if not isinstance(test, Span):
        return ", ".join(f"'{word}'" for word in test)
    return f">= {test.low}" if test.high is None else f"[{test.low}..{test.high}]"


def _condition(fact: str, test: Test) -> str:
    """Return a test as a condition of an expression: zen compares faster than it searches a list."""
    if not isinstance(test, Span):
        return f"({' or '.join(f'{fact} == {word!r}' for word in test)})"
    at_least = f"{fact} >= {test.low}"
    return at_least if test.high is None else f"{at_least} and {fact} <= {test.high}"
