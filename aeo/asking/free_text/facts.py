"""The facts that a sentence states in words: bag, condition, label, mark, and days such as tomorrow.

Contradicting facts are not used, and neither are facts without a field. They are set aside with their
subject. Called by `aeo.asking.free_text.sentence`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from aeo.asking.free_text.items import Item
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.stating import is_asked, is_stated
from aeo.asking.free_text.vocabulary import MILD
from rules.engine.vocabulary import Compartment, LabelIndication, MarkIndication, UnitCondition

MILD_OF_UNIT = frozenset(one for one in MILD if one.kind != "bag")


class Facts(NamedTuple):
    """What a text says in words; None if it says nothing, or two things at once. `day` counts from today."""

    bag: Compartment | None
    condition: UnitCondition | None
    label: LabelIndication | None
    mark: MarkIndication | None
    day: int | None


def read_facts(reading: Reading, items: Sequence[Item]) -> Facts:
    """Return the facts of a text, and set its signals aside."""
    for item in items:
        if item.kind == "signal":
            reading.set_aside(item.start, item.end, item.value)
    return Facts(*(_one(reading, items, kind) for kind in Facts._fields))


def without_mild(facts: Facts) -> Facts:
    """Return facts without those that may make an answer about the unit milder."""
    mild = {kind for kind, value in facts._asdict().items() if (kind, value) in MILD_OF_UNIT}
    return facts._replace(**dict.fromkeys(mild))


def _one(reading: Reading, items: Sequence[Item], kind: str) -> Any:
    """Return the one value that a text gives for a kind of fact."""
    said = [item for item in items if item.kind == kind]
    values = {item.value for item in said}
    mild = [item for item in said if (item.kind, item.value) in MILD_OF_UNIT]
    if any(is_asked(reading, item) or not is_stated(reading, items, item) for item in mild):
        # "Is it with a 3C mark?" does not say that it is, and neither does "if it has one".
        values |= {None}
    for item in said:
        if len(values) == 1:
            reading.take(item.start, item.end, "fact")
        else:
            reading.set_aside(item.start, item.end, kind)
    return values.pop() if len(values) == 1 else None
