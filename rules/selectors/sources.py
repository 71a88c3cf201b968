"""The sources of a release: found by what rests on them, and what rests on each.

Called by the views of the API and by the other selectors.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from rules.corpus import Published
from rules.engine.facts import Source
from rules.releases.shelf import Shelf


@dataclass(frozen=True)
class Uses:
    """The records that rest on one source, by their ids, in their order. Rules count in force or not."""

    rules: list[str] = field(default_factory=list)
    airlines: list[str] = field(default_factory=list)
    recalls: list[str] = field(default_factory=list)
    devices: list[str] = field(default_factory=list)


def uses(published: Published) -> Mapping[str, Uses]:
    """Return what rests on each source of a release; sources on which nothing rests are left out."""
    return _uses(published.shelf)


# One release answers at a time, and a tool may have a second one: no more need caching.
@lru_cache(maxsize=2)
def _uses(shelf: Shelf) -> Mapping[str, Uses]:
    found: dict[str, Uses] = defaultdict(Uses)
    for rule in shelf.rules.values():
        for name in dict.fromkeys(rule.sources):
            found[name].rules.append(rule.rule_id)
    for airline in shelf.airlines.values():
        changes = (change.source for change in airline.changes)
        for name in dict.fromkeys((*airline.sources, *changes)):
            found[name].airlines.append(airline.airline)
    for recall in shelf.recalls.values():
        for name in dict.fromkeys(recall.sources):
            found[name].recalls.append(recall.recall_id)
    for device in shelf.devices.values():
        certified = (certificate.source for certificate in device.certificates)
        for name in dict.fromkeys((*device.sources, *certified)):
            found[name].devices.append(device.model_id)
    return dict(found)


def behind_model(published: Published, model_id: str) -> set[str]:
    """Return the ids of the sources of a model's facts, of its certificates and of its recalls."""
    device, recalls = published.shelf.devices[model_id], published.shelf.recalls_of(model_id)
    return {
        *device.sources,
        *(certificate.source for certificate in device.certificates),
        *(name for recall in recalls for name in recall.sources),
    }


def behind_airline(published: Published, airline: str) -> set[str]:
    """Return the ids of the sources of an airline's record, of its dated changes and of its own rules."""
    record = published.shelf.airlines[airline]
    rules = published.shelf.rules_of(airline)
    return {
        *record.sources,
        *(change.source for change in record.changes),
        *(name for rule in rules for name in rule.sources),
    }


def find(
    published: Published,
    *,
    model_id: str | None = None,
    rule_id: str | None = None,
    airline: str | None = None,
    kind: str | None = None,
    jurisdiction: str | None = None,
    basis: str | None = None,
) -> list[Source]:
    """Return the sources that match the request, by id. The records that it names must exist."""
    shelf = published.shelf
    names = set(shelf.sources)
    if model_id is not None:
        names &= behind_model(published, model_id)
    if rule_id is not None:
        names &= set(shelf.rules[rule_id].sources)
    if airline is not None:
        names &= behind_airline(published, airline)
    return [
        source
        for source in shelf.sources.values()
        if source.id in names
        and kind in (None, source.kind)
        and jurisdiction in (None, source.jurisdiction)
        and basis in (None, source.basis)
    ]
