"""The second pair of eyes, for rules and recalls alike."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.errors import NotRecorded, OwnWork, WrongState
from catalog.models.approval import Approval, State


@transaction.atomic
def approve(model: type[Approval], *, by: User, ids: Sequence[str]) -> None:
    """Approve drafts. Raises `NotRecorded`, `WrongState` or `OwnWork`, and approves none then."""
    rows = {row.pk: row for row in model.objects.select_for_update().filter(pk__in=ids)}
    for name in ids:
        if name not in rows:
            raise NotRecorded(name, f"there is no such {model._meta.verbose_name}")
        if rows[name].state != State.DRAFT:
            raise WrongState(name, "is approved already")
        if rows[name].created_by_id == by.pk:
            raise OwnWork(name, "nobody approves their own work")
    model.objects.filter(pk__in=ids).update(state=State.APPROVED, approved_at=timezone.now(), approved_by=by)
