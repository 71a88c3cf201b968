"""The promises about facts: where one fact gets worse and all others stay, the verdict is never milder.

"Unknown is between the favorable and the unfavorable value" is such a promise, of a fact with three values.
Two kinds of units are compared if they have a unit in common, but for the fact that gets worse.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from rules.engine.vocabulary import MAX_QUANTITY, STRICTNESS
from rules.proof.checking.cells import LIST_ANSWERS, MARKS, OPEN, STATUSES, Energy, Tree, Unit
from rules.proof.checking.judging import Answer
from rules.proof.checking.records import BASELINE, Said


class Kinds(NamedTuple):
    """The kinds of units with one energy, one unit of each, and what the engine says about it."""

    energy: Energy
    tree: Tree
    units: list[Unit]
    answers: list[Answer]


class Broken(NamedTuple):
    """Two units, of which the second one is worse in one fact and gets a milder verdict."""

    promise: str
    better: tuple[Energy, Unit]
    worse: tuple[Energy, Unit]


ALLOWED = "an allowed unit has a permit of the airline and one of an authority"
ENERGY = "more energy is never milder"
COMPUTED = "a computed figure is never milder than the same rated one"


def _steps() -> Iterator[tuple[str, str, Any, Any]]:
    """Return each promise about a fact: its words, the fact, a value and the next worse one."""
    condition = "an unknown condition is between intact and damaged"
    yield from ((condition, "condition", *pair) for pair in (("intact", "unknown"), ("unknown", "damaged")))
    label = "an unknown label is between a legible and a missing one"
    yield from ((label, "label", *pair) for pair in (("legible", "unknown"), ("unknown", "missing")))
    mark = "an unknown mark is between a present and an absent one"
    for doubted in (False, True):
        for better, worse in (("present", "unknown"), ("unknown", "absent")):
            yield mark, "mark", (better, doubted), (worse, doubted)
    for one in MARKS:
        yield "a certificate in doubt is never milder", "mark", (one, False), (one, True)
    recall = "an open recall is between not affected and affected"
    for answer in LIST_ANSWERS:
        for unknown in OPEN:
            yield recall, "recall", ("not_affected", answer), (unknown, answer)
            yield recall, "recall", (unknown, answer), ("affected", answer)
    for status in STATUSES:
        for answer in ("not_checked", "not_affected"):
            named = "a unit that the maker's list names is never milder"
            yield named, "recall", (status, answer), (status, "affected")


_STEPS = tuple(_steps())


def broken_in(kinds: list[Kinds], rules: dict[str, Said], *, domestic: bool) -> Iterator[Broken]:
    """Return what breaks a promise among all kinds of units on a flight."""
    for one in kinds:
        yield from _permits(one, rules, domestic=domestic)
        for promise, fact, better, worse in _STEPS:
            yield from _milder(promise, one, one, fact, better, worse)
        for quantity in range(1, MAX_QUANTITY):
            yield from _milder("more units are never milder", one, one, "quantity", quantity, quantity + 1)
    for first, second, promise in _by_energy([one for one in kinds if one.energy.model is None]):
        yield from _milder(promise, first, second)


def _by_energy(kinds: list[Kinds]) -> Iterator[tuple[Kinds, Kinds, str]]:
    """Return the kinds with an energy, and those with a worse one."""
    rated = [one for one in kinds if one.energy.basis == "rated"]
    computed = [one for one in kinds if one.energy.basis == "computed"]
    for some in (rated, computed):
        for first, second in pairwise(some):
            yield first, second, ENERGY
    # The next rated figure below is in the same interval between edges, so it stands for the same figure.
    for one in computed:
        yield max((some for some in rated if _figure(some) <= _figure(one)), key=_figure), one, COMPUTED


def _figure(kinds: Kinds) -> int:
    return kinds.energy.figure or 0


def _milder(
    promise: str, first: Kinds, second: Kinds, fact: str = "", better: Any = None, worse: Any = None
) -> Iterator[Broken]:
    for one, other in first.tree.meeting(second.tree, fact, better, worse):
        if _strictness(second.answers[other]) < _strictness(first.answers[one]):
            units = first.tree.common(one, second.tree, other, fact, better, worse)
            yield Broken(promise, (first.energy, units[0]), (second.energy, units[1]))


def _strictness(answer: Answer) -> int:
    return _STRICTNESS.get(answer.verdict, 0)


_STRICTNESS: dict[str, int] = {f"{verdict}": strictness for verdict, strictness in STRICTNESS.items()}
"""A code of an error counts as the mildest: the two programs are compared in it, and it breaks no promise."""


def _permits(kinds: Kinds, rules: dict[str, Said], *, domestic: bool) -> Iterator[Broken]:
    for unit, answer in zip(kinds.units, kinds.answers, strict=True):
        if answer.verdict == "allowed":
            permits = [rules[name] for name in answer.rules if rules[name].effect == "permit"]
            own = any(one.airline is not None for one in permits)
            public = any(
                one.airline is None and not (domestic and one.jurisdiction == BASELINE) for one in permits
            )
            if not (own and public):
                yield Broken(ALLOWED, (kinds.energy, unit), (kinds.energy, unit))
