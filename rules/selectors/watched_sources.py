"""The watched sources of a release: the list, the figures, and what editors should review.

Called by the views of the API, the pages and the datasets.
"""

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, get_args

import msgspec
import rfc8785

from catalog.cadence import freshness
from catalog.records import SourceBasis
from rules.corpus import Published
from rules.engine.document import Content, builtins
from rules.engine.facts import Rule, Source
from rules.engine.outcomes import UPCOMING_DAYS
from rules.releases.ledger import digest
from rules.selectors.sources import behind_airline, uses

ReviewReason = Literal["rule_expires_soon", "rule_starts_soon", "evidence_stale", "policy_unverified"]


class Monitoring(msgspec.Struct, frozen=True):
    """Watched sources in figures: how many, known in which way, and read between which days.

    The days leave out sources that no one read; none if that is all of them.
    """

    sources_watched: int
    by_basis: Mapping[str, int]
    oldest_read_on: datetime.date | None
    newest_read_on: datetime.date | None


class ReviewItem(msgspec.Struct, frozen=True):
    """A task for an editor.

    `date` is the last day of a rule that expires, the first day of one that starts, or the day on which stale
    evidence was last read. `rule_id` is null for an airline's whole policy, `airline` is null for a rule of a
    regulator.
    """

    signal: ReviewReason
    airline: str | None
    rule_id: str | None
    date: datetime.date | None


def watched(published: Published, *, airline: str | None = None) -> list[Source]:
    """Return the sources on which a rule or an airline's policy rests, by id; or those of one airline."""
    if airline is not None:
        return [published.shelf.sources[name] for name in sorted(behind_airline(published, airline))]
    used = uses(published)
    return [
        source
        for source in published.shelf.sources.values()
        if (use := used.get(source.id)) is not None and (use.rules or use.airlines)
    ]


def monitoring(watched: Iterable[Source]) -> Monitoring:
    """Return some watched sources in figures."""
    sources = list(watched)
    counted = Counter(source.basis for source in sources)
    days = [source.read_on for source in sources if source.citable]
    return Monitoring(
        sources_watched=len(sources),
        by_basis={basis: counted[basis] for basis in get_args(SourceBasis)},
        oldest_read_on=min(days, default=None),
        newest_read_on=max(days, default=None),
    )


def fingerprint(published: Published, source: Source) -> str:
    """Return the SHA-256, in hex, of what the release says about a source and because of it.

    That is the canonical JSON (RFC 8785) of the source's record and of all rules that rest on it, by id. The
    day of reading and the cadence are left out: reading an unchanged page again changes nothing.
    """
    rules = tuple(published.shelf.rules[rule_id] for rule_id in uses(published)[source.id].rules)
    content = builtins(Content(sources=(source,), rules=rules))
    [record] = content["sources"]
    del record["read_on"]
    record.pop("cadence", None)
    return digest(rfc8785.dumps({"source": record, "rules": content["rules"]}).decode())


def review_queue(
    published: Published, today: datetime.date, *, airline: str | None = None
) -> list[ReviewItem]:
    """Return what editors should review today: first the items with a date, then the others.

    Rules that end or start within 30 days, rules in force whose evidence is stale (`catalog.cadence`), and
    airlines whose policy could not be read. All of it, or the part of one airline and its own rules.
    """
    airlines = published.shelf.airlines.values() if airline is None else [published.shelf.airlines[airline]]
    rules = published.shelf.rules.values() if airline is None else published.shelf.rules_of(airline)
    signals = [
        *_of_rules(published, rules, today),
        *(
            ReviewItem("policy_unverified", record.airline, None, None)
            for record in airlines
            if record.confidence == "unverified"
        ),
    ]
    return sorted(signals, key=_in_queue)


def _in_queue(one: ReviewItem) -> tuple[datetime.date, str, str, str]:
    return one.date or datetime.date.max, one.signal, one.airline or "", one.rule_id or ""


def _of_rules(published: Published, rules: Iterable[Rule], today: datetime.date) -> Iterator[ReviewItem]:
    soon = today + datetime.timedelta(days=UPCOMING_DAYS)
    for rule in rules:
        ends, starts = rule.effective_until, rule.effective_from
        if ends is not None and today <= ends <= soon:
            yield ReviewItem("rule_expires_soon", rule.airline, rule.rule_id, ends)
        if starts is not None and today < starts <= soon:
            yield ReviewItem("rule_starts_soon", rule.airline, rule.rule_id, starts)
        if rule.in_force(today):
            sources = [source for name in rule.sources if (source := published.shelf.sources[name]).citable]
            if freshness(sources, today) != "fresh":
                newest = max(source.read_on for source in sources)
                yield ReviewItem("evidence_stale", rule.airline, rule.rule_id, newest)
