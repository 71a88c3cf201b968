"""What rules rest on: sources that were read, and when; airlines that rest on nothing."""

import datetime
from collections.abc import Iterable, Iterator, Mapping

from rules.analysis.findings import Finding, Kind
from rules.engine.corpus import STALE_AFTER_DAYS
from rules.engine.facts import Airline, Rule, Source


def thin_evidence(
    rules: Iterable[Rule], sources: Mapping[str, Source], today: datetime.date
) -> Iterator[Finding]:
    """Find rules whose evidence nobody read, or nobody read within a year.

    Rules of airlines that rest on nothing at all are `thin_airlines` to tell of, once for each airline.
    """
    for rule in rules:
        read = [sources[name].read_on for name in rule.sources if sources[name].basis != "general_knowledge"]
        if rule.confidence == "unverified" or not read:
            yield _of_rule(rule, "evidence_unread", "No page that says so was read.")
        elif (age := (today - max(read)).days) > STALE_AFTER_DAYS:
            yield _of_rule(rule, "evidence_old", f"Its newest source was read {age} days ago.")


def thin_airlines(
    airlines: Iterable[Airline], rules_of: Mapping[str, list[Rule]], today: datetime.date
) -> Iterator[Finding]:
    """Find airlines about which the engine can say nothing, or nothing that was read."""
    for airline in airlines:
        active = [rule for rule in rules_of.get(airline.airline, []) if rule.in_force(today)]
        if not active:
            yield Finding(
                kind="airline_not_covered",
                key=f"airline_not_covered:{airline.airline}",
                subject_kind="airline",
                subject=airline.airline,
                says=f"{airline.name} has no rule in force.",
            )
        elif airline.confidence == "unverified" or all(rule.confidence == "unverified" for rule in active):
            yield Finding(
                kind="airline_unverified",
                key=f"airline_unverified:{airline.airline}",
                subject_kind="airline",
                subject=airline.airline,
                says=f"No source was read for the policy of {airline.name}.",
                rule_ids=tuple(rule.rule_id for rule in active),
            )


def _of_rule(rule: Rule, kind: Kind, says: str) -> Finding:
    return Finding(
        kind=kind,
        key=f"{kind}:{rule.rule_id}",
        subject_kind="rule",
        subject=rule.rule_id,
        says=says,
        rule_ids=(rule.rule_id,),
    )
