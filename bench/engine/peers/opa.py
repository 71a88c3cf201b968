"""Open Policy Agent's language, Rego, in rego-cpp: Microsoft's implementation in C++, called through regopy.

The rules in force of each question are one module with a partial set, `matching`: one element for each rule
whose conditions hold. Each module is compiled once to a bundle with one entry point, and each question is
ready as an input of the interpreter. The answer comes as JSON, which regopy reads.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from regopy import Input, Interpreter

from bench.engine.peers.conditions import Span, Test, conditions
from bench.engine.peers.questions import Asked, Way
from rules.engine.facts import Rule

ENTRY_POINT = "travel/matching"


def ways(asked: Sequence[Asked]) -> dict[str, Way]:
    """Prepare Rego for some questions."""
    interpreter = Interpreter()
    return {"opa": Way(_query, [(interpreter, _bundle(one.rules), Input(one.facts)) for one in asked])}


def module(rules: Iterable[Rule]) -> str:
    """Return rules as a module of Rego."""
    return "\n".join(["package travel", "import rego.v1", *map(_statement, rules)])


def _bundle(rules: Iterable[Rule]) -> Any:
    builder = Interpreter()
    builder.add_module("travel.rego", module(rules))
    return builder.build(None, [ENTRY_POINT])


def _statement(rule: Rule) -> str:
    tests = [line for fact, test in conditions(rule).items() for line in _lines(fact, test)]
    return f"matching contains {json.dumps(rule.rule_id)} if {{ {'; '.join(tests) or 'true'} }}"


def _lines(fact: str, test: Test) -> list[str]:
    name = f"input.{fact}"
    if not isinstance(test, Span):
        return [f"{name} == {json.dumps(test[0])}" if len(test) == 1 else f"{name} in {json.dumps(test)}"]
    return [f"{name} >= {test.low}", *([] if test.high is None else [f"{name} <= {test.high}"])]


def _query(interpreter: Interpreter, bundle: Any, asked: Input) -> list[str]:
    interpreter.set_input(asked)
    answer = interpreter.query_bundle_entrypoint(bundle, ENTRY_POINT)
    found: list[str] = answer.results[0].expressions[0]
    return found
