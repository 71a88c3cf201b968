"""How the rules of an airline or an authority were read, and when: from its own page, a copy, or reports.

One classification for pages, the API, datasets and the desk. Reads only a release.
"""

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, get_args

from catalog.records import Confidence, SourceKind
from rules.corpus import Published
from rules.engine.facts import Airline, Rule, Source

HowRead = Literal["own_page", "dated_copy", "reports", "nothing"]
"""The best way in which rules were read: the issuer's own page, a third party's dated word-for-word copy of
it, reports by others, or nothing that states them."""

HOW_READ: tuple[HowRead, ...] = get_args(HowRead)
"""The best first."""

_OFFICIAL: Mapping[str, HowRead] = {"official_page_read": "own_page", "official_copy_read": "dated_copy"}
"""How an issuer's own words were read, by the basis of the source."""


class LastRead(NamedTuple):
    """How rules were read, and the newest day of such a reading; none if nothing was read."""

    how: HowRead
    on: datetime.date | None


def of_airline(published: Published, airline: Airline) -> LastRead:
    """Return how an airline's policy was read: by the sources of its record, and its confidence."""
    sources = _named(published, airline.sources)
    return _last_read(sources, "airline", stated=airline.confidence != "unverified")


def of_authority(published: Published, rules: Iterable[Rule]) -> LastRead:
    """Return how the rules of an authority were read: by their sources, and their confidence."""
    found = list(rules)
    sources = _named(published, {name for rule in found for name in rule.sources})
    return _last_read(sources, "regulator", stated=any(rule.confidence != "unverified" for rule in found))


def airlines_by_reading(published: Published) -> dict[HowRead, int]:
    """Return how many airlines were read in each way, covered or not."""
    counted = Counter(of_airline(published, one).how for one in published.shelf.airlines.values())
    return {how: counted[how] for how in HOW_READ}


def by_confidence(rules: Iterable[Rule]) -> dict[Confidence, int]:
    """Return how many rules are confirmed, reported and unverified."""
    counted = Counter(rule.confidence for rule in rules)
    return {word: counted[word] for word in get_args(Confidence)}


def confirmed(rules: Iterable[Rule]) -> int:
    """Return how many rules are confirmed: an official page that was read states them."""
    return by_confidence(rules)["confirmed"]


def _named(published: Published, names: Iterable[str]) -> list[Source]:
    """Return the sources with some names that were read."""
    return [source for name in names if (source := published.shelf.sources[name]).citable]


def _last_read(sources: Iterable[Source], issuer: SourceKind, *, stated: bool) -> LastRead:
    """Return how an issuer's rules were read. `stated`: the sources that were read state them."""
    days: dict[HowRead, list[datetime.date]] = defaultdict(list)
    for source in sources:
        official = _OFFICIAL.get(source.basis) if source.kind == issuer else None
        days[official or "reports"].append(source.read_on)
    if not stated:
        # Reports of other rules do not count as readings of these.
        days.pop("reports", None)
    how = min(days, key=HOW_READ.index, default=None)
    return LastRead("nothing", None) if how is None else LastRead(how, max(days[how]))
