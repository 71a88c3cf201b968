"""The audit log in statements about releases: each names the entries that were written since the one before.

A piece is the ids of its entries, as ranges, and one digest of all of them. Ids may be missing in between: an
action that was rolled back has used its ids up. What another action writes while a release is being made may
be in no piece.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from catalog.models import AuditEntry

FIELDS = ("id", "done_at", "done_by_id", "verb", "kind", "subject", "revision", "reason", "details")
CHUNK = 2_000
NOTHING: dict[str, Any] = {"up_to": 0, "ids": [], "sha256": hashlib.sha256().hexdigest()}
"""The piece of a release before which nothing was written."""


def piece_after(before: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the piece of all entries that this transaction sees after an earlier piece."""
    last = 0 if before is None else int(before["up_to"])
    ranges: list[list[int]] = []
    digest = hashlib.sha256()
    for line in _lines(AuditEntry.objects.filter(pk__gt=last)):
        digest.update(_bytes(line))
        if ranges and ranges[-1][1] == line[0] - 1:
            ranges[-1][1] = line[0]
        else:
            ranges.append([line[0], line[0]])
    return {"up_to": ranges[-1][1] if ranges else last, "ids": ranges, "sha256": digest.hexdigest()}


def problem_of(piece: Mapping[str, Any]) -> str | None:
    """Return what has happened to the entries of a piece; None if all of them are as they were."""
    ranges = [(int(first), int(last)) for first, last in piece["ids"]]
    if not ranges:
        return None
    digest, found = hashlib.sha256(), 0
    for line in _within(ranges):
        digest.update(_bytes(line))
        found += 1
    missing = sum(last - first + 1 for first, last in ranges) - found
    if missing:
        return (
            f"{missing} entries of the audit log are missing, of those that were there when it was published"
        )
    if digest.hexdigest() != piece["sha256"]:
        return "entries of the audit log were changed since it was published"
    return None


def _within(ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[Any, ...]]:
    spans = list(ranges)
    position = 0
    for line in _lines(AuditEntry.objects.filter(pk__range=(spans[0][0], spans[-1][1]))):
        while spans[position][1] < line[0]:
            position += 1
        if spans[position][0] <= line[0]:
            yield line


def _lines(entries: Any) -> Iterator[tuple[Any, ...]]:
    rows: Iterator[tuple[Any, ...]] = entries.order_by("pk").values_list(*FIELDS).iterator(chunk_size=CHUNK)
    return rows


def _bytes(line: tuple[Any, ...]) -> bytes:
    key, done_at, *rest = line
    return json.dumps([key, done_at.isoformat(), *rest], sort_keys=True).encode() + b"\n"
