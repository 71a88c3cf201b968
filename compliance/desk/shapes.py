"""What the editor desk is made of: sections of counts and of rows. Each is shown as it is."""

import datetime
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlencode

from django.urls import NoReverseMatch, reverse

from catalog.editorial.models import Revision

Tone = Literal["danger", "warning", "info", "default"]

FEW = 5
"""So many rows are shown of what a section counts or recalls."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """How many of something there are, and the list that shows exactly those."""

    count: int
    what: str
    link: str | None = None
    tone: Tone = "default"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One thing by its name, with what is to be known about it, and when that was."""

    name: str
    says: str
    link: str | None = None
    at: datetime.datetime | datetime.date | None = None


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the desk. `calm` is what it says where there is nothing to count; `note` stands below all."""

    title: str
    calm: str
    lines: tuple[Line, ...] = ()
    rows_title: str = ""
    rows: tuple[Row, ...] = ()
    note: str = ""

    @property
    def to_do(self) -> list[Line]:
        """The lines that count something."""
        return [line for line in self.lines if line.count]


def address(name: str, *args: Any, **query: Any) -> str | None:
    """Return the address of a page of the admin with its filters; None where there is no such page."""
    try:
        found = reverse(name, args=args)
    except NoReverseMatch:
        return None
    return f"{found}?{urlencode(query)}" if query else found


def line(count: int, what: str, model: type[Revision], tone: Tone = "default", **query: str) -> Line:
    """Return a count that leads to the list of exactly these rows."""
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
    return Line(count=count, what=what, link=address(name, **query), tone=tone)


def change_page(row: Revision) -> str | None:
    """Return the address of the page of one row."""
    return address(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", row.pk)
