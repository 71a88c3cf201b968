"""Cedar: the policy engine of Amazon, written in Rust and called through cedarpy.

A rule is a policy that permits under its conditions; the reasons of a decision name every policy that holds.
The set of policies of each question is parsed once, the entities (none) too, and the request is ready, with
its facts as the JSON text that the bridge takes.

- `cedar`: one request for each call.
- `cedar_batch`: `BATCH` requests for each call. A batch has one set of policies, and no two questions have
  the same leg, so each question is repeated.
- `cedar_bridge`: the requests of `cedar` against a policy that never holds. This time goes to reading the
  request and writing the answer, both as JSON. The difference to `cedar` is Cedar's own.
"""

import json
from collections.abc import Sequence
from typing import Any

import cedarpy

from bench.engine.peers.conditions import Facts, Span, Test, conditions
from bench.engine.peers.questions import Asked, Way
from rules.engine.facts import Rule

BATCH = 10

NOTHING_HOLDS = "permit(principal, action, resource) when { false };"


def ways(asked: Sequence[Asked]) -> dict[str, Way]:
    """Prepare the ways that find the rules."""
    entities = cedarpy.Entities.from_json_str("[]")
    calls = [
        (_request(one.facts), cedarpy.PolicySet.from_str(policies(one.rules)), entities) for one in asked
    ]
    return {"cedar": Way(_one, calls), "cedar_batch": Way(_many, calls)}


def bridge(asked: Sequence[Asked]) -> Way:
    """Prepare the same requests against a policy that never holds."""
    entities = cedarpy.Entities.from_json_str("[]")
    nothing = cedarpy.PolicySet.from_str(NOTHING_HOLDS)
    return Way(_one, [(_request(one.facts), nothing, entities) for one in asked])


def policies(rules: Sequence[Rule]) -> str:
    """Return rules as policies, each with its name as `@id`."""
    return "\n".join(map(_policy, rules)) or NOTHING_HOLDS


def _policy(rule: Rule) -> str:
    tests = " && ".join(_condition(fact, test) for fact, test in conditions(rule).items())
    return f'@id("{rule.rule_id}") permit(principal, action, resource) when {{ {tests or "true"} }};'


def _condition(fact: str, test: Test) -> str:
    name = f"context.{fact}"
    if not isinstance(test, Span):
        return f"({' || '.join(f'{name} == {json.dumps(word)}' for word in test)})"
    at_least = f"{name} >= {test.low}"
    return at_least if test.high is None else f"{at_least} && {name} <= {test.high}"


def _request(facts: Facts) -> dict[str, str]:
    return {
        "principal": 'Passenger::"one"',
        "action": 'Action::"carry"',
        "resource": 'Unit::"one"',
        "context": json.dumps(facts),
    }


def _one(request: dict[str, str], held: Any, entities: Any) -> list[str]:
    return _names(cedarpy.is_authorized(request, held, entities))


def _many(request: dict[str, str], held: Any, entities: Any) -> list[str]:
    return [_names(answer) for answer in cedarpy.is_authorized_batch([request] * BATCH, held, entities)][-1]


def _names(answer: Any) -> list[str]:
    return list(answer.diagnostics.id_annotations_by_reason.values())
