"""The full history of a table: a row of events for every row that was inserted, changed or deleted.

Triggers write the events, so nothing passes them by: neither `queryset.update` nor raw SQL. They need no
middleware; where a request or a verb opens a `pghistory.context`, its events point to it.
`catalog.tables.history` turns events into readable changes.
"""

from typing import TypeVar

import pghistory
import pgtrigger
from django.db import models

AnyModel = TypeVar("AnyModel", bound=type[models.Model])


def tracked(model: AnyModel) -> AnyModel:
    """Keep the full history of a model, as `<Model>Event` beside it and `events` of its rows."""
    # Statements of many rows cost little more than of one. Updates, however, then find their rows by primary
    # key, and would lose one whose key changes; so they go row by row where the key is not a mere number.
    numbered = isinstance(model._meta.pk, models.AutoField)
    track = pghistory.track(
        pghistory.InsertEvent(level=pgtrigger.Statement),
        pghistory.UpdateEvent(level=pgtrigger.Statement if numbered else pgtrigger.Row),
        pghistory.DeleteEvent(level=pgtrigger.Statement),
        append_only=True,
        meta={"ordering": ["pgh_id"], "default_permissions": ("view",)},
    )
    return track(model)
