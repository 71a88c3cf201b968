"""Additions to schemathesis beyond the contract: adjusted requests (`moves`), and further checks."""

import datetime
import os
from typing import Any

import schemathesis

from checks.fuzz import moves

RULESET_VERSION = os.environ["RULESET_VERSION"]


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """Adjust the values of one request."""
    if isinstance(case.path_parameters, dict):
        _move(case.path_parameters)
    if isinstance(case.query, dict):
        _move_query(case.query)
    # A generated digest is that of no body, and then nothing is answered or signed.
    for name in ("Content-Digest", "Accept-Signature"):
        case.headers.pop(name, None)
    if isinstance(case.body, dict):
        moves.body(case.body, datetime.datetime.now(datetime.UTC).date())
        _pin(case.body)


@schemathesis.check
def a_batch_has_an_answer_or_a_problem_for_each_question(context: Any, response: Any, case: Any) -> None:
    """Compare the items of a batch with its questions: the same number, in order, each judged or refused."""
    if not case.path.endswith("/verify/batch") or response.status_code != 200:
        return
    said = response.json()
    items = said["items"]
    assert [item["index"] for item in items] == [*range(len(case.body["items"]))]
    for item in items:
        assert (item["answer"] is None) == (item["status"] != 200), item
        assert (item["problem"] or {"status": 200})["status"] == item["status"], item
    assert sum(said["counts"].values()) == len(items)
    assert said["counts"]["errors"] == sum(item["problem"] is not None for item in items)


def _move_query(query: dict[str, Any]) -> None:
    # In rules, `code` is their content.
    _move(query, but="code")
    if "serial" in query:
        query.pop("serial_hash", None)
    moves.drop_cursor(query)
    _pin(query)


def _pin(sent: dict[str, Any]) -> None:
    """Pin the current ruleset in place of a generated one."""
    version = sent.get("ruleset_version")
    if isinstance(version, str) and 0 < len(version) <= 64:
        sent["ruleset_version"] = RULESET_VERSION


def _move(parameters: dict[str, Any], but: str = "") -> None:
    for name in parameters:
        if name != but:
            parameters[name] = moves.parameter(name, parameters[name])
