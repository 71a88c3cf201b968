"""What the editor desk is made of: sections of counts and of rows. They are shown, and know nothing else."""

import datetime
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlencode

from django.urls import NoReverseMatch, reverse

Tone = Literal["danger", "warning", "info", "default"]


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
