"""All analyses over one ruleset, in one pass."""

import datetime
from collections import defaultdict
from collections.abc import Iterator

from rules.analysis.checks.contradictions import contradictions
from rules.analysis.checks.evidence import thin_airlines, thin_evidence
from rules.analysis.checks.findings import KINDS, Finding
from rules.analysis.checks.gaps import gaps_of_airline, gaps_of_country
from rules.analysis.checks.idle import ending_and_starting, never_matching, shadowed
from rules.analysis.checks.leniency import spares_the_worse
from rules.analysis.checks.reach import Reach, by_issuer
from rules.engine.document import Content
from rules.engine.facts import INTERNATIONAL, Rule


def findings(content: Content, *, today: datetime.date) -> list[Finding]:
    """List what is odd about a ruleset on a day, by kind and then by subject. It must pass `problems`."""
    order = list(KINDS)
    return sorted(_all(content, today), key=lambda one: (order.index(one.kind), one.subject, one.key))


def _all(content: Content, today: datetime.date) -> Iterator[Finding]:
    groups = by_issuer(content.rules)
    explained = {disagreement.applied for disagreement in content.disagreements}
    for group in groups.values():
        not_over = [one for one in group if one.last_day >= today]
        yield from never_matching(not_over)
        yield from spares_the_worse(not_over)
        yield from shadowed(not_over)
        yield from contradictions(not_over, explained)
        yield from ending_and_starting(group, today)
    yield from _gaps(content, groups, today)
    rules_of: dict[str, list[Rule]] = defaultdict(list)
    for rule in sorted(content.rules, key=lambda rule: rule.rule_id):
        rules_of[rule.airline or ""].append(rule)
    sources = {source.id: source for source in content.sources}
    airlines = list(thin_airlines(content.airlines, rules_of, sources, today))
    yield from airlines
    named = {name for one in airlines for name in one.rule_ids}
    living = [one.rule for group in groups.values() for one in group if one.last_day >= today]
    yield from thin_evidence([rule for rule in living if rule.rule_id not in named], sources, today)


def _gaps(
    content: Content, groups: dict[tuple[str, str], list[Reach]], today: datetime.date
) -> Iterator[Finding]:
    baseline = groups.get(("jurisdiction", INTERNATIONAL), [])
    for airline in content.airlines:
        yield from gaps_of_airline(airline, groups.get(("airline", airline.airline), []), baseline, today)
    regions = {place.code: place.member_of for place in content.jurisdictions}
    for country in content.countries:
        places = (country.code, *regions.get(country.code, ()))
        own = [one for place in places for one in groups.get(("jurisdiction", place), [])]
        yield from gaps_of_country(country, own, baseline, today)
