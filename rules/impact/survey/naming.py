"""Names that find another record than before: a question with such a name gets another answer.

Nothing else about the records need change: a model that was found by its number is recalled, and the model
that has the number from now on is not. So these make answers less strict: a name, a number or a word of them
that a model or airline loses; a new name of a model, which may also be a sentence (“A1289 swollen”); and a
name of a new record that another one has or ever had, or a word of which finds another model today.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Literal

from catalog.search.index import DeviceIndex
from catalog.search.words import joined, words
from rules.engine.document import ID_FIELD, Content
from rules.engine.facts import Airline, Device
from rules.impact.survey.changes import Changed

Named = Literal["devices", "airlines"]
"""The kinds of records that questions name in words."""

NamesHad = Mapping[Named, Mapping[str, Collection[str]]]
"""The names that records had at any time, in one piece, each with the ids of those records."""

GAINED = "gets a name, so a question with it can get an answer that it did not get before"
LOST = "is no longer found by a name or number that it had, so a question with it can get another answer"
TAKEN = (
    "gets a name or number that another record has or had, or that finds another one today, so a question "
    "with it can get another answer"
)


def moved_names(contents: tuple[Content, Content], had: NamesHad) -> dict[Changed, str]:
    """Return the models and airlines that lose a name or take one of another record, each with why."""
    before, after = contents
    found = dict(_moved(_Models(before.devices, after.devices, had.get("devices", {}))))
    return found | dict(_moved(_Airlines(before.airlines, after.airlines, had.get("airlines", {}))))


def in_one_piece(names: Collection[str | None]) -> set[str]:
    """Return names by which a record is found, each in one piece and without differences of case."""
    return {joined(name) for name in names if name} - {""}


class _Named:
    """The records of one kind before and after, and who has or had each name."""

    kind: Named

    def __init__(
        self, before: Sequence[Any], after: Sequence[Any], had: Mapping[str, Collection[str]]
    ) -> None:
        self.before, self.after, self._had = before, after, had
        self.known = {self.id_of(one): one for one in before}

    def id_of(self, record: Any) -> str:
        """Return the id of a record."""
        return str(getattr(record, ID_FIELD[self.kind]))

    def names(self, record: Any) -> tuple[str, ...]:
        """Return the names by which a record is found."""
        raise NotImplementedError

    def found_today(self, record: Any, name: str) -> Iterable[str]:
        """Return the ids of the records that a name of a record finds before, though it is not their own."""
        raise NotImplementedError

    def takes(self, record: Any, gained: Iterable[str]) -> bool:
        """Return whether any of the names that a record gains is one of another record, or finds one."""
        own = self.id_of(record)
        return any(
            not {own}.issuperset((*self._bearers[joined(name)], *self.found_today(record, name)))
            for name in gained
        )

    @cached_property
    def _bearers(self) -> defaultdict[str, set[str]]:
        found = defaultdict[str, set[str]](set, {name: set(ids) for name, ids in self._had.items()})
        for one in self.before:
            for name in in_one_piece(self.names(one)):
                found[name].add(self.id_of(one))
        return found


class _Models(_Named):
    kind = "devices"

    def names(self, record: Device) -> tuple[str, ...]:
        number, named = record.model_number or "", f"{record.brand} {record.model_name}"
        return record.model_id, number, *record.aliases, named

    def found_today(self, record: Device, name: str) -> Iterable[str]:
        digits = [word for word in words(name) if any(map(str.isdigit, word))]
        for text in (name, f"{record.brand} {name}", *digits):
            yield from [self.before[at].model_id for at in self._index.search(text)]

    @cached_property
    def _index(self) -> DeviceIndex:
        return DeviceIndex(self.before)


class _Airlines(_Named):
    kind = "airlines"

    def names(self, record: Airline) -> tuple[str, ...]:
        return record.name, record.icao

    def found_today(self, record: Airline, name: str) -> Iterable[str]:
        asked = set(words(name))
        return [own for own, known in self._words if asked <= known or known <= asked]

    @cached_property
    def _words(self) -> list[tuple[str, set[str]]]:
        return [(one.airline, set(words(one.name))) for one in self.before]


def _moved(named: _Named) -> Iterator[tuple[Changed, str]]:
    for one in named.after:
        old = named.known.get(named.id_of(one))
        if old == one:
            continue
        names, had = named.names(one), () if old is None else named.names(old)
        if names == had:
            continue
        known = in_one_piece(had)
        gained = [name for name in names if name and joined(name) not in known]
        if named.takes(one, gained):
            yield Changed(named.kind, named.id_of(one)), TAKEN
        elif gained and old is not None:
            yield Changed(named.kind, named.id_of(one)), GAINED
        elif known - in_one_piece(names) or _words_of(had) - _words_of(names):
            yield Changed(named.kind, named.id_of(one)), LOST


def _words_of(names: Iterable[str]) -> set[str]:
    return set(chain.from_iterable(map(words, names)))
