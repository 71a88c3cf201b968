"""Readings: what a change rests on, when that was read, and by whom.

What makes answers less strict rests on evidence that was read after the evidence that it replaces, by another
person than its author. Documents keep the day of a reading, the desk keeps its instant as well: so a mistake
can be corrected on the day on which it was made.

A plan was approved on what was current then. A release that meanwhile brings the very reading on which the
plan rests, and leaves the record as it was, does not make that reading an old one. Reads only.
"""

import datetime
import operator
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from catalog.dates import moment_words
from catalog.models import Source as SourceRow
from catalog.records import POINTER
from catalog.tables.evidence import source_ids
from catalog.tables.history import events_of
from rules.engine.document import ID_FIELD, Content
from rules.engine.facts import Source
from rules.impact.kept import LastSaid
from rules.impact.measurements import Proposal
from rules.impact.survey import Kind
from rules.releases.models import Release


class Side:
    """A release, with the sources that were read and the records of what it says, both by id."""

    def __init__(self, release: Release, content: Content) -> None:
        self.release = release
        self.content = content
        self.sources = {source.id: source for source in content.sources if source.citable}
        self._records: dict[Kind, dict[str, Any]] = {}

    def records(self, kind: Kind) -> dict[str, Any]:
        """Return the records of a kind, by id."""
        if kind not in self._records:
            self._records[kind] = {getattr(one, ID_FIELD[kind]): one for one in getattr(self.content, kind)}
        return self._records[kind]


class Reading(NamedTuple):
    """When a page was read, and when that was recorded."""

    read_on: datetime.date
    recorded_at: datetime.datetime


class AsPlanned(NamedTuple):
    """What was current when a plan was made, and the readings of the pages on which the plan rests, by id."""

    side: Side
    readings: Mapping[str, Reading]


class _Replaced(NamedTuple):
    """Evidence that is replaced, as a release has it."""

    source: Source
    release: Release


class Readings:
    """What each side of a proposal rests on; `planned` if it is a plan that was made earlier."""

    def __init__(self, proposal: Proposal, planned: AsPlanned | None = None) -> None:
        self.before = proposal.base_content
        self._base = Side(proposal.base, self.before)
        self._planned = planned
        self._after = Side(proposal.base, proposal.content)
        self._instants: dict[tuple[str, int], datetime.datetime] = {}

    def lacks(self, kind: Kind, row: Any, writers: Collection[int]) -> Iterator[str]:
        """Say what the evidence of a revision lacks, if anything. `writers` are its authors."""
        if row is None:
            return
        yield from self._lacks(source_ids(row), [*self._replaced_by(kind, row)], writers)

    def lacks_of_record(
        self,
        kind: Kind,
        record_id: str,
        writers: Collection[int],
        known: LastSaid | None,
        written_at: datetime.datetime | None,
    ) -> Iterator[str]:
        """Say what the evidence of a changed record of the catalog lacks, if anything.

        It replaces what the record rested on in the last release that contains it: `known`, None if there is
        none. A deleted record rests on what it rested on before, if that was read. A place names no sources:
        it rests on the pages of its authority and of the regions that it leaves and enters.

        One person approves such a change, so another one reads its evidence after it was written:
        `written_at`, None if no row tells.
        """
        before, after = known.record if known else None, self._after.records(kind).get(record_id)
        names = _sources(after or before)
        replaced = self._replaced(kind, record_id, known, _sources(before), names)
        if after is None and not replaced:
            # What rested on nothing is gone, and no page can be named for it any more.
            return
        if kind in ("countries", "jurisdictions"):
            places = {record_id} | {
                code for record in (before, after) for code in getattr(record, "member_of", ())
            }
            in_base, names = (_about(one.content, places) for one in (self._base, self._after))
            yield from self._lacks(names, _cited(self._base, in_base), writers, written_at)
        else:
            if known and after is not None and not replaced:
                # What was read before it was cited here says nothing of this record.
                replaced = self._replaced(kind, record_id, known, names, names)
            yield from self._lacks(names, replaced, writers, written_at)

    def _lacks(
        self,
        names: Collection[str],
        replaced: Sequence[_Replaced],
        writers: Collection[int],
        written_at: datetime.datetime | None = None,
    ) -> Iterator[str]:
        """Say what some sources lack to replace some evidence."""
        now = [self._read[name] for name in names if name in self._read]
        later = now
        if replaced:
            read_on = max(one.source.read_on for one in replaced)
            recorded_at, release = max(
                ((self._recorded_at(one), one.release) for one in replaced), key=operator.itemgetter(0)
            )
            later = [one for one in now if one.read_on >= read_on and one.recorded_at > recorded_at]
        if not now and not replaced:
            yield "nothing that it rests on was ever read; record the page where this was read as its source"
        elif not later:
            last = max((one.read_on for one in now), default=None)
            was = "was never read" if last is None else f"was last read on {last}"
            yield (
                f"its evidence {was}; read it again after {moment_words(recorded_at, seconds=True)}, "
                f"the last reading of the evidence in release {release.ruleset_version}"
            )
        elif all(one.recorded_by_id in writers for one in later):
            yield "its own author recorded the reading of its evidence; another person must read that again"
        elif written_at and all(
            one.recorded_by_id in writers or one.recorded_at < written_at for one in later
        ):
            yield (
                "no other person read its evidence since it was written; read it again after "
                f"{moment_words(written_at, seconds=True)}"
            )

    def _replaced_by(self, kind: Kind, row: Any) -> Iterator[_Replaced]:
        """Yield the evidence that a revision replaces: that of its record, or else of its issuer."""
        records = self._base.records(kind)
        current = [records[row.stable_id]] if row.stable_id in records else []
        if not current and kind == "rules":
            issuer = (row.airline_id, row.airline_id or row.jurisdiction)
            current = [
                one for one in records.values() if (one.airline, one.airline or one.jurisdiction) == issuer
            ]
        for one in current:
            yield from self._replaced(kind, getattr(one, ID_FIELD[kind]), None, one.sources, source_ids(row))

    def _replaced(
        self,
        kind: Kind,
        record_id: str,
        known: LastSaid | None,
        rested_on: Collection[str],
        rests_on: Collection[str],
    ) -> list[_Replaced]:
        """Return what a record rested on in the base, or in the release `known` that contained it last.

        A plan whose record is the same in the base as then, and that rests on the very reading that the base
        has of a page, was shown what the record rested on when the plan was made.
        """
        if known is not None and known.release != self._base.release:
            return _cited(known, rested_on)
        replaced = _cited(self._base, rested_on)
        if self._planned is None:
            return replaced
        side, readings = self._planned
        if self._base.records(kind).get(record_id) != side.records(kind).get(record_id):
            return replaced
        own = {
            one.source.id
            for one in replaced
            if one.source.id in rests_on
            and readings.get(one.source.id) == Reading(one.source.read_on, self._recorded_at(one))
        }
        return [*(one for one in replaced if one.source.id not in own), *_cited(side, own)]

    def _recorded_at(self, replaced: _Replaced) -> datetime.datetime:
        """Return when a release's last reading of a source was recorded.

        Of several readings on one day, it is the last one before the release was published.
        """
        source, release = replaced
        key = (source.id, release.pk)
        if key not in self._instants:
            self._instants[key] = _recorded_before(release, source)
        return self._instants[key]

    @cached_property
    def _read(self) -> dict[str, SourceRow]:
        """The rows of all sources that were read, by id."""
        rows = SourceRow.objects.exclude(basis=POINTER)
        return {row.pk: row for row in rows.only("read_on", "recorded_at", "recorded_by")}


def _cited(said: Side | LastSaid, names: Iterable[str]) -> list[_Replaced]:
    """Return those of some sources that a release has."""
    return [_Replaced(said.sources[name], said.release) for name in names if name in said.sources]


def _recorded_before(release: Release, source: Source) -> datetime.datetime:
    events = events_of(SourceRow).filter(pgh_obj_id=source.id, read_on=source.read_on)
    instants = sorted(events.values_list("recorded_at", flat=True))
    published = release.published_at
    known = [instant for instant in instants if instant <= published]
    return known[-1] if known else instants[0] if instants else published


def _sources(record: Any) -> set[str]:
    """Return the sources that a model or an airline names, also for its certificates; none for None."""
    certificates = getattr(record, "certificates", ())
    return {*getattr(record, "sources", ()), *(one.source for one in certificates)}


def _about(content: Content, places: Collection[str]) -> set[str]:
    """Return the sources in some content whose authority is that of one of some places."""
    return {source.id for source in content.sources if source.jurisdiction in places}
