"""The message of a constraint or a warning, from its code and parameters.

Called by all code that lists constraints and warnings. Every name of the registry has a sentence in
`texts.STATEMENTS`.
"""

import datetime
import functools
from collections.abc import Iterable

from rules.engine.facts import Rule
from rules.engine.matching import Statement, statement_of
from rules.engine.outcomes import LegVerdict, RecallFinding
from rules.wording.dates import day_in
from rules.wording.saying import Values, say
from rules.wording.texts import STATEMENTS

DAYS = ("date", "read_on")
"""The parameters of statements that are days."""


def constraint_messages(outcome: LegVerdict, language: str) -> list[str]:
    """Return the sentences of a leg's constraints, in their order."""
    address = lookup_url(outcome.recalls)
    return [sentence(statement, language, address) for statement in outcome.constraints]


def warning_messages(outcome: LegVerdict, language: str) -> list[str]:
    """Return the sentences of a leg's warnings, in their order."""
    address = lookup_url(outcome.recalls)
    return [sentence(statement, language, address) for statement in outcome.warnings]


def coverage_message(airline: str, language: str) -> str:
    """Say that no rule of an airline, named by its code, can judge a flight."""
    return say("coverage", language, (("airline", airline),))


def rule_message(rule: Rule, language: str) -> str | None:
    """Return the sentence that a traveler reads if a rule applies; a permit has none."""
    statement = statement_of(rule)
    return None if statement is None else sentence(statement, language)


@functools.lru_cache(maxsize=16_384)
def sentence(statement: Statement, language: str, lookup_url: str | None = None) -> str:
    """Return one statement in words. `lookup_url` is the maker's page about single units; few need it."""
    values = _dated(number_values(statement.params), language)
    key = statement.name
    if key == "max_units" and len(values) > 1:
        key = "max_units.over"
    elif key == "ccc_certificate_suspended" and values:
        key += ".at"
    elif lookup_url is not None and f"{key}.lookup" in STATEMENTS:
        key, values = f"{key}.lookup", (*values, ("lookup_url", lookup_url))
    return say(f"statement.{key}", language, values)


def number_values(params: Iterable[tuple[str, str]]) -> Values:
    """Return parameters ready for a text: `max_units` decides a plural, so it becomes a number."""
    return tuple((name, int(text) if name == "max_units" else text) for name, text in params)


def _dated(values: Values, language: str) -> Values:
    """Return values with their days, which a statement has in ISO 8601, as people write them."""
    return tuple(
        (name, day_in(datetime.date.fromisoformat(str(value)), language) if name in DAYS else value)
        for name, value in values
    )


def lookup_url(findings: Iterable[RecallFinding]) -> str | None:
    """Return the address of the first maker's list that could settle what is unknown of a unit."""
    for finding in findings:
        address = finding.recall.affected_serials.explicit_list_url
        if address is not None and finding.evaluation.match_status == "unknown":
            return address
    return None
