"""How lists show the evidence of a row: how many sources, and how old the oldest reading is.

For every table whose rows have evidence in order. It needs no query of its own.
"""

import datetime
from collections.abc import Iterable
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count, F, IntegerField, Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from catalog.dates import day_words
from catalog.records import POINTER
from catalog.sources.models import Source
from catalog.tables.evidence import Evidence


class ShowsEvidence:
    """A list that shows the evidence of its rows.

    `evidence_link` is the table that links rows to their sources, `evidence_owner` leads from it to the row.
    """

    evidence_link: ClassVar[type[Evidence]]
    evidence_owner: ClassVar[str]

    def evidence_of_row(self) -> QuerySet[Any]:
        """Return the links of one row of an outer query."""
        return self.evidence_link._default_manager.filter(**{self.evidence_owner: OuterRef("pk")})

    def with_evidence(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Add `source_count` and `oldest_pull` to a query.

        `oldest_pull` is the oldest reading among the sources; null if none was ever read.
        """
        links = self.evidence_of_row().order_by().values(self.evidence_owner)
        pulls = links.exclude(source__basis=POINTER).annotate(day=Min("source__read_on")).values("day")
        count = Subquery(links.annotate(links=Count("pk")).values("links"), output_field=IntegerField())
        return rows.annotate(source_count=Coalesce(count, 0), oldest_pull=Subquery(pulls))

    @admin.display(description="Sources", ordering=F("oldest_pull").asc(nulls_first=True))
    def evidence_age(self, row: Any) -> str:
        """Return how many sources there are, and how long ago the oldest was read."""
        if not row.source_count:
            return "none"
        read = f"oldest read {age(row.oldest_pull)}" if row.oldest_pull else "never read"
        return f"{row.source_count}, {read}"


def age(day: datetime.date) -> str:
    """Return how long ago a day was."""
    days = (timezone.localdate() - day).days
    match days:
        case 0:
            return "today"
        case 1:
            return "yesterday"
    return f"{days} days ago"


def caption(source: Source) -> str:
    """Return the text that a form shows for a source: its title, and when it was read."""
    read = f"read {day_words(source.read_on)}, {age(source.read_on)}"
    return f"{source.title} · {'never read' if source.basis == POINTER else read}"


def captions(source_ids: Iterable[str]) -> dict[str, str]:
    """Return the texts that a form shows below each source. One query."""
    return {source.pk: caption(source) for source in Source.objects.filter(pk__in=set(source_ids))}
