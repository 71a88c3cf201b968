"""Names that find another record than before: a question with such a name gets another answer.

Nothing else about the records need change: a model that was found by its number is recalled, and the model
that has the number from now on is not. So a name or number that a model or airline loses, and one that it
takes from another one, makes answers less strict. A new name that no other record has does not, nor does the
name of a new record.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from catalog.search.device_words import identities
from catalog.search.words import joined
from rules.engine.document import ID_FIELD, Content
from rules.engine.facts import Airline, Device
from rules.impact.survey.changes import Changed

LOST = "is no longer found by a name or number that it had, so a question with it can get another answer"
TAKEN = "gets a name or number that another record has or had, so a question with it can get another answer"


def moved_names(contents: tuple[Content, Content]) -> dict[Changed, str]:
    """Return the models and airlines that lose a name or take one of another record, each with why."""
    before, after = contents
    found = dict(_moved("devices", before.devices, after.devices))
    return found | dict(_moved("airlines", before.airlines, after.airlines))


def _moved(
    kind: Literal["devices", "airlines"], before: Sequence[Any], after: Sequence[Any]
) -> Iterator[tuple[Changed, str]]:
    known = {getattr(one, ID_FIELD[kind]): one for one in before}
    renamed = [(known[name], one) for one in after if (name := getattr(one, ID_FIELD[kind])) in known]
    renamed = [(old, new) for old, new in renamed if old != new and _names(old) != _names(new)]
    if not renamed:
        return
    bearers = defaultdict(set)
    for one in (*before, *after):
        for name in _names(one):
            bearers[name].add(getattr(one, ID_FIELD[kind]))
    for old, new in renamed:
        record = Changed(kind, getattr(new, ID_FIELD[kind]))
        if any(len(bearers[name]) > 1 for name in _names(new) - _names(old)):
            yield record, TAKEN
        elif _names(old) - _names(new):
            yield record, LOST


def _names(record: Device | Airline) -> set[str]:
    """Return the names by which a record is found, each in one piece and without differences of case."""
    if isinstance(record, Airline):
        return {joined(record.name), joined(record.icao)}
    return {*identities(record), joined(f"{record.brand} {record.model_name}")}
