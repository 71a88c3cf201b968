"""Names that find another record than before: a question with such a name gets another answer.

Nothing else about the records need change: a model that was found by its number is recalled, and the model
that has the number from now on is not. So a name or number that a model or airline loses, and one that it
takes from another one, makes answers less strict. That holds also if the other one is in no release any more,
or lost the name long ago. A name that no other record ever had does not.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

from catalog.search.words import joined
from rules.engine.document import ID_FIELD, Content
from rules.engine.facts import Airline, Device
from rules.impact.survey.changes import Changed

Named = Literal["devices", "airlines"]
"""The kinds of records that questions name in words."""

NamesHad = Mapping[Named, Mapping[str, Collection[str]]]
"""The names that records had at any time, in one piece, each with the ids of those records."""

LOST = "is no longer found by a name or number that it had, so a question with it can get another answer"
TAKEN = "gets a name or number that another record has or had, so a question with it can get another answer"


def moved_names(contents: tuple[Content, Content], had: NamesHad) -> dict[Changed, str]:
    """Return the models and airlines that lose a name or take one of another record, each with why."""
    before, after = contents
    found = dict(_moved("devices", before.devices, after.devices, had.get("devices", {})))
    return found | dict(_moved("airlines", before.airlines, after.airlines, had.get("airlines", {})))


def in_one_piece(names: Collection[str | None]) -> set[str]:
    """Return names by which a record is found, each in one piece and without differences of case."""
    return {joined(name) for name in names if name} - {""}


def _moved(
    kind: Named, before: Sequence[Any], after: Sequence[Any], had: Mapping[str, Collection[str]]
) -> Iterator[tuple[Changed, str]]:
    id_field = ID_FIELD[kind]
    known = {getattr(one, id_field): one for one in before}
    changed = [(known.get(getattr(one, id_field)), one) for one in after]
    named = [(_names(old), _names(new), new) for old, new in changed if old != new]
    named = [(old, new, one) for old, new, one in named if old != new]
    if not named:
        return
    bearers, still = _bearers(before, id_field), _bearers(after, id_field)
    for old, new, one in named:
        name = getattr(one, id_field)
        gained = new - old
        # A name that a new record shares finds several records, so it is asked which one is meant.
        others = [(bearers[each] | set(had.get(each, ()))) - {name} for each in gained]
        if name not in known:
            others = [found - still[each] for each, found in zip(gained, others, strict=True)]
        else:
            others += [still[each] - {name} for each in gained]
        if any(others):
            yield Changed(kind, name), TAKEN
        elif old - new:
            yield Changed(kind, name), LOST


def _bearers(records: Sequence[Any], id_field: str) -> defaultdict[str, set[str]]:
    found = defaultdict[str, set[str]](set)
    for one in records:
        for name in _names(one):
            found[name].add(getattr(one, id_field))
    return found


def _names(record: Device | Airline | None) -> set[str]:
    """Return the names by which a record is found; none for None."""
    match record:
        case None:
            return set()
        case Airline():
            return in_one_piece((record.name, record.icao))
        case _:
            number, named = record.model_number, f"{record.brand} {record.model_name}"
            return in_one_piece((record.model_id, number, *record.aliases, named))
