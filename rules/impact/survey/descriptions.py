"""What travelers can say about a unit, in classes that some rules cannot tell apart.

The facts are the compartment, the number of units, the mark, the label, the condition and the status by
recalls. Two values of a fact are alike if all rules in play treat them alike: they admit both or neither, ban
both or neither, and leave both or neither unproven. One value of each class is judged, and all are counted.
"""

import datetime
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from itertools import product
from math import prod
from typing import Any, NamedTuple, TypeVar, get_args

from recalls.serials import RecallStatus
from rules.engine.facts import Leg, Question, Unit
from rules.engine.matching import Entry, fold
from rules.engine.vocabulary import (
    MAX_QUANTITY,
    Compartment,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    UnitCondition,
)

Value = TypeVar("Value")


class Description(NamedTuple):
    """What a traveler says about a unit, but for its recalls. The defaults are those of a question."""

    compartment: Compartment = "carry_on"
    quantity: int = 1
    ccc_mark: MarkIndication = "unknown"
    capacity_label: LabelIndication = "unknown"
    condition: UnitCondition = "unknown"

    @property
    def facts(self) -> int:
        """Return this as bits, for a unit outside all recalls: see `matching.fold`."""
        unit = Unit(
            model_id="",
            quantity=self.quantity,
            ccc_mark=self.ccc_mark,
            capacity_label=self.capacity_label,
            condition=self.condition,
        )
        question = Question(
            unit=unit,
            leg=Leg("", "", ""),
            travel_date=datetime.date.min,
            compartment_intent=self.compartment,
        )
        return fold(question, "not_affected")

    @property
    def unusual(self) -> int:
        """Return how many facts are not the default, for choosing an example."""
        return sum(value != default for value, default in zip(self, PLAIN, strict=True))


PLAIN = Description()

_VALUES: dict[str, tuple[Any, ...]] = {
    "compartment": get_args(Compartment),
    "quantity": tuple(range(1, MAX_QUANTITY + 1)),
    "ccc_mark": get_args(MarkIndication),
    "capacity_label": get_args(LabelIndication),
    "condition": get_args(UnitCondition),
}
STATUSES: tuple[RecallStatus, ...] = get_args(RecallStatus)
LIST_ANSWERS: tuple[ListAnswer, ...] = get_args(ListAnswer)

DESCRIPTIONS = prod(map(len, _VALUES.values()))
"""How many descriptions there are."""


def _bits(facts_of: Mapping[Value, int]) -> dict[Value, int]:
    """Return the bits in which the facts of some values differ."""
    common = -1
    for facts in facts_of.values():
        common &= facts
    return {value: facts & ~common for value, facts in facts_of.items()}


_BITS: dict[str, dict[Any, int]] = {
    name: _bits({value: PLAIN._replace(**{name: value}).facts for value in values})
    for name, values in _VALUES.items()
}
_ANY_QUESTION = Question(unit=Unit(model_id=""), leg=Leg("", "", ""), travel_date=datetime.date.min)
STATUS_BITS = _bits({status: fold(_ANY_QUESTION, status) for status in STATUSES})
_OUTSIDE = STATUS_BITS["not_affected"]


MARKS = sum(_BITS["ccc_mark"].values())
"""The bits of the mark. Where it is in doubt, a rule for units of unknown mark speaks about others too."""


class Alike(NamedTuple):
    """Some descriptions that are alike: one of them, its facts without a status by recalls, and how many."""

    description: Description
    facts: int
    descriptions: int


class Partition(NamedTuple):
    """The classes of descriptions, and of statuses by recalls: equal values are alike."""

    descriptions: tuple[Alike, ...]
    statuses: dict[RecallStatus, Hashable]


def partition(entries: Iterable[Entry], *, every_mark: bool) -> Partition:
    """Return the classes that some rules distinguish. `every_mark` leaves each mark in a class of its own."""
    masks = {mask for admits, rule in entries for mask in (admits, rule.bans, rule.unproven)}
    classes = {name: _alike(_BITS[name], masks, PLAIN_VALUES[name]) for name in _VALUES}
    if every_mark:
        classes["ccc_mark"] = [(mark, 1) for mark in _VALUES["ccc_mark"]]
    found = []
    for chosen in product(*classes.values()):
        description = Description(*(value for value, _ in chosen))
        count = prod(count for _, count in chosen)
        found.append(Alike(description, description.facts & ~_OUTSIDE, count))
    statuses: dict[RecallStatus, Hashable] = {
        # Recalls decide by themselves whether a unit is recalled, and whether that is open.
        status: (status == "affected", status == "not_affected", _treated(bit, masks))
        for status, bit in STATUS_BITS.items()
    }
    return Partition(tuple(found), statuses)


PLAIN_VALUES: dict[str, Any] = PLAIN._asdict()


def _treated(bit: int, masks: Iterable[int]) -> tuple[bool, ...]:
    return tuple([bool(bit & mask) for mask in masks])


def _alike(bits: Mapping[Value, int], masks: Iterable[int], plain: Value) -> list[tuple[Value, int]]:
    """Return a value of each class, the default one if it is in it, and how many there are."""
    group = sum(bits.values())
    # Most rules say nothing of most facts.
    telling = {mask & group for mask in masks} - {0, group}
    classes: dict[Hashable, list[Value]] = defaultdict(list)
    for value, bit in bits.items():
        classes[_treated(bit, telling)].append(value)
    return [(plain if plain in alike else alike[0], len(alike)) for alike in classes.values()]
