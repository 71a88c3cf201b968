"""Does the pattern of a recall do what its notice says? Tested against samples, before it is approved.

Pure: no Django, no clock, no I/O. Called by the recall form while the user types, and by the actions that
take a recall on its way into a release.

It guarantees:

- a sample is read exactly as a traveler's serial is, by `recalls.serials.evaluate`;
- a pattern that cannot be used is refused with a sentence that says what is wrong with it. This includes a
  pattern that RE2 knows but `recalls.languages` does not: changes of it could not be compared;
- no sentence repeats a sample: it says which one.

`recalls.editing.breadth` says how much broader a pattern is than its samples.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

from recalls.languages import automata
from recalls.serials import (
    MAX_CHARACTERS,
    AffectedSerials,
    PatternError,
    SerialEvaluation,
    compile_pattern,
    evaluate,
    normalize,
)

MAX_SAMPLES = 100
"""How many samples of either kind a recall may have."""

MAX_SAMPLE_CHARACTERS = MAX_CHARACTERS
"""The longest sample: no traveler can ask about a longer identifier."""

PATTERNS = {
    "pattern": "the pattern",
    "not_affected_pattern": "the pattern of unaffected units",
    "necessary_pattern": "the necessary pattern",
}
"""The names of a recall's patterns in sentences, by their fields."""

Kind = Literal["values", "affected_samples", "unaffected_samples"]
"""The origin of a sample, by its field: what the notice lists, or the samples of either kind."""

_CALLED: dict[Kind, str] = {
    "values": "listed value",
    "affected_samples": "affected sample",
    "unaffected_samples": "unaffected sample",
}

_ANSWERS = {
    ("affected", "pattern"): "affected: banned",
    ("not_affected", "pattern"): "not affected: the recall does not cover this unit",
    ("unknown", "external_list_required"): "unknown: only the maker's list can decide",
    ("unknown", "none"): "unknown: no published information can decide",
}

_MEANINGS = {
    "missing )": "an opening parenthesis is never closed",
    "unexpected )": "a closing parenthesis was never opened",
    "missing ]": "an opening square bracket is never closed",
    "no argument for repetition operator": "a repetition such as * or + has nothing to repeat",
    "bad repetition operator": "two repetitions stand next to each other",
    "invalid repetition size": "a repetition is out of order, or makes the pattern too large",
    "invalid escape sequence": (
        "this escape is not supported; references to a group are not supported either"
    ),
    "invalid perl operator": "lookahead and lookbehind are not supported",
    "invalid character class range": "this range or class of characters does not exist",
    "trailing \\": "it ends in the middle of an escape",
}
"""The meanings of RE2's most frequent errors, by how they begin."""


class Refusal(NamedTuple):
    """Why something cannot be used: the field, and a sentence."""

    field: str
    sentence: str


class Outcome(msgspec.Struct, frozen=True):
    """The result for one sample. `number` counts from 1 among the samples of its kind."""

    kind: Kind
    number: int
    sample: str
    evaluation: SerialEvaluation

    @property
    def name(self) -> str:
        """The name of the sample in sentences."""
        return f"{_CALLED[self.kind]} {self.number}"

    @property
    def passes(self) -> bool:
        """Whether the pattern sorts it as its kind says."""
        return (self.evaluation.match_status == "affected") == (self.kind != "unaffected_samples")


def answer(evaluation: SerialEvaluation) -> str:
    """Return what a traveler with such a unit reads, in a few words."""
    return _ANSWERS[evaluation.match_status, evaluation.match_method]


def decides(affected: AffectedSerials) -> bool:
    """Return whether the pattern of a recall decides anything: not if all units are affected anyway."""
    return affected.pattern is not None and affected.scope != "all_units"


def refusals(affected: AffectedSerials) -> list[Refusal]:
    """Return why the patterns and the samples of a recall cannot be used."""
    found = [*_sample_refusals(affected)]
    for field, called in PATTERNS.items():
        pattern = getattr(affected, field)
        reason = None if pattern is None else _why_not(pattern, decides=decides(affected))
        if reason is not None:
            found.append(Refusal(field, f"{called} `{pattern}` {reason}"))
    return found


def _why_not(pattern: str, *, decides: bool) -> str | None:
    try:
        compiled = compile_pattern(pattern)
        automata.check(pattern)
    except PatternError as error:
        meaning = next((said for reason, said in _MEANINGS.items() if str(error).startswith(reason)), None)
        return f"cannot be used: {error}" if meaning is None else f"cannot be used: {meaning} ({error})"
    if decides and compiled.fullmatch(""):
        return "matches an empty identifier, so it cannot distinguish units"
    return None


def _sample_refusals(affected: AffectedSerials) -> Iterator[Refusal]:
    kinds: tuple[Kind, ...] = ("affected_samples", "unaffected_samples")
    for kind in kinds:
        samples = getattr(affected, kind)
        if len(samples) > MAX_SAMPLES:
            yield Refusal(
                kind, f"there are {len(samples)} {_CALLED[kind]}s; at most {MAX_SAMPLES} are accepted"
            )
        for number, sample in enumerate(samples, start=1):
            if not 0 < len(normalize(sample)) <= MAX_SAMPLE_CHARACTERS:
                yield Refusal(
                    kind, f"{_CALLED[kind]} {number} is not 1 to {MAX_SAMPLE_CHARACTERS} characters long"
                )


def affected_identifiers(affected: AffectedSerials) -> tuple[str, ...]:
    """Return the affected identifiers of a recall: what the notice lists, and the samples."""
    return (*affected.values, *affected.affected_samples)


def outcomes(affected: AffectedSerials) -> list[Outcome]:
    """Return the result for each listed value and each sample. The patterns must compile."""
    return [
        Outcome(kind, number, sample, evaluate(affected, serial=sample))
        for kind in _CALLED
        for number, sample in enumerate(getattr(affected, kind), start=1)
    ]


def objections(affected: AffectedSerials) -> list[str]:
    """Return why a recall is not ready for review: what its pattern lacks, or sorts the wrong way.

    Every listed value and every affected sample must be affected, no unaffected sample may be, and there must
    be some of either. A recall whose pattern decides nothing needs none.
    """
    found = [refusal.sentence for refusal in refusals(affected)]
    if found or not decides(affected):
        return found
    about = f"{PATTERNS['pattern']} `{affected.pattern}`"
    if not affected_identifiers(affected):
        found.append(f"{about} is tested by no affected sample: give one that it must match")
    if not affected.unaffected_samples:
        found.append(f"{about} is tested by no unaffected sample: give one that it must not match")
    for outcome in outcomes(affected):
        if not outcome.passes:
            does = "matches" if outcome.kind == "unaffected_samples" else "does not match"
            found.append(f"{about} {does} {outcome.name}")
    return found
