"""Releases of the drawn test world in the ledger, without the editors' tables: content in, release out."""

import datetime
from typing import Any

from catalog.editorial.workflow import EditorAction
from catalog.free_text import writable
from rules.engine.document import Content, ReleaseDocument
from rules.models import Release
from rules.publishing.actions.appending import append, next_version
from rules.releases.ledger import canonical_text, digest
from tests.support import world
from tests.support.factories import a_user

FIRST = datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)


def world_content(**changes: Any) -> Content:
    """Return the drawn world as content, with some of its lists replaced."""
    lists: dict[str, Any] = {
        "countries": world.COUNTRIES,
        "jurisdictions": world.JURISDICTIONS,
        "sources": world.SOURCES,
        "airlines": world.AIRLINES,
        "devices": world.DEVICES,
        "rules": world.RULES,
        "recalls": world.RECALLS,
    }
    return Content(**{name: tuple(rows) for name, rows in (lists | changes).items()})


def publish(content: Content, *, now: datetime.datetime = FIRST, note: str = "News.") -> Release:
    """Append a release to the ledger."""
    before = Release.objects.current()
    version = next_version(before, now)
    document = ReleaseDocument(
        ruleset_version=version, predecessor=None if before is None else before.sha256, content=content
    )
    return append(
        by=a_user("publisher"),
        now=now,
        before=before,
        version=version,
        text=canonical_text(document),
        content_sha256=digest(canonical_text(content)),
        note=note,
        action=EditorAction.PUBLISH,
        # The log takes no control characters; an old release may have some in its note.
        reason=writable(note),
        details={},
    )
