"""Whether a release contains what an approved change set wrote. Reads only."""

from catalog.editorial.pending.facts import with_facts
from catalog.editorial.pending.models import ChangeSet, PendingChange
from rules.engine.document import ID_FIELD, Content
from rules.next_release import FACTS


def is_published(change_set: ChangeSet, content: Content) -> bool:
    """Return whether some content says anything that a change set wrote."""
    return any(_says(content, change) for change in change_set.changes.all())


def is_in_releases(change_set: ChangeSet) -> bool:
    """Return whether what a change set wrote goes out only with releases. Facts of airports do not wait."""
    return not change_set.changes.exclude(kind__in=(*FACTS, "brand")).exists()


def _says(content: Content, change: PendingChange) -> bool:
    if change.kind == "brand":
        return any(one.brand == change.after.get("name") for one in content.devices)
    if change.kind not in FACTS:
        return True
    kind, record_type = FACTS[change.kind]
    records = (one for one in getattr(content, kind) if getattr(one, ID_FIELD[kind]) == change.record_id)
    record = next(records, None)
    if record is None or not change.after:
        return record is None and not change.after
    return bool(record == with_facts(record_type, record, change.after))
