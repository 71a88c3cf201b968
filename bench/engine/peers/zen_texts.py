"""Our rules in the two languages of zen-engine: a decision table, and an expression."""

import json
from collections.abc import Iterable

from bench.engine.peers.conditions import Span, Test, conditions
from rules.engine.facts import Rule


def table(rules: Iterable[Rule]) -> str:
    """Return a decision in JSON: one decision table with a row for each rule, all matches collected.

    It has a column for each fact that any of the rules tests, and no other.
    """
    tests = {rule.rule_id: conditions(rule) for rule in rules}
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
    tests = [_condition(fact, test) for fact, test in conditions(rule).items()]
    return f"{' and '.join(tests)} ? '{rule.rule_id}' : null" if tests else f"'{rule.rule_id}'"


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
