"""What schemathesis is told on top of the contract (`moves`): called before each of its requests."""

import datetime
import os
from typing import Any

import schemathesis

from tests.fuzz import moves

RULESET_VERSION = os.environ["RULESET_VERSION"]


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """Move what one request holds."""
    if isinstance(case.path_parameters, dict):
        _move(case.path_parameters)
    if isinstance(case.query, dict):
        _move_query(case.path, case.query)
    if isinstance(case.body, dict):
        moves.body(case.body, datetime.datetime.now(datetime.UTC).date())
        version = case.body.get("ruleset_version")
        if isinstance(version, str) and 0 < len(version) <= 64:
            case.body["ruleset_version"] = RULESET_VERSION


def _move_query(path: str, query: dict[str, Any]) -> None:
    # Of rules, `code` is what they say.
    _move(query, but="code")
    if path == "/api/recalls" and "serial" in query:
        query.setdefault("model_id", moves.MODELS[0])
    # No made-up cursor fits; one that is too long stays, to be refused.
    if isinstance(cursor := query.get("cursor"), str) and 0 < len(cursor) <= 64:
        del query["cursor"]


def _move(parameters: dict[str, Any], but: str = "") -> None:
    for name in parameters:
        if name != but:
            parameters[name] = moves.parameter(name, parameters[name])
