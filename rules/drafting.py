"""What the next release would say: the editors' tables as the content of a document.

Of rules, recalls and disagreements, the newest agreed revision of each, unless it withdraws; everything else
as it stands, save what a roll-back holds back. The same rows always give the same content, and so the same
bytes: each list is ordered by identifier here, not by the database, whose collation differs between machines.
Reads only.
Called by the publishing action and by the measurements of what drafts would change.
"""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import msgspec
from django.db.models import prefetch_related_objects

from catalog.models import Airline, Country, Device, Jurisdiction, Source
from catalog.models.recorded import Recorded, RecordQuerySet
from recalls.models import Recall
from rules.comparison import ID_FIELD
from rules.engine.document import Content
from rules.models import Disagreement, HeldBack, Rule


def compile_content() -> Content:
    """Return what a release published now would hold. Whether it may be is for `problems` to say."""
    held = set(HeldBack.objects.values_list("kind", "record_id"))

    def of(kind: str, rows: RecordQuerySet) -> tuple[Any, ...]:
        key = attrgetter(ID_FIELD[kind])
        return tuple(sorted((one for one in rows.records() if (kind, key(one)) not in held), key=key))

    airlines, devices = of("airlines", Airline.objects.all()), of("devices", Device.objects.all())
    rules = of("rules", Rule.objects.to_publish())
    recalls = of("recalls", Recall.objects.to_publish())
    disagreements = of("disagreements", Disagreement.objects.to_publish())
    # Evidence says nothing by itself: it comes along with whatever rests on it.
    resting = (*airlines, *devices, *rules, *recalls, *disagreements)
    cited = {source for record in resting for source in record.sources}
    cited |= {change.source for airline in airlines for change in airline.changes}
    cited |= {certificate.source for device in devices for certificate in device.certificates}
    held -= {("sources", source) for source in cited}
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


def content_with(content: Content, revisions: Sequence[Rule | Recall]) -> Content:
    """Return content that says of some records what these revisions say, and of all others what it says.

    What the revisions refer to and the content does not hold comes from the tables.
    """
    by_revision = sorted(revisions, key=attrgetter("revision"))
    for model in (Rule, Recall):
        prefetch_related_objects([row for row in by_revision if isinstance(row, model)], *model.record_parts)
    rules = {rule.rule_id: rule for rule in content.rules}
    recalls = {recall.recall_id: recall for recall in content.recalls}
    for row in by_revision:
        records: dict[str, Any] = rules if isinstance(row, Rule) else recalls
        if row.withdraws:
            records.pop(row.stable_id, None)
        else:
            records[row.stable_id] = row.to_record()
    new_rules, new_recalls = _by_id(rules), _by_id(recalls)
    airlines = _with(content.airlines, "airline", Airline, (rule.airline for rule in new_rules))
    devices = _with(content.devices, "model_id", Device, (recall.model_id for recall in new_recalls))
    places = (row.jurisdiction for row in (*new_rules, *new_recalls))
    cited = (name for row in (*new_rules, *new_recalls, *airlines, *devices) for name in row.sources)
    changes = (change.source for airline in airlines for change in airline.changes)
    certified = (certificate.source for device in devices for certificate in device.certificates)
    return msgspec.structs.replace(
        content,
        jurisdictions=_with(content.jurisdictions, "code", Jurisdiction, places),
        airlines=airlines,
        devices=devices,
        sources=_with(content.sources, "id", Source, (*cited, *changes, *certified)),
        rules=new_rules,
        recalls=new_recalls,
    )


def _by_id(records: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(records[name] for name in sorted(records))


def _with(
    records: tuple[Any, ...], identifier: str, model: type[Recorded], wanted: Iterable[str | None]
) -> tuple[Any, ...]:
    """Return records with those that are wanted and not among them yet."""
    missing = {name for name in wanted if name is not None} - {getattr(row, identifier) for row in records}
    if not missing:
        return records
    return tuple(sorted([*records, *model.objects.identified(missing).records()], key=attrgetter(identifier)))
