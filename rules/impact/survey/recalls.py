"""What the recalls of a model can say about a unit, before and after, each with a unit as witness.

`recalls.languages` decides this exactly. A pattern that it cannot compare could be in an old release: then
every pair of statuses that could occur is assumed to occur, so that nothing milder is missed.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from recalls.languages import comparison
from recalls.languages.comparison import STRICTNESS, UNREADABLE_HASH, Witness
from recalls.serials import (
    AffectedSerials,
    PatternError,
    RecallStatus,
    SerialEvaluation,
    evaluate,
    overall,
)

Pair = tuple[RecallStatus, RecallStatus]
"""The status of a unit before and after."""


class Shown(NamedTuple):
    """How to ask about a unit that has a pair of statuses. Without a witness, no such unit is known."""

    witness: Witness | None

    @property
    def assumed(self) -> bool:
        """Whether the pair is only assumed to occur."""
        return self.witness is None

    @property
    def serial(self) -> str | None:
        """Return the serial to give."""
        return self.witness and self.witness.serial

    @property
    def serial_hash(self) -> str | None:
        """Return the hash to give."""
        return self.witness and self.witness.serial_hash

    @property
    def unusual(self) -> int:
        """Return how hard it is to ask about the unit, for choosing an example."""
        if self.witness is None:
            return 9
        return 2 * self.witness.hash_only + (self.witness.serial is not None)


PLAIN = Shown(Witness())
"""A unit of which neither a serial nor a hash is given."""


@lru_cache(maxsize=2048)
def recall_pairs(
    before: tuple[AffectedSerials, ...], after: tuple[AffectedSerials, ...]
) -> dict[Pair, Shown]:
    """Return each pair of statuses that a unit can have before and after, with a unit that has it."""
    try:
        return {
            (pair.before, pair.after): Shown(witness)
            for pair, witness in comparison.pairs(before, after).items()
        }
    except PatternError:
        return _assumed(before, after)


_PATTERNS = {
    "scope",
    "pattern",
    "not_affected_pattern",
    "exhaustive",
    "affected_samples",
    "unaffected_samples",
}
"""What may change of the serials of a recall if every serial stays as strict. The rest tells travelers which
units are meant."""


def as_strict(before: AffectedSerials, after: AffectedSerials) -> bool:
    """Return whether a recall is at least as strict about every unit, and tells travelers the same."""
    told = {name for name in before.__struct_fields__ if getattr(before, name) != getattr(after, name)}
    told -= _PATTERNS
    if after.scope == "all_units":
        # Nothing has to be read off a unit any more.
        told = {name for name in told - {"identifier"} if getattr(after, name)}
    return not told and all(
        was == becomes or STRICTNESS[becomes] > STRICTNESS[was]
        for was, becomes in recall_pairs((before,), (after,))
    )


def _assumed(before: Sequence[AffectedSerials], after: Sequence[AffectedSerials]) -> dict[Pair, Shown]:
    found: dict[Pair, Shown] = {}
    for witness in (Witness(), Witness(hash_only=True)):
        found.setdefault((witness.outcome(before), witness.outcome(after)), Shown(witness))
    for pair in product(_possible(before), _possible(after)):
        if before != after or pair[0] == pair[1]:
            found.setdefault(pair, Shown(None))
    return found


def _possible(recalls: Sequence[AffectedSerials]) -> set[RecallStatus]:
    """Return every status that some unit might have."""
    distinct = list(dict.fromkeys(recalls))
    each = [tuple(_evaluations(recall)) for recall in distinct]
    return {overall(distinct, one, serial_given=True)[0] for one in product(*each)}


def _evaluations(recall: AffectedSerials) -> Iterator[SerialEvaluation]:
    yield evaluate(recall)
    if recall.pattern is not None and recall.scope != "all_units":
        yield evaluate(recall, serial_hash=UNREADABLE_HASH)
        yield SerialEvaluation("affected", "pattern")
        if recall.exhaustive or recall.not_affected_pattern is not None:
            yield SerialEvaluation("not_affected", "pattern")
