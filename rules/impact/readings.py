"""Readings: what a change rests on, when that was read, and by whom.

What makes answers less strict rests on evidence that was read after the evidence that it replaces, by another
person than its author. Documents keep the day of a reading, the desk keeps its instant as well: so a mistake
can be corrected on the day on which it was made. Reads only.
"""

import datetime
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

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


class Readings:
    """What each side of a proposal rests on."""

    def __init__(self, proposal: Proposal) -> None:
        before = self.before = proposal.base_content
        self._base = proposal.base
        self._before = {source.id: source for source in before.sources if source.citable}
        self._rules = {rule.rule_id: rule for rule in before.rules}
        self._recalls = {recall.recall_id: recall for recall in before.recalls}
        self._contents = (before, proposal.content)
        self._kept: dict[Kind, dict[str, Any]] = {}
        self._instants: dict[tuple[str, int], datetime.datetime] = {}

    def lacks(self, kind: Kind, row: Any, writers: Collection[int]) -> Iterator[str]:
        """Say what the evidence of a revision lacks, if anything. `writers` are its authors."""
        if row is None:
            return
        replaced = self._sources_in_base(self._rested_on(kind, row))
        yield from self._lacks(source_ids(row), replaced, writers, self._base)

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
        release = known.release if known else self._base
        before, after = known.record if known else None, self._after(kind).get(record_id)
        rested_on = (
            [known.sources[name] for name in _sources(before) if name in known.sources] if known else []
        )
        if after is None and not rested_on:
            # What rested on nothing is gone, and no page can be named for it any more.
            return
        if kind in ("countries", "jurisdictions"):
            places = {record_id} | {
                code for record in (before, after) for code in getattr(record, "member_of", ())
            }
            in_base, names = (_about(content, places) for content in self._contents)
            yield from self._lacks(names, self._sources_in_base(in_base), writers, self._base, written_at)
        else:
            if known and after is not None and not rested_on:
                # What was read before it was cited here says nothing of this record.
                rested_on = self._sources_in_base(_sources(after))
            yield from self._lacks(_sources(after or before), rested_on, writers, release, written_at)

    def _lacks(
        self,
        names: Collection[str],
        replaced: Sequence[Source],
        writers: Collection[int],
        release: Release,
        written_at: datetime.datetime | None = None,
    ) -> Iterator[str]:
        """Say what some sources lack to replace those that something rested on in a release."""
        now = [self._read[name] for name in names if name in self._read]
        later = now
        if replaced:
            read_on = max(source.read_on for source in replaced)
            recorded_at = self._recorded_at(replaced, release)
            later = [one for one in now if one.read_on >= read_on and one.recorded_at > recorded_at]
        if not now and not replaced:
            yield "nothing that it rests on was ever read; record the page where this was read as its source"
        elif not later:
            last = max((one.read_on for one in now), default=None)
            was = "was never read" if last is None else f"was last read on {last}"
            yield (
                f"its evidence {was}; read it again after {recorded_at:%Y-%m-%d %H:%M:%S} UTC, "
                f"the last reading of the evidence in release {release.ruleset_version}"
            )
        elif all(one.recorded_by_id in writers for one in later):
            yield "its own author recorded the reading of its evidence; another person must read that again"
        elif written_at and all(
            one.recorded_by_id in writers or one.recorded_at < written_at for one in later
        ):
            yield (
                "no other person read its evidence since it was written; read it again after "
                f"{written_at:%Y-%m-%d %H:%M:%S} UTC"
            )

    def _rested_on(self, kind: Kind, row: Any) -> set[str]:
        """Return the base's evidence for this record, or else for its issuer."""
        records: Mapping[str, Any] = self._rules if kind == "rules" else self._recalls
        replaced = records.get(row.stable_id)
        if replaced is not None:
            return set(replaced.sources)
        if kind == "recalls":
            return set()
        return {
            name
            for rule in self._rules.values()
            if (rule.airline, rule.airline or rule.jurisdiction)
            == (row.airline_id, row.airline_id or row.jurisdiction)
            for name in rule.sources
        }

    def _recorded_at(self, sources: Iterable[Source], release: Release) -> datetime.datetime:
        """Return when the last reading of what a release rests on was recorded.

        Of several readings on one day, it is the last one before the release was published.
        """
        return max(self._recorded(source, release) for source in sources)

    def _sources_in_base(self, names: Iterable[str]) -> list[Source]:
        return [self._before[name] for name in names if name in self._before]

    @cached_property
    def _read(self) -> dict[str, SourceRow]:
        """The rows of all sources that were read, by id."""
        rows = SourceRow.objects.exclude(basis=POINTER)
        return {row.pk: row for row in rows.only("read_on", "recorded_at", "recorded_by")}

    def _after(self, kind: Kind) -> dict[str, Any]:
        """Return the records of a kind in the proposal, by id."""
        if kind not in self._kept:
            content = self._contents[1]
            self._kept[kind] = {getattr(one, ID_FIELD[kind]): one for one in getattr(content, kind)}
        return self._kept[kind]

    def _recorded(self, source: Source, release: Release) -> datetime.datetime:
        key = (source.id, release.pk)
        if key not in self._instants:
            self._instants[key] = _recorded_before(release, source)
        return self._instants[key]


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
