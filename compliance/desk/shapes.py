"""The parts of the editor desk: sections of counts and of rows. Each is shown unchanged."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlencode

from django.db.models import Count, QuerySet, TextField, Value
from django.urls import NoReverseMatch, reverse

from catalog.editorial.models import Revision

Tone = Literal["danger", "warning", "info", "default"]

Counted = tuple[str, QuerySet[Any]]
"""The name of a count, and the rows that it counts."""

FEW = 5
"""How many rows a section shows."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A count, and the list that shows exactly those rows."""

    count: int
    what: str
    link: str | None = None
    tone: Tone = "default"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One thing by its name, with facts about it, and a time."""

    name: str
    says: str
    link: str | None = None
    at: datetime.datetime | datetime.date | None = None


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the desk. `calm` is its text if there is nothing to count; `note` is below everything."""

    title: str
    calm: str
    lines: tuple[Line, ...] = ()
    rows_title: str = ""
    rows: tuple[Row, ...] = ()
    note: str = ""

    @property
    def to_do(self) -> list[Line]:
        """The lines with a count above zero."""
        return [line for line in self.lines if line.count]


def counted(named: Iterable[Counted]) -> dict[str, int]:
    """Return how many rows each query has, by its name. One query; what has no rows is not in it."""
    first, *others = [
        rows.order_by().annotate(word=Value(word, TextField())).values_list("word").annotate(Count("pk"))
        for word, rows in named
    ]
    return dict(first.union(*others, all=True))


def address(name: str, *args: Any, **query: Any) -> str | None:
    """Return the address of a page of the admin with its filters; None if there is no such page."""
    try:
        found = reverse(name, args=args)
    except NoReverseMatch:
        return None
    return f"{found}?{urlencode(query)}" if query else found


def line(count: int, what: str, model: type[Revision], tone: Tone = "default", **query: str) -> Line:
    """Return a count that links to the list of exactly these rows."""
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
    return Line(count=count, what=what, link=address(name, **query), tone=tone)


def change_page(row: Revision) -> str | None:
    """Return the address of the page of one row."""
    return address(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", row.pk)
