"""Recording evidence."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from msgspec.structs import asdict

from catalog import records
from catalog.actions.writing import insert
from catalog.models import Source


@transaction.atomic
def record_sources(*, by: User, sources: Sequence[records.Source]) -> None:
    """Record pieces of evidence."""
    now = timezone.now()
    insert([Source(**asdict(source), created_at=now, created_by=by) for source in sources])


def record_source(*, by: User, source: records.Source) -> None:
    """Record one piece of evidence."""
    record_sources(by=by, sources=[source])
