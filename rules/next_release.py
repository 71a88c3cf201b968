"""The content of the next release: the editors' tables as the content of a document.

For rules, recalls and disagreements it takes the newest approved revision of each, unless that one withdraws
it. Everything else is taken as it is, except what a roll-back holds back. The same rows always give the same
content, and so the same bytes: lists are ordered by identifier here, not by the database, whose collation
differs between machines. Reads only. Called by the publishing action and by the measurements of what drafts
would change.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import msgspec
from django.db.models import Model, prefetch_related_objects

from catalog import records
from catalog.editorial.pending.facts import with_facts
from catalog.editorial.pending.models import PendingChange
from catalog.models import Airline, Country, Device, Jurisdiction, Source
from catalog.tables.recorded import Recorded, RecordQuerySet
from recalls.editing.models import Recall
from rules.disagreements.models import Disagreement
from rules.editing.models import Rule
from rules.engine import facts
from rules.engine.document import ID_FIELD, Content
from rules.releases.models import HeldBack

REVISED: Mapping[str, type[Rule | Recall | Disagreement]] = {
    "rules": Rule,
    "recalls": Recall,
    "disagreements": Disagreement,
}
"""The kinds of records that are written as revisions; all others change in place."""

FACTS: Mapping[str, tuple[str, type[records.Record]]] = {
    "device": ("devices", records.Device),
    "airline": ("airlines", records.Airline),
    "jurisdiction": ("jurisdictions", records.Jurisdiction),
}
"""The kinds of a change set whose records are in a release, by their names in a document, and their types."""


def compile_content() -> Content:
    """Return what a release published now would contain. `problems` says whether it may be published."""
    held_back = set(HeldBack.objects.values_list("kind", "record_id"))

    def of(kind: str, rows: RecordQuerySet) -> tuple[Any, ...]:
        key = attrgetter(ID_FIELD[kind])
        return tuple(
            sorted((one for one in rows.all_records() if (kind, key(one)) not in held_back), key=key)
        )

    airlines, devices = of("airlines", Airline.objects.all()), of("devices", Device.objects.all())
    rules = of("rules", Rule.objects.to_publish())
    recalls = of("recalls", Recall.objects.to_publish())
    disagreements = of("disagreements", Disagreement.objects.to_publish())
    # Evidence says nothing alone: it is included if something rests on it.
    resting = (*airlines, *devices, *rules, *recalls, *disagreements)
    cited = {source for record in resting for source in record.sources}
    cited |= {change.source for airline in airlines for change in airline.changes}
    cited |= {certificate.source for device in devices for certificate in device.certificates}
    held_back -= {("sources", source) for source in cited}
    return Content(
        countries=of("countries", Country.objects.all()),
        jurisdictions=of("jurisdictions", Jurisdiction.objects.all()),
        sources=of("sources", Source.objects.all()),
        airlines=airlines,
        devices=devices,
        rules=rules,
        recalls=recalls,
        disagreements=disagreements,
    )


def content_with(content: Content, revisions: Sequence[Rule | Recall | Disagreement]) -> Content:
    """Return content in which some records are replaced by these revisions.

    What the revisions refer to and the content lacks comes from the tables.
    """
    revised = {kind: _revised(kind, content, model, revisions) for kind, model in REVISED.items()}
    return _with_references(msgspec.structs.replace(content, **revised))


def content_with_records(
    content: Content, *, rules: Sequence[facts.Rule], sources: Sequence[records.Source]
) -> Content:
    """Return content in which rules are replaced by these, which are in no table yet, with new sources."""
    written = {rule.rule_id: rule for rule in (*content.rules, *rules)}
    known = {source.id: source for source in (*content.sources, *sources)}
    changed = msgspec.structs.replace(
        content,
        rules=tuple(written[name] for name in sorted(written)),
        sources=tuple(known[name] for name in sorted(known)),
    )
    return _with_references(changed)


def content_with_facts(content: Content, changes: Iterable[PendingChange]) -> Content:
    """Return content in which the changes of a change set are written.

    A brand is in a release by its name in each of its models. Facts of airports are in none.
    """
    of_kind: defaultdict[str, list[PendingChange]] = defaultdict(list)
    for change in changes:
        of_kind[change.kind].append(change)
    written = {
        kind: _written(kind, getattr(content, kind), of_kind[name], record_type)
        for name, (kind, record_type) in FACTS.items()
    }
    written["devices"] = _renamed(written["devices"], of_kind["brand"])
    return _with_references(msgspec.structs.replace(content, **written))


def _written(
    kind: str, rows: Iterable[Any], changes: Iterable[PendingChange], record_type: type[records.Record]
) -> tuple[Any, ...]:
    """Return the records of one kind with some changes in them."""
    found = {getattr(one, ID_FIELD[kind]): one for one in rows}
    for change in changes:
        before = found.pop(change.record_id, None)
        if change.after:
            found[change.record_id] = with_facts(record_type, before, change.after)
    return tuple(found[name] for name in sorted(found))


def _renamed(devices: tuple[Any, ...], brands: Iterable[PendingChange]) -> tuple[Any, ...]:
    """Return models with the names that their brands get."""
    names = {one.before["name"]: one.after["name"] for one in brands if one.before and one.after}
    return tuple(msgspec.structs.replace(one, brand=names.get(one.brand, one.brand)) for one in devices)


def _revised(
    kind: str, content: Content, model: type[Rule | Recall | Disagreement], revisions: Sequence[Model]
) -> tuple[Any, ...]:
    """Return the records of one kind: the newest of these revisions of each, otherwise the one in content."""
    rows = sorted((row for row in revisions if isinstance(row, model)), key=attrgetter("revision"))
    prefetch_related_objects(rows, *model.record_parts)
    newest = {row.stable_id: row for row in rows}
    kept = {getattr(one, ID_FIELD[kind]): one for one in getattr(content, kind)}
    drafted = {name: row.to_record() for name, row in newest.items() if not row.withdraws}
    records = {name: one for name, one in kept.items() if name not in newest} | drafted
    return tuple(records[name] for name in sorted(records))


def _with_references(content: Content) -> Content:
    """Return content with those rows that its rules, recalls and disagreements name and it lacks."""
    naming: tuple[Any, ...] = (*content.rules, *(one.about for one in content.disagreements))
    carriers = (one.airline for one in naming)
    airlines = _with(content.airlines, "airline", Airline, carriers)
    devices = _with(content.devices, "model_id", Device, (recall.model_id for recall in content.recalls))
    places = (one.jurisdiction for one in (*naming, *content.recalls))
    citing: tuple[Any, ...] = (*content.rules, *content.recalls, *content.disagreements, *airlines, *devices)
    cited = (name for row in citing for name in row.sources)
    changes = (change.source for airline in airlines for change in airline.changes)
    certified = (certificate.source for device in devices for certificate in device.certificates)
    return msgspec.structs.replace(
        content,
        jurisdictions=_with(content.jurisdictions, "code", Jurisdiction, places),
        airlines=airlines,
        devices=devices,
        sources=_with(content.sources, "id", Source, (*cited, *changes, *certified)),
    )


def _with(
    records: tuple[Any, ...], identifier: str, model: type[Recorded], wanted: Iterable[str | None]
) -> tuple[Any, ...]:
    """Return records together with the wanted ones that are missing."""
    missing = {name for name in wanted if name is not None} - {getattr(row, identifier) for row in records}
    if not missing:
        return records
    return tuple(sorted([*records, *model.objects.identified(missing).records()], key=attrgetter(identifier)))
