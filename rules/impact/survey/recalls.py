"""What the recalls of a model can say about a unit, before and after, each with a unit as witness.

Where this cannot be decided, every pair of statuses that could occur is assumed to occur, so that nothing
milder is missed.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import NamedTuple

from recalls.serials import AffectedSerials, RecallStatus, SerialEvaluation, evaluate, overall

UNREADABLE_HASH = "0" * 64
"""Stands for any hash: no pattern can match one."""


class Witness(NamedTuple):
    """A unit about which the recalls say something: by its serial, by the hash of it alone, or by neither.

    `assumed` means that no such unit is known, and that there may be none.
    """

    serial: str | None = None
    hash_only: bool = False
    assumed: bool = False

    @property
    def unusual(self) -> int:
        """Return how hard it is to ask about this unit, for choosing an example."""
        return 9 * self.assumed + 2 * self.hash_only + (self.serial is not None)

    def status(self, recalls: Sequence[AffectedSerials]) -> RecallStatus:
        """Return what all recalls of a model say about this unit, as the engine does."""
        serial_hash = UNREADABLE_HASH if self.hash_only else None
        evaluations = [evaluate(one, serial=self.serial, serial_hash=serial_hash) for one in recalls]
        return overall(recalls, evaluations, serial_given=self.serial is not None)[0]


Pair = tuple[RecallStatus, RecallStatus]
"""The status of a unit before and after."""


def recall_pairs(before: Sequence[AffectedSerials], after: Sequence[AffectedSerials]) -> dict[Pair, Witness]:
    """Return each pair of statuses that a unit can have before and after, with a unit that has it."""
    known = (Witness(serial) for recall in (*before, *after) for serial in _samples(recall))
    found: dict[Pair, Witness] = {}
    for witness in (Witness(), Witness(hash_only=True), *known):
        found.setdefault((witness.status(before), witness.status(after)), witness)
    possible = list(product(_possible(before), _possible(after)))
    if before == after:
        possible = [pair for pair in possible if pair[0] == pair[1]]
    for pair in possible:
        found.setdefault(pair, Witness(assumed=True))
    return found


def _samples(recall: AffectedSerials) -> Iterator[str]:
    yield from chain(recall.affected_samples, recall.unaffected_samples, recall.values)


def _possible(recalls: Sequence[AffectedSerials]) -> list[RecallStatus]:
    """Return every status that some unit might have."""
    each = [tuple(_evaluations(recall)) for recall in dict.fromkeys(recalls)]
    found = (overall(list(dict.fromkeys(recalls)), one, serial_given=True)[0] for one in product(*each))
    return sorted(set(found))


def _evaluations(recall: AffectedSerials) -> Iterator[SerialEvaluation]:
    yield evaluate(recall)
    if recall.pattern is not None and recall.scope != "all_units":
        yield evaluate(recall, serial_hash=UNREADABLE_HASH)
        yield SerialEvaluation("affected", "pattern")
        if recall.exhaustive or recall.not_affected_pattern is not None:
            yield SerialEvaluation("not_affected", "pattern")
