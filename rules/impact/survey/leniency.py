"""Which of the changes make an answer less strict.

A change is a cause of a flip if the answer becomes less strict by this change alone, or would be stricter
without it. If that is true of no change, the changes do it together, and each that can matter for the
question is a cause. The search repeats with the remaining changes until none of them makes the answer less
strict: so without all causes no flip would be lenient. If only one change can matter, it is the cause.
"""

from collections.abc import Iterator

from rules.impact.survey.descriptions import MARKS
from rules.impact.survey.judging import Judge, UnitFacts
from rules.impact.survey.outcomes import strictness
from rules.impact.survey.signatures import Signatures
from rules.impact.survey.worlds import NONE, RECALLS, Change, Changes, Worlds


class Leniency:
    """Finds the causes of lenient flips."""

    def __init__(self, judge: Judge, signatures: Signatures) -> None:
        self._judge, self._signatures = judge, signatures

    def causes(self, worlds: Worlds, before: UnitFacts, after: UnitFacts) -> Changes:
        """Return what makes an answer less strict. A unit differs from itself only by its recalls."""
        matter = frozenset(self._matter(worlds, before, after))
        if len(matter) == 1:
            return matter

        def strict(changes: Changes) -> int:
            unit = after if RECALLS in changes else before
            # What does not matter for this unit is left as it is before.
            return strictness(self._judge.outcome(worlds.ground(changes - {RECALLS}), unit))

        was, found = strict(NONE), NONE
        while left := matter - found:
            now = strict(left)
            if now >= was:
                break
            one_by_one = {one for one in left if strict(frozenset({one})) < was or strict(left - {one}) > now}
            found |= one_by_one or left
        return found

    def _matter(self, worlds: Worlds, before: UnitFacts, after: UnitFacts) -> Iterator[Change]:
        """Return the changes that can matter for a unit: not those of rules that never speak about it."""
        facts = {unit.facts & ~MARKS for unit in (before, after)}
        for change in worlds.changes:
            if change.kind != "rule" or self._signatures.speak(worlds.says(change), facts):
                yield change
        if before.status != after.status:
            yield RECALLS
