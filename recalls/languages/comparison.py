"""Compares the recalls of a model before and after a change: can the outcome of any unit become milder?

The outcome is what `rules.engine.evaluate.recall_impact` says of a unit: `serials.evaluate` for each recall,
then `serials.overall` for all of them. The answer is exact for units without an identifier, for those with
only a hash, and for all identifiers of `automata`. Each identifier that is returned was evaluated by
`serials` first.

An identifier decides only through the languages that it is in. A recall of all units, or without a pattern,
has the same outcome for each identifier. Any other recall

- affects what its pattern matches;
- clears what may be outside (all that is not affected if it is exhaustive, otherwise what its pattern of
  unaffected units matches), can be cleared at all, and cannot be misread as affected;
- otherwise says what it would say without its patterns.

The necessary pattern, samples and dates are for people to read, and decide nothing.

Identifiers have 1 to 64 characters as normalized. Some rare characters, such as `㎒`, become several when
normalized, so a traveler could type a longer identifier. What a change means for it is not decided here.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from recalls.languages import automata
from recalls.languages.automata import CLEARABLE, Language, matched, misread
from recalls.serials import (
    AffectedSerials,
    PatternError,
    RecallStatus,
    SerialEvaluation,
    evaluate,
    overall,
)

STRICTNESS: dict[RecallStatus, int] = {
    "not_affected": 0,
    "serial_unknown": 1,
    "external_check_required": 1,
    "affected": 2,
}
"""How strict an outcome is. Two are equally open; rules can still tell one from the other."""

UNREADABLE_HASH = "0" * 64
"""Any hash: no pattern can match one."""

_CLEARED = SerialEvaluation("not_affected", "pattern")
_AFFECTED = SerialEvaluation("affected", "pattern")


class Witness(NamedTuple):
    """A unit that shows a change: by its identifier, by the hash of it alone, or by neither."""

    serial: str | None = None
    hash_only: bool = False

    @property
    def serial_hash(self) -> str | None:
        """Return the hash to give."""
        return UNREADABLE_HASH if self.hash_only else None

    def __str__(self) -> str:
        if self.serial is not None:
            return self.serial
        return "A unit with only a hash" if self.hash_only else "A unit without a serial"

    def outcome(self, recalls: Sequence[AffectedSerials]) -> RecallStatus:
        """Return what all recalls of a model say about this unit, as the engine does."""
        evaluations = [evaluate(one, serial=self.serial, serial_hash=self.serial_hash) for one in recalls]
        return overall(recalls, evaluations, serial_given=self.serial is not None)[0]


class Pair(NamedTuple):
    """The outcomes of a unit before and after a change."""

    before: RecallStatus
    after: RecallStatus

    @property
    def milder(self) -> bool:
        """Whether the outcome after the change is milder."""
        return STRICTNESS[self.after] < STRICTNESS[self.before]


class Milder(NamedTuple):
    """A milder outcome, with the simplest unit that has it."""

    pair: Pair
    witness: Witness

    def __str__(self) -> str:
        if self.pair.before == "affected":
            return f"{self.witness} would no longer be affected"
        return f"{self.witness} would be cleared, and is open now"


class Disagreement(RuntimeError):
    """An automaton and `serials.evaluate` say different things about an identifier. One of them is wrong."""


def outcomes(recalls: Sequence[AffectedSerials]) -> dict[RecallStatus, Witness]:
    """Return each outcome that a unit of a model can have, with the simplest such unit.

    Raises what `pairs` raises.
    """
    return {pair.after: witness for pair, witness in pairs(recalls, recalls).items()}


def pairs(before: Sequence[AffectedSerials], after: Sequence[AffectedSerials]) -> dict[Pair, Witness]:
    """Return each pair of outcomes that a unit can have before and after, with the simplest such unit.

    A unit without an identifier is simpler than one with a hash only, and that is simpler than one with an
    identifier; short identifiers are simpler than long ones.

    Raises `PatternError` if a pattern cannot be read, or if there are too many states to be compared.
    """
    sides = _deciding(before), _deciding(after)
    recalls = [*sides[0], *sides[1]]
    languages = list(dict.fromkeys(chain.from_iterable(map(_languages, recalls))))
    for pattern in dict.fromkeys(language.pattern for language in languages):
        try:
            automata.check(pattern)
        except PatternError as error:
            raise type(error)(f"the pattern `{pattern}` cannot be compared: {error}") from error
    found: dict[Pair, Witness] = {}
    for witness in (Witness(), Witness(hash_only=True)):
        found.setdefault(Pair(witness.outcome(before), witness.outcome(after)), witness)
    for inside, serial in automata.shortest(languages).items():
        pair = Pair(*(_outcome(side, inside) for side in sides))
        witness = Witness(serial)
        if pair in found:
            continue
        if pair != (witness.outcome(before), witness.outcome(after)):
            raise Disagreement(f"{pair} was expected of `{serial}`")
        found[pair] = witness
    return found


def milder(before: Sequence[AffectedSerials], after: Sequence[AffectedSerials]) -> list[Milder]:
    """Return each kind of milder outcome that a change causes, with the simplest counterexample.

    Those of affected units are first. Raises what `pairs` raises.
    """
    found = [Milder(pair, witness) for pair, witness in pairs(before, after).items() if pair.milder]
    return sorted(found, key=lambda one: -STRICTNESS[one.pair.before])


# --- What an identifier decides ---


def _deciding(recalls: Sequence[AffectedSerials]) -> Sequence[AffectedSerials]:
    """Leave out what a recall of all units makes meaningless: it affects each unit."""
    return [one for one in recalls if one.scope == "all_units"] or recalls


def _by_pattern(recall: AffectedSerials) -> bool:
    return recall.pattern is not None and recall.scope != "all_units"


def _languages(recall: AffectedSerials) -> Iterator[Language]:
    """Return the languages by which a recall decides."""
    if not _by_pattern(recall):
        return
    yield matched(recall.pattern or "")
    if recall.exhaustive or recall.not_affected_pattern is not None:
        yield from (misread(recall.pattern or ""), CLEARABLE)
    if not recall.exhaustive and recall.not_affected_pattern is not None:
        yield matched(recall.not_affected_pattern)


def _outcome(recalls: Sequence[AffectedSerials], inside: frozenset[Language]) -> RecallStatus:
    """Return what recalls say about the identifiers of some languages."""
    evaluations = [_evaluation(recall, inside) for recall in recalls]
    return overall(recalls, evaluations, serial_given=True)[0]


def _evaluation(recall: AffectedSerials, inside: frozenset[Language]) -> SerialEvaluation:
    if _by_pattern(recall):
        if matched(recall.pattern or "") in inside:
            return _AFFECTED
        outside = recall.exhaustive or matched(recall.not_affected_pattern or "") in inside
        if outside and CLEARABLE in inside and misread(recall.pattern or "") not in inside:
            return _CLEARED
    return evaluate(replace(recall, pattern=None), serial="X")
