"""The full history of a table: a row of events for every row that was inserted, changed or deleted.

Triggers write the events, so they catch every change, also by `queryset.update` and raw SQL. They need no
middleware; if a request or an action opens a `pghistory.context`, its events point to it.
`catalog.tables.history` turns events into readable changes.
"""

from typing import TypeVar

import pghistory
import pgtrigger
from django.db import models

AnyModel = TypeVar("AnyModel", bound=type[models.Model])


def tracked(model: AnyModel) -> AnyModel:
    """Keep the full history of a model, as a separate model `<Model>Event` and as `events` of its rows."""
    # Statements of many rows cost little more than of one. But then updates find their rows by primary key,
    # and would lose a row whose key changes; so they go row by row if the key is not a mere number.
    numbered = isinstance(model._meta.pk, models.AutoField)
    track = pghistory.track(
        pghistory.InsertEvent(level=pgtrigger.Statement),
        pghistory.UpdateEvent(level=pgtrigger.Statement if numbered else pgtrigger.Row),
        pghistory.DeleteEvent(level=pgtrigger.Statement),
        append_only=True,
        meta={"ordering": ["pgh_id"], "default_permissions": ("view",)},
    )
    return track(model)
