"""What a cell answers about a class of models, before and after: the ways in which answers flip."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from rules.engine.vocabulary import ListAnswer
from rules.impact.survey.descriptions import (
    DESCRIPTIONS,
    LIST_ANSWERS,
    PLAIN,
    STATUS_BITS,
    Alike,
    Description,
    Partition,
    partition,
)
from rules.impact.survey.judging import Judge, UnitFacts
from rules.impact.survey.leniency import Leniency
from rules.impact.survey.models import ModelClass
from rules.impact.survey.outcomes import Outcome, milder
from rules.impact.survey.recalls import Pair
from rules.impact.survey.signatures import Signatures
from rules.impact.survey.worlds import NONE, Changes, Worlds


class Unit(NamedTuple):
    """One unit of a class of models: its description, what its recalls say, and the maker's list."""

    description: Description
    pair: Pair
    recall_check: ListAnswer


class Flip(NamedTuple):
    """Units of one model whose answers flip in one way for the same causes, and one of them as an example.

    `units` says how many, `kinds` how many classes of them. Only a lenient flip has causes.
    """

    before: Outcome
    after: Outcome
    causes: Changes
    units: int
    kinds: int
    example: Unit


class _Judged(NamedTuple):
    """Units that are alike, with what decides about them on each side."""

    unit: Unit
    units: int
    before: UnitFacts
    after: UnitFacts


_LIST_ANSWERS: dict[ListAnswer, int] = {"not_checked": len(LIST_ANSWERS) - 1, "affected": 1}
"""The classes of what the maker's list answered: only one answer decides, and it bans."""

_ALL = (Alike(PLAIN, PLAIN.facts & ~STATUS_BITS["not_affected"], DESCRIPTIONS),)
"""All descriptions as one class: nothing about the unit matters if it is recalled, or nothing answered."""


class Comparer:
    """Compares both sides of cells. What is found out about one is kept for the next."""

    def __init__(self, judge: Judge, signatures: Signatures) -> None:
        self._judge, self._signatures = judge, signatures
        self._leniency = Leniency(judge, signatures)
        self._partitions: dict[tuple[int, bool], Partition] = {}

    def flips(self, worlds: Worlds, model: ModelClass) -> tuple[Flip, ...]:
        """Return how answers flip, of all units of a model."""
        found: dict[tuple[Outcome, Outcome, Changes], Flip] = {}
        for judged in self._judged(worlds, model):
            before = self._judge.outcome(worlds.before, judged.before)
            after = self._judge.outcome(worlds.after, judged.after)
            if before == after:
                continue
            causes = NONE
            if milder(before, after):
                causes = self._leniency.causes(worlds, judged.before, judged.after)
            flip = found.get((before, after, causes), Flip(before, after, causes, 0, 0, judged.unit))
            found[before, after, causes] = flip._replace(
                units=flip.units + judged.units,
                kinds=flip.kinds + 1,
                example=min(flip.example, judged.unit, key=lambda unit: _unusual(unit, model)),
            )
        return tuple(found.values())

    def _judged(self, worlds: Worlds, model: ModelClass) -> Iterator[_Judged]:
        """Return one unit of each class."""
        classes = self._partition(worlds)
        for recall_check, answers in _LIST_ANSWERS.items():
            for pair, pairs in _pairs(model, classes):
                recalled = [
                    ground is None or status == "affected" or recall_check == "affected"
                    for ground, status in zip((worlds.before, worlds.after), pair, strict=True)
                ]
                for alike in _ALL if all(recalled) else classes.descriptions:
                    before, after = (
                        UnitFacts(
                            alike.facts | STATUS_BITS[status],
                            alike.description.ccc_mark,
                            recall_check,
                            status,
                        )
                        for status in pair
                    )
                    unit = Unit(alike.description, pair, recall_check)
                    yield _Judged(unit, answers * pairs * alike.descriptions, before, after)

    def _partition(self, worlds: Worlds) -> Partition:
        demanded = bool(worlds.signatures & self._signatures.demanding)
        key = worlds.signatures, demanded and any(worlds.in_doubt)
        if key not in self._partitions:
            entries = self._signatures.entries(worlds.signatures)
            self._partitions[key] = partition(entries, every_mark=key[1])
        return self._partitions[key]


def _pairs(model: ModelClass, classes: Partition) -> list[tuple[Pair, int]]:
    """Return one pair of statuses of each class, and how many there are: one that is easy to show, if any."""
    found: dict[Hashable, list[Pair]] = defaultdict(list)
    for pair in model.pairs:
        found[tuple(classes.statuses[status] for status in pair)].append(pair)
    return [(min(alike, key=lambda pair: model.pairs[pair].unusual), len(alike)) for alike in found.values()]


def _unusual(unit: Unit, model: ModelClass) -> int:
    """Return how far a unit is from one that no one has described."""
    listed = unit.recall_check != LIST_ANSWERS[0]
    return unit.description.unusual + listed + model.pairs[unit.pair].unusual
