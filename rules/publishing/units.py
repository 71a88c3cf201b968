"""What waits to be published, in the units that a publisher can choose. Reads only.

A rule, a recall or a disagreement is one unit. Records of the catalog that were approved together are one, so
that no half of a change set goes out. Pages that were only read again are one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from catalog.editorial.pending.models import ChangeSetState, PendingChange
from catalog.editorial.workflow import AGREED
from catalog.models import Source
from catalog.records import POINTER
from rules.engine.document import Content
from rules.impact.readings import Reading
from rules.impact.writers import changes_since
from rules.next_release import FACTS, REVISED
from rules.publishing.only_adding import SINGULAR, is_later_reading
from rules.publishing.selection import SOURCES, Key, Versions, closed, differing, mixed, names_of, said
from rules.releases.models import Release

READINGS = "readings"
"""The name of the unit of all pages that were only read again."""

CATALOG = "catalog"
"""The group of the records that are changed in place."""


class Unit(NamedTuple):
    """One thing to choose: its name in a form, the group that lists it, its records, and what it is."""

    name: str
    group: str
    keys: frozenset[Key]
    title: str
    what: str


class Waiting(NamedTuple):
    """What differs between the current release and the approved rows, and what goes together."""

    before: Content
    everything: Content
    differ: Mapping[Key, Versions]
    bundles: Mapping[str, frozenset[Key]]

    def units(self) -> list[Unit]:
        """Return what can be chosen, in the order of a document."""
        bundled = {key: name for name, keys in self.bundles.items() for key in keys}
        readings = frozenset(
            key
            for key, (old, new) in self.differ.items()
            if key[0] == "sources" and is_later_reading(old, new)
        )
        found: dict[str, Unit] = {}
        for key, versions in self.differ.items():
            if key in bundled:
                name = bundled[key]
                keys = self.bundles[name]
                found.setdefault(name, Unit(name, CATALOG, keys, name, _counted(keys)))
            elif key in readings:
                title = "Pages that were read again"
                found.setdefault(READINGS, Unit(READINGS, "sources", readings, title, _counted(readings)))
            else:
                name = ":".join(key)
                found[name] = Unit(name, _group(key), frozenset([key]), name_of_key(key), _what(versions))
        return list(found.values())

    def taken(self, names: Collection[str]) -> frozenset[Key]:
        """Return the records of the chosen units, and all that has to go out with them."""
        keys = [key for unit in self.units() if unit.name in names for key in unit.keys]
        return self.closed(keys)

    def closed(self, keys: Collection[Key]) -> frozenset[Key]:
        """Return records, and all that has to go out with them."""
        return closed(self.before, self.everything, keys, self.bundles.values())

    def content(self, keys: Collection[Key]) -> Content:
        """Return the current release with these records, and nothing else."""
        return mixed(self.before, self.everything, keys)


def waiting(base: Release, before: Content, everything: Content) -> Waiting:
    """Return what waits after a release. One query or two."""
    differ = differing(before, everything)
    return Waiting(before, everything, differ, _bundles(base, differ))


def name_of_key(key: Key) -> str:
    """Return a record in words."""
    return f"{SINGULAR[key[0]]} {key[1]}"


class Pinned(NamedTuple):
    """A record that a plan holds: its revision, None in the catalog, and the digest of what it says.

    Of a page that was read also its last reading.
    """

    kind: str
    id: str
    revision: int | None
    sha256: str
    reading: Reading | None = None


def with_pages(keys: Collection[Key], before: Content, everything: Content) -> frozenset[Key]:
    """Return records with all pages that they cite, or cited before they were gone."""
    sides = [
        {key: versions[1] for key, versions in differing(Content(), one).items()}
        for one in (before, everything)
    ]
    named = (
        name
        for key in keys
        for kinds, name in names_of(key[0], sides[1].get(key) or sides[0][key])
        if kinds == SOURCES
    )
    return frozenset(keys) | {("sources", name) for name in named}


def pinned(keys: Collection[Key], everything: Content) -> list[Pinned]:
    """Return what approved records say now. One query for each kind of revision, and one for pages."""
    if not keys:
        return []
    ids: defaultdict[str, set[str]] = defaultdict(set)
    for kind, name in keys:
        ids[kind].add(name)
    revisions: dict[Key, int] = {}
    for kind, model in REVISED.items():
        rows = model._default_manager.filter(
            state__in=AGREED, **{f"{model.id_field}__in": ids[kind]}
        ).newest()
        if ids[kind]:
            revisions |= {
                (kind, name): number for name, number in rows.values_list(model.id_field, "revision")
            }
    read = Source.objects.filter(pk__in=ids["sources"]).exclude(basis=POINTER) if ids["sources"] else ()
    readings = {("sources", one.pk): Reading(one.read_on, one.recorded_at) for one in read}
    records = {key: versions[1] for key, versions in differing(Content(), everything).items()}
    return [
        Pinned(*key, revisions.get(key), said(key, records.get(key)), readings.get(key))
        for key in sorted(keys)
    ]


def changed_since(plan: Iterable[Pinned], now: Iterable[Pinned]) -> Iterator[str]:
    """Say which records of a plan are no longer what was approved when it was made; `now` has them all."""
    present = {(one.kind, one.id): one for one in now}
    for one in plan:
        found, name = present[one.kind, one.id], name_of_key((one.kind, one.id))
        if one.revision is None:
            if found.sha256 != one.sha256:
                yield f"{name} was changed after it was planned"
            elif one.reading and (found.reading is None or found.reading < one.reading):
                yield f"the reading of {name} on which it rests was rolled back"
        elif found.revision is None or found.revision < one.revision:
            yield f"revision {one.revision} of {name} is no longer approved"
        elif found.revision > one.revision:
            yield f"{name} has a newer revision than the planned one"
        elif found.sha256 != one.sha256:
            yield f"{name} was changed after it was planned"


def _bundles(base: Release, differ: Mapping[Key, Versions]) -> dict[str, frozenset[Key]]:
    """Return the differing records of each approved change set; those that share a record are one."""
    if {kind for kind, _ in differ}.isdisjoint(kind for kind, _ in FACTS.values()):
        return {}
    of_brand: defaultdict[str, set[Key]] = defaultdict(set)
    for key, versions in differ.items():
        if key[0] == "devices":
            for one in filter(None, versions):
                of_brand[one.brand].add(key)
    found: defaultdict[int, set[Key]] = defaultdict(set)
    for number, key in _approved(base, of_brand):
        if key in differ:
            found[number].add(key)
    merged: list[tuple[list[int], set[Key]]] = []
    for number, keys in sorted(found.items()):
        same = [one for one in merged if not one[1].isdisjoint(keys)]
        merged = [one for one in merged if one not in same]
        numbers = [number, *(other for one in same for other in one[0])]
        merged.append((sorted(numbers), keys.union(*(one[1] for one in same))))
    return {f"change set {', '.join(map(str, numbers))}": frozenset(keys) for numbers, keys in merged}


def _approved(base: Release, of_brand: Mapping[str, Iterable[Key]]) -> Iterator[tuple[int, Key]]:
    """Yield the records of the change sets that were approved since all approved rows were published last."""
    approved = PendingChange.objects.filter(
        change_set__state=ChangeSetState.APPROVED,
        change_set__decided_at__gt=changes_since(base),
        kind__in=(*FACTS, "brand"),
    )
    columns: Any = approved.values_list("change_set_id", "kind", "record_id", "before", "after")
    for number, kind, record_id, before, after in columns:
        if kind == "brand":
            for facts in filter(None, (before, after)):
                yield from ((number, key) for key in of_brand.get(facts.get("name", ""), ()))
        else:
            yield number, (FACTS[kind][0], record_id)


def _group(key: Key) -> str:
    return key[0] if key[0] in REVISED or key[0] == "sources" else CATALOG


def _what(versions: Versions) -> str:
    old, new = versions
    if old is None:
        return "new"
    return "withdrawn" if new is None else "changed"


def _counted(keys: Collection[Key]) -> str:
    return "1 record" if len(keys) == 1 else f"{len(keys):,} records"
