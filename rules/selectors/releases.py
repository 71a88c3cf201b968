"""The releases of the ledger as readers may know them: which there are, and what each says of itself.

Called for the datasets of the public pages and for the pages of releases.
"""

from datetime import datetime
from typing import NamedTuple

from rules.models import Release


class Entry(NamedTuple):
    """One release. `note` is the sentence that its publisher wrote for readers of the ledger."""

    sequence: int
    ruleset_version: str
    sha256: str
    note: str
    published_at: datetime


def after(sequence: int) -> list[Entry]:
    """Return the releases after a place of the ledger, the oldest first; all of them after 0."""
    rows = Release.objects.filter(sequence__gt=sequence).order_by("sequence")
    return [Entry(*row) for row in rows.values_list(*Entry._fields)]


def count() -> int:
    """Return how many releases the ledger holds."""
    return Release.objects.count()


def newest(most: int, *, skip: int = 0) -> list[Entry]:
    """Return the newest releases, after so many that are skipped."""
    rows = Release.objects.order_by("-sequence").values_list(*Entry._fields)
    return [Entry(*row) for row in rows[skip : skip + most]]


def of_version(version: str) -> Entry | None:
    """Return a release by its version; nothing where there is none."""
    row = Release.objects.filter(ruleset_version=version).values_list(*Entry._fields).first()
    return None if row is None else Entry(*row)
