"""What the next release would say: the editors' tables as the content of a document.

Of rules, what is approved; of recalls, what is approved and active; everything else as it stands. The same
rows always give the same content, and so the same bytes: each list is ordered by identifier here, not by the
database, whose collation differs between machines. Reads only. Called by the publishing action.
"""

from operator import attrgetter
from typing import Any

from catalog.models import Airline, Country, Device, Jurisdiction, Source
from catalog.models.approval import Approval, State
from catalog.models.recorded import RecordQuerySet
from recalls.models import Recall, Status
from rules.engine.document import Content
from rules.models import Rule


def compile_content() -> Content:
    """Return what a release published now would hold. Whether it may be is for `problems` to say."""
    return Content(
        countries=_ordered(Country.objects.all(), "code"),
        jurisdictions=_ordered(Jurisdiction.objects.all(), "code"),
        sources=_ordered(Source.objects.all(), "id"),
        airlines=_ordered(Airline.objects.all(), "airline"),
        devices=_ordered(Device.objects.all(), "model_id"),
        rules=_ordered(_approved(Rule), "rule_id"),
        recalls=_ordered(_approved(Recall, status=Status.ACTIVE), "recall_id"),
    )


def _approved(model: type[Approval], **also: Any) -> RecordQuerySet:
    return model.objects.filter(state=State.APPROVED, **also)


def _ordered(rows: RecordQuerySet, identifier: str) -> tuple[Any, ...]:
    return tuple(sorted(rows.records(), key=attrgetter(identifier)))
