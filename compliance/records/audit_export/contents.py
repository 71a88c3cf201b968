"""The content of an archive, read from the database row by row.

Called by `compliance.records.audit_export.actions` inside its transaction.
"""

import datetime
import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from django.db.models import Max, Min

from compliance.records.audit_export.layout import (
    ACCEPTED_CASES,
    CASES,
    RELEASES,
    VERDICTS,
    Period,
    ReleaseLine,
    VerdictLine,
    verdict_file,
)
from compliance.records.verdict_log.models import VerdictRecord
from rules.cases.reading import DIRECTORY
from rules.models import AcceptedCase, Release

ROWS_AT_ONCE = 2_000
FEW = 4
"""Releases in memory at once: each can be megabytes."""

_COLUMNS = [name for name in VerdictLine.__struct_fields__ if name != "question"]
_encode = msgspec.json.Encoder(order="deterministic").encode


class Verdicts(msgspec.Struct):
    """The written data: lines by day, verdicts by kind and value, and the digests that they name."""

    by_day: dict[str, int]
    counts: dict[str, int]
    releases: frozenset[str]


class MissingRelease(Exception):
    """Verdicts name a release that the ledger does not have."""


def write_verdicts(folder: Path, period: Period) -> Verdicts:
    """Write the verdicts of a period, one file for each day, in the order of their time."""
    (folder / VERDICTS).mkdir()
    by_day: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    releases: set[str] = set()
    for day, lines in itertools.groupby(_lines(period), key=lambda line: f"{line.generated:%Y-%m-%d}"):
        with (folder / verdict_file(day)).open("wb") as file:
            for line in lines:
                file.write(_encode(line) + b"\n")
                by_day[day] += 1
                counts[f"{line.kind}.{line.verdict}"] += 1
                releases.add(line.release_sha256)
    return Verdicts(dict(by_day), dict(sorted(counts.items())), frozenset(releases))


def write_releases(folder: Path, named: frozenset[str]) -> tuple[ReleaseLine, ...]:
    """Write the named releases, and all between them, exactly as they are in the ledger.

    Raises `MissingRelease`.
    """
    (folder / RELEASES).mkdir()
    ledger = Release.objects.filter(sha256__in=named)
    if missing := named - set(ledger.values_list("sha256", flat=True)):
        raise MissingRelease(f"verdicts of the period name releases that the ledger lacks: {sorted(missing)}")
    ends = ledger.aggregate(first=Min("sequence"), last=Max("sequence"))
    if ends["first"] is None:
        return ()
    lines = []
    rows = Release.objects.filter(sequence__range=(ends["first"], ends["last"])).order_by("sequence")
    for release in rows.iterator(chunk_size=FEW):
        line = ReleaseLine(
            sequence=release.sequence,
            ruleset_version=release.ruleset_version,
            sha256=release.sha256,
            predecessor=release.predecessor_id,
            published=release.published_at,
            note=release.note,
        )
        # No line end: the digest of the file is the digest of the release.
        (folder / line.file).write_bytes(release.document.encode())
        lines.append(line)
    return tuple(lines)


def write_cases(folder: Path) -> None:
    """Write the verdict cases of this program, and which of them may fail and why."""
    (folder / CASES).mkdir()
    for path in sorted(DIRECTORY.glob("*.yaml")):
        (folder / CASES / path.name).write_bytes(path.read_bytes())
    accepted = [
        {
            "name": case.name,
            "case_sha256": case.case_sha256,
            "outcome": case.outcome,
            "grants": case.grants,
            "reason": case.reason,
            "accepted": case.created_at,
            "accepted_by": case.created_by.get_username(),
            "agreed": case.agreed_at,
            "agreed_by": None if case.agreed_by is None else case.agreed_by.get_username(),
        }
        for case in AcceptedCase.objects.select_related("created_by", "agreed_by").order_by("name")
    ]
    (folder / ACCEPTED_CASES).write_bytes(_encode(accepted) + b"\n")


def _lines(period: Period) -> Iterator[VerdictLine]:
    since = datetime.datetime.combine(period.first, datetime.time(), datetime.UTC)
    until = datetime.datetime.combine(period.last, datetime.time(), datetime.UTC) + datetime.timedelta(days=1)
    rows = VerdictRecord.objects.filter(generated__gte=since, generated__lt=until)
    for row in rows.order_by("generated", "entry_id").iterator(chunk_size=ROWS_AT_ONCE):
        columns: dict[str, Any] = {name: getattr(row, name) for name in _COLUMNS}
        columns |= {"entry_id": row.entry_id.hex, "segment_ids": tuple(row.segment_ids)}
        yield VerdictLine(question=msgspec.Raw(_encode(row.question)), **columns)
