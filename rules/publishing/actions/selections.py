"""Keeps what was ticked on the page that publishes, so that a choice of any size has a short address."""

import datetime
import json
from collections.abc import Collection

from django.db import transaction

from rules.publishing.models import Selection
from rules.releases.ledger import digest

KEPT = datetime.timedelta(days=90)
"""How long a selection is kept after someone ticked it last."""


@transaction.atomic
def keep_selection(names: Collection[str], *, now: datetime.datetime) -> Selection:
    """Keep a selection of units, and forget those that no one ticked for a long time."""
    found = sorted(set(names))
    key = digest(json.dumps(found))[:32]
    selection, _ = Selection.objects.update_or_create(pk=key, defaults={"names": found, "kept": now})
    Selection.objects.filter(kept__lt=now - KEPT).delete()
    return selection
