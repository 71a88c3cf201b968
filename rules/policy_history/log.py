"""All known changes of policies, as one list: those that editors recorded and those of releases.

A recorded change has the day on which a policy changed, a change by a release the day on which it was
published. The newest day comes first; within one day, the changes that editors recorded come first, then
those of the latest release. Called by the views of the API.
"""

import datetime
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, get_args, overload

from rules.corpus import Published
from rules.policy_history import selectors
from rules.policy_history.recorded_changes import AirlineChange, ChangeStatus, change_status
from rules.policy_history.recorded_changes import history as recorded_changes
from rules.policy_history.selectors import Counted, History, HistoryEntry, Narrowed

ChangeKind = Literal["recorded", "release"]

LogEntry = AirlineChange | HistoryEntry

EVERYTHING = Narrowed()


class PolicyLog(Sequence[LogEntry]):
    """The changes of a release and of all before it, filtered by the request.

    Its length and its counts need no database. A slice of it reads what releases changed, in one query, and
    raises `django.db.Error`. Without a `history` it only contains what editors recorded.
    """

    def __init__(
        self, published: Published, history: History | None, narrowed: Narrowed = EVERYTHING
    ) -> None:
        self._history = history
        self._narrowed = narrowed
        airlines = published.shelf.airlines
        self._recorded = [
            one
            for one in recorded_changes(published, airline=narrowed.airline, since=narrowed.since)
            if narrowed.jurisdiction in (None, airlines[one.airline].country)
        ]
        self._counted = [one for one in (() if history is None else history.counted) if narrowed.takes(one)]

    def __len__(self) -> int:
        return len(self._recorded) + sum(one.entries for one in self._counted)

    @overload
    def __getitem__(self, wanted: int) -> LogEntry: ...
    @overload
    def __getitem__(self, wanted: slice) -> Sequence[LogEntry]: ...
    def __getitem__(self, wanted: int | slice) -> LogEntry | Sequence[LogEntry]:
        """Return some of the list."""
        if isinstance(wanted, int):
            return self[wanted : wanted + 1][0]
        start, stop, _ = wanted.indices(len(self))
        recorded = {place: one for place, one in self._places() if place < stop}
        skip = start - sum(place < start for place in recorded)
        most = stop - start - sum(place >= start for place in recorded)
        found = iter(self._entries(skip, most))
        return [recorded[place] if place in recorded else next(found) for place in range(start, stop)]

    @property
    def recorded(self) -> int:
        """How many changes editors recorded."""
        return len(self._recorded)

    @property
    def by_releases(self) -> int | None:
        """How many changes came from releases; None if that is unknown."""
        return None if self._history is None else sum(one.entries for one in self._counted)

    def by_status(self, today: datetime.date) -> dict[ChangeStatus, int]:
        """Return how many changes have taken effect by a day, and how many have not."""
        found = Counter(change_status(one.change, today) for one in self._recorded)
        for one in self._counted:
            found[status(one, today)] += one.entries
        return {word: found[word] for word in get_args(ChangeStatus)}

    def by_airline(self) -> dict[str, int]:
        """Return how many changes each airline has, by code; airlines without any are left out."""
        found = Counter(one.airline for one in self._recorded)
        for one in self._counted:
            if one.airline is not None:
                found[one.airline] += one.entries
        return dict(sorted(found.items()))

    def by_authority(self) -> dict[str, int]:
        """Return how many changes the rules of authorities have, by jurisdiction."""
        found = Counter[str]()
        for one in self._counted:
            if one.airline is None:
                found[one.jurisdiction] += one.entries
        return dict(sorted(found.items()))

    def _places(self) -> Iterator[tuple[int, AirlineChange]]:
        """Return what editors recorded, each with its place in the whole list."""
        newer, counted = 0, iter([*self._counted, None])
        following = next(counted)
        for place, one in enumerate(self._recorded):
            while following is not None and following.date > one.change.date:
                newer += following.entries
                following = next(counted)
            yield newer + place, one

    def _entries(self, skip: int, most: int) -> list[HistoryEntry]:
        if self._history is None:
            return []
        return selectors.entries(self._history, self._narrowed, skip=skip, most=most)


def newest_of(published: Published, airline: str, entries: Sequence[HistoryEntry]) -> list[LogEntry]:
    """Return what editors recorded of an airline, with its newest entries, in the order of the log."""
    found: list[LogEntry] = [*recorded_changes(published, airline=airline), *entries]
    return sorted(found, key=_day, reverse=True)


def _day(one: LogEntry) -> datetime.date:
    return one.date if isinstance(one, HistoryEntry) else one.change.date


def status(one: Counted | HistoryEntry, today: datetime.date) -> ChangeStatus:
    """Return whether what a release changed has taken effect: a rule that starts later has not."""
    return "upcoming" if one.starts is not None and one.starts > today else "in_effect"
