"""Records that are changed in place: the tables that keep them, and what releases last said of them.

Reads only.
"""

import datetime
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from django.db.models import Min

from catalog.models import Airline, AirlinePolicy, Country, Device, Jurisdiction
from catalog.tables.history import events_of
from rules.engine.document import ID_FIELD, Content, UnreadableDocument
from rules.engine.facts import Source
from rules.impact.survey import Kind
from rules.releases.models import Release

KEPT: dict[Kind, tuple[Any, ...]] = {
    "countries": (Country,),
    "jurisdictions": (Jurisdiction,),
    "airlines": (Airline, AirlinePolicy),
    "devices": (Device,),
}
"""The kinds of records that are changed in place, and the tables that keep one by its id."""

LATE = datetime.timedelta(minutes=1)
"""How much earlier than a release a change can be dated that it does not contain.

Its transaction was still open, or the clock of its machine was behind.
"""


class LastSaid(NamedTuple):
    """A release, what it says of a record, and the read sources that it has, by id."""

    release: Release
    record: Any
    sources: Mapping[str, Source]


def last_said(
    kind: Kind, record_ids: Collection[str], *, base: Release, content: Content
) -> dict[str, LastSaid]:
    """Return for each record the last release that contains it; a record that none contains is missing.

    That is the base, unless the record was held back or deleted: then it is an earlier release. `content` is
    that of the base. Reads only releases since the first of these records was written.
    """
    found = _said_in(base, content, kind, record_ids)
    events = events_of(KEPT[kind][0]).filter(pgh_obj_id__in=set(record_ids) - found.keys())
    older = events.filter(created_at__lt=base.published_at).order_by().values("pgh_obj_id")
    first = dict(older.annotate(first=Min("created_at")).values_list("pgh_obj_id", "first"))
    if not first:
        return found
    missing = set(first)
    earlier = Release.objects.filter(sequence__lt=base.sequence, published_at__gt=min(first.values()) - LATE)
    for release in earlier.order_by("-sequence").iterator(chunk_size=1):
        if not missing:
            break
        try:
            then = release.read().content
        except UnreadableDocument:
            # An older one is looked for. More changes count since that one, never fewer.
            continue
        found |= _said_in(release, then, kind, missing)
        missing -= found.keys()
    return found


def _said_in(
    release: Release, content: Content, kind: Kind, record_ids: Collection[str]
) -> dict[str, LastSaid]:
    sources = {source.id: source for source in content.sources if source.citable}
    records = {getattr(one, ID_FIELD[kind]): one for one in getattr(content, kind)}
    return {name: LastSaid(release, records[name], sources) for name in record_ids if name in records}
