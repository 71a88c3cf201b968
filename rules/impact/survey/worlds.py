"""The worlds between two rulesets: the one before, with any of the changes that matter for some questions.

The changes that can matter are named by the cell and the class of models. What cannot matter for these models
is left out first, so that most cells become equal, and a cell that is the same on both sides is skipped.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from rules.impact.survey.cells import Cell
from rules.impact.survey.flights import InPlay
from rules.impact.survey.judging import Ground
from rules.impact.survey.models import InDoubt, ModelClass
from rules.impact.survey.rulebook import Rulebook, each_bit
from rules.impact.survey.signatures import ANSWERS


class Change(NamedTuple):
    """A change that can matter for some questions: of a rule (its bit), or of something else on either side.

    `places` are countries, regions and the home of the airline, `airline` is the confidence in it, `device`
    the record of the model, and `recalls` are all recalls of the model together.
    """

    kind: Literal["rule", "places", "airline", "device", "recalls"]
    rule: int = 0


PLACES, AIRLINE, DEVICE, RECALLS = (Change("places"), Change("airline"), Change("device"), Change("recalls"))

Changes = frozenset[Change]
NONE: Changes = frozenset()


def restricted(cell: Cell, reach: int, rulebook: Rulebook) -> Cell:
    """Return a cell with only what can matter for a class of models, whose signatures are `reach`."""
    return cell._replace(worlds=tuple(world and _restricted(world, reach, rulebook) for world in cell.worlds))


def _restricted(world: InPlay, reach: int, rulebook: Rulebook) -> InPlay:
    unchanged = world.unchanged & reach
    if not world.before and not world.after:
        return InPlay(unchanged, 0, 0)
    # A changed rule that says the same on both sides is as good as unchanged.
    for bit in each_bit(world.before & world.after):
        version = rulebook.signatures_of(0, bit) & reach
        if version == rulebook.signatures_of(1, bit) & reach:
            unchanged |= version
    # One that says what an unchanged rule says adds nothing.
    left = reach & ~unchanged
    return InPlay(unchanged, rulebook.matter(0, world.before, left), rulebook.matter(1, world.after, left))


def same_on_both_sides(cell: Cell, rulebook: Rulebook) -> bool:
    """Return whether the same is in play before and after, so that equal models get equal answers."""
    before, after = (
        _in_force(world, side, rulebook) for side, world in enumerate((cell.worlds[0], cell.worlds[-1]))
    )
    return before == after and (before is None or cell.unverified[0] == cell.unverified[1])


def _in_force(world: InPlay | None, side: int, rulebook: Rulebook) -> int | None:
    """Return what is in force on one side; None where nothing is answered."""
    if world is None:
        return None
    found = world.unchanged | rulebook.signatures_of(side, (world.before, world.after)[side])
    return found if found & ANSWERS else None


class Worlds:
    """The worlds between both sides of a restricted cell, for a class of models."""

    def __init__(self, cell: Cell, model: ModelClass, in_doubt: InDoubt, rulebook: Rulebook) -> None:
        self._cell, self._model, self._rulebook = cell, model, rulebook
        self.in_doubt = in_doubt
        self._grounds: dict[Changes, Ground | None] = {}
        covered = [world for world in cell.worlds if world is not None]
        self._rules = {bit for world in covered for bit in each_bit(world.before | world.after)}
        self._moved = cell.worlds[0] != cell.worlds[-1]
        self.signatures = 0
        """All that rules can say in any of the worlds."""
        for world in covered:
            self.signatures |= world.unchanged
            self.signatures |= rulebook.signatures_of(0, world.before)
            self.signatures |= rulebook.signatures_of(1, world.after)
        self.changes = frozenset(self._changes())
        """All changes that matter here but those of recalls."""
        self.before = self.ground(NONE)
        self.after = self.ground(self.changes)

    def ground(self, changes: Changes) -> Ground | None:
        """Return what verdicts rest on with some of the changes; None if there are no answers."""
        if changes not in self._grounds:
            self._grounds[changes] = self._ground(changes)
        return self._grounds[changes]

    def says(self, change: Change) -> int:
        """Return all that a changed rule says, before or after."""
        return self._rulebook.signatures_of(0, change.rule) | self._rulebook.signatures_of(1, change.rule)

    def _changes(self) -> Iterator[Change]:
        if self._moved:
            yield PLACES
        elif self._cell.unverified[0] != self._cell.unverified[1]:
            yield AIRLINE
        yield from (Change("rule", bit) for bit in self._rules)
        if self._model.seen[0] != self._model.seen[1] or self.in_doubt.before != self.in_doubt.after:
            yield DEVICE

    def _ground(self, changes: Changes) -> Ground | None:
        # Where places change, the confidence in the airline goes with them: it may be in the same record.
        moved, trusted = PLACES in changes, not changes.isdisjoint((PLACES, AIRLINE))
        world = self._cell.worlds[-1 if moved else 0]
        seen = self._model.seen[DEVICE in changes]
        if world is None or seen is None:
            return None
        rules = sum(change.rule for change in changes)
        signatures = (
            world.unchanged
            | self._rulebook.signatures_of(0, world.before & ~rules)
            | self._rulebook.signatures_of(1, world.after & rules)
        )
        if not signatures & ANSWERS:
            return None
        return Ground(
            signatures & ~ANSWERS,
            self._cell.unverified[trusted],
            self._cell.domestic,
            seen,
            self.in_doubt[DEVICE in changes],
        )
