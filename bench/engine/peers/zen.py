"""zen-engine: an open rule engine, written in Rust and called from Python, used in three ways.

- `zen_tables`: for each question a decision table with hit policy `collect`, of exactly the rules in force:
  the way in which zen's documentation writes rules.
- `zen`: instead of the table one compiled expression: a list of the names of rules, or nulls.
- `zen_scopes`: one such expression for each scope (the baseline, an authority in one role, an airline), found
  through our index. Only this way could answer any question: there are eight million legs, too many to
  compile an expression for each. The time of both sides includes the index.

Each decision and expression is compiled once, and each question is ready as the dictionary that zen needs.
"""

from collections.abc import Sequence
from typing import Any

import zen

from bench.engine.peers.conditions import Facts
from bench.engine.peers.questions import Asked, Way
from bench.engine.peers.zen_texts import listing, table
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.facts import Leg


def ways(content: Content, corpus: Corpus, asked: Sequence[Asked]) -> dict[str, Way]:
    """Prepare the three ways for some questions."""
    engine = zen.ZenEngine()
    scopes = _scopes(content, corpus, asked)
    return {
        "zen": Way(_listed, [(zen.compile_expression(listing(one.rules)), one.facts) for one in asked]),
        "zen_tables": Way(
            _table,
            [(engine.create_decision(zen.ZenDecisionContent(table(one.rules))), one.facts) for one in asked],
        ),
        "zen_scopes": Way(_scoped, [(corpus, scopes, one.leg, one.day, one.facts) for one in asked]),
    }


def _scopes(content: Content, corpus: Corpus, asked: Sequence[Asked]) -> dict[int, Any]:
    """Compile an expression for each scope in play, by the identity of its rules in force."""
    rules = {rule.rule_id: rule for rule in content.rules}
    in_force = [group.on(one.day) for one in asked for group in corpus.in_play(one.leg).groups]
    return {
        id(entries): zen.compile_expression(listing([rules[compiled.rule_id] for _, compiled in entries]))
        for entries in in_force
        if entries
    }


def _table(decision: Any, facts: Facts) -> list[str]:
    return [row["rule"] for row in decision.evaluate(facts)["result"]]


def _listed(expression: Any, facts: Facts) -> list[str]:
    return [name for name in expression.evaluate(facts) if name]


def _scoped(corpus: Corpus, scopes: dict[int, Any], leg: Leg, day: int, facts: Facts) -> list[str]:
    found: list[str] = []
    for group in corpus.in_play(leg).groups:
        if of_scope := group.on(day):
            found += _listed(scopes[id(of_scope)], facts)
    return found
