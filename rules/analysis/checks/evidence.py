"""What rules rest on: sources that were read, and when; and airlines without any evidence."""

import datetime
from collections.abc import Iterable, Iterator, Mapping

from catalog.cadence import freshness
from rules.analysis.checks.findings import Finding, finding_of, finding_of_airline
from rules.engine.facts import Airline, Rule, Source


def thin_evidence(
    rules: Iterable[Rule], sources: Mapping[str, Source], today: datetime.date
) -> Iterator[Finding]:
    """Find rules whose evidence no one has read, or not as recently as the cadence of its sources requires.

    Rules of airlines without any evidence are left to `thin_airlines`, which reports each airline once.
    """
    for rule in rules:
        read = [sources[name] for name in rule.sources if sources[name].citable]
        if rule.confidence == "unverified" or not read:
            yield finding_of("evidence_unread", "No page that says this was read.", rule.rule_id)
            continue
        if freshness(read, today) != "fresh":
            age = (today - max(source.read_on for source in read)).days
            yield finding_of("evidence_old", f"Its newest source was read {age} days ago.", rule.rule_id)
        if rule.confidence == "confirmed" and not _official(read):
            says = "It is confirmed, but none of its sources is an official page that was read."
            yield finding_of("evidence_overstated", says, rule.rule_id)


def _official(sources: Iterable[Source]) -> bool:
    return any(source.basis == "official_page_read" for source in sources)


def thin_airlines(
    airlines: Iterable[Airline],
    rules_of: Mapping[str, list[Rule]],
    sources: Mapping[str, Source],
    today: datetime.date,
) -> Iterator[Finding]:
    """Find airlines about which the engine can say nothing, or nothing that was read."""
    for airline in airlines:
        active = [rule for rule in rules_of.get(airline.airline, []) if rule.in_force(today)]
        if not active:
            says = f"{airline.name} has no rule in force."
            yield finding_of_airline("airline_not_covered", says, airline.airline)
        elif airline.confidence == "unverified" or all(rule.confidence == "unverified" for rule in active):
            says = f"No source was read for the policy of {airline.name}."
            rule_ids = tuple(rule.rule_id for rule in active)
            yield finding_of_airline("airline_unverified", says, airline.airline, rule_ids)
        elif airline.confidence == "confirmed" and not _official(sources[name] for name in airline.sources):
            says = f"{airline.name} is confirmed, but none of its sources is an official page that was read."
            yield finding_of_airline("evidence_overstated", says, airline.airline)
