"""What the page of a step shows of each row, and what its button sends back of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import msgspec

from catalog.dates import day_words
from catalog.editorial.effects import NOT_MEASURED, Effect
from catalog.records import POINTER
from catalog.sources.evidence_columns import age
from catalog.sources.models import Source

What = Literal["new", "changed", "withdrawn", "back", "deleted"]
"""A new record, a changed one, one that ends, one that returns after its withdrawal, or a deletion."""


class PageRead(NamedTuple):
    """A page on which a record rests: its address, its title, and when it was read."""

    address: str
    title: str
    read: str


@dataclass(frozen=True)
class Statement:
    """What a step makes of one record.

    `before` and `after` are the record as a sentence, empty if it has none. `changes` are its fields: label,
    before, after. `subject` is the id of the record, if the row has several.
    """

    what: What
    before: str = ""
    after: str = ""
    changes: Sequence[tuple[str, str, str]] = ()
    pages: Sequence[PageRead] = ()
    subject: str = ""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One row: its key, its record, its state, what it says, and why it is impossible, if it is.

    `digest` is of all that a person reads here. `reason` is why the row was written. `taken` is whether its
    box is ticked.
    """

    pk: int
    record_id: str
    name: str
    state: str
    digest: str
    statements: Sequence[Statement] = ()
    reason: str = ""
    refusal: str = ""
    taken: bool = True
    effect: Effect = field(default=NOT_MEASURED)

    @property
    def seen(self) -> "Seen":
        """What the button sends back."""
        return Seen(self.pk, self.record_id, self.digest, self.effect.says, self.taken and not self.refusal)


class Seen(NamedTuple):
    """A row as a person saw it. `together`: its effect was shown together with those of the other ones."""

    pk: int
    record_id: str
    digest: str
    effect: str
    together: bool


def to_text(lines: Sequence[Line]) -> str:
    """Return what the button sends back of the rows that can be chosen."""
    return msgspec.json.encode([line.seen for line in lines if not line.refusal]).decode()


def from_text(text: str) -> list[Seen]:
    """Return what a page says that a person saw. Raises `msgspec.MsgspecError`."""
    return msgspec.json.decode(text, type=list[Seen])


def page_read(source: Source) -> PageRead:
    """Return a source as a page that a reviewer opens."""
    if source.basis == POINTER:
        return PageRead(source.url, source.title, "never read")
    # A copy is what was read, so a reviewer reads the copy too.
    address = source.read_url or source.url
    return PageRead(address, source.title, f"read on {day_words(source.read_on)}, {age(source.read_on)}")
