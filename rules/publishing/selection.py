"""A selection of what waits: the current release with the chosen records, and nothing else.

Each record of the content is word for word that of the current release or that of the approved rows. So what
is not chosen waits as it is, and nothing can appear that no one approved. Pure functions of two contents.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from rules.engine.document import ID_FIELD, Content
from rules.releases.ledger import digest

Key = tuple[str, str]
"""A record: its kind, as a document calls it, and its id."""

Versions = tuple[Any, Any]
"""A record before and after; None if it is absent."""

PLACES = ("countries", "jurisdictions")
SOURCES = ("sources",)


def differing(before: Content, after: Content) -> dict[Key, Versions]:
    """Return every record that differs, in the order of a document, then by id."""
    found: dict[Key, Versions] = {}
    for kind in ID_FIELD:
        old, new = _by_id(before, kind), _by_id(after, kind)
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name):
                found[kind, name] = old.get(name), new.get(name)
    return found


def mixed(before: Content, after: Content, keys: Collection[Key]) -> Content:
    """Return `before` with the records `keys` as they are in `after`: changed, new or absent."""
    chosen = set(keys)
    changes = {}
    for kind in {kind for kind, _ in chosen}:
        records = _by_id(before, kind)
        new = _by_id(after, kind)
        for name in (name for of, name in chosen if of == kind):
            records.pop(name, None)
            if name in new:
                records[name] = new[name]
        changes[kind] = tuple(records[name] for name in sorted(records))
    return msgspec.structs.replace(before, **changes)


def as_planned(then: Content, now: Content, after: Content, keys: Collection[Key]) -> Content:
    """Return what a plan of the records `keys` would have published when it was made.

    `then` was current when it was made, `now` is current, and `after` has the records of the plan. Models,
    airlines and places that are new since then are in it, with what is about them alone: nothing could be
    said of them then.
    """
    added = {key: new for key, (old, new) in differing(then, now).items() if old is None}

    def is_alone(key: Key) -> bool:
        record = added[key]
        match key[0]:
            case "rules" | "disagreements":
                about = record if key[0] == "rules" else record.about
                places = ((place, about.jurisdiction) for place in PLACES)
                return ("airlines", about.airline) in added or any(place in added for place in places)
            case "recalls":
                return ("devices", record.model_id) in added
        return True

    return mixed(mixed(then, now, [key for key in added if is_alone(key)]), after, keys)


def closed(
    before: Content, after: Content, keys: Collection[Key], bundles: Iterable[frozenset[Key]] = ()
) -> frozenset[Key]:
    """Return the differing records among `keys`, and those that have to go out with them.

    These are the rest of each bundle, the pages that the chosen records cite, as they were read last, and
    what they name that `before` lacks. If a record is chosen that is gone, those that named it come along.
    """
    differ, bundles = differing(before, after), list(bundles)
    chosen = {key for key in keys if key in differ}
    while True:
        more = {key for bundle in bundles if not bundle.isdisjoint(chosen) for key in bundle}
        for key in chosen:
            record = differ[key][1]
            if record is not None:
                more |= {("sources", name) for kinds, name in names_of(key[0], record) if kinds == SOURCES}
        more |= set(_needed(mixed(before, after, chosen), differ, chosen))
        more = {key for key in more if key in differ} - chosen
        if not more:
            return frozenset(chosen)
        chosen |= more


def names_of(kind: str, record: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what a record names: the kinds that it can be of, and its id."""
    for source in getattr(record, "sources", ()):
        yield SOURCES, source
    match kind:
        case "jurisdictions":
            for region in record.member_of:
                yield ("jurisdictions",), region
        case "airlines":
            yield ("countries",), record.country
            yield from ((SOURCES, change.source) for change in record.changes)
        case "devices":
            yield from ((SOURCES, one.source) for one in record.certificates)
        case "rules":
            yield from _whose(record)
            yield from ((("devices",), name) for name in record.when.model or ())
        case "recalls":
            yield ("devices",), record.model_id
            yield PLACES, record.jurisdiction
        case "disagreements":
            yield from _whose(record.about)
            yield ("rules",), record.applied


def said(key: Key, record: Any) -> str:
    """Return the digest of what a record says; of an absent one, that it is absent.

    A later reading alone does not change a source: one person may publish it alone, too.
    """
    plain = None if record is None else msgspec.to_builtins(record, builtin_types=())
    if plain is not None and key[0] == "sources":
        plain.pop("read_on", None)
    return digest(json.dumps([*key, plain], sort_keys=True))


def _whose(record: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    if record.airline is not None:
        yield ("airlines",), record.airline
    if record.jurisdiction is not None:
        yield PLACES, record.jurisdiction


def _needed(content: Content, differ: Mapping[Key, Versions], chosen: Collection[Key]) -> Iterator[Key]:
    """Yield the differing records that chosen ones name and some content lacks, and who names what is gone.

    What is not chosen names nothing that is missing, unless that was there before.
    """
    there = {(kind, name) for kind in ID_FIELD for name in _by_id(content, kind)}
    gone = any(differ[key][1] is None for key in chosen)
    named = content if gone else mixed(Content(), content, [key for key in chosen if key in there])
    for kind in ID_FIELD:
        for name, record in _by_id(named, kind).items():
            for kinds, wanted in names_of(kind, record):
                if any((of, wanted) in there for of in kinds):
                    continue
                new = [key for of in kinds if (key := (of, wanted)) in differ and differ[key][1] is not None]
                yield from new or [(kind, name)]


def _by_id(content: Content, kind: str) -> dict[str, Any]:
    return {getattr(one, ID_FIELD[kind]): one for one in getattr(content, kind)}
