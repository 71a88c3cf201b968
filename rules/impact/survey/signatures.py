"""All that a verdict can depend on in a rule, in one bit.

The rules of both rulesets are compiled together, with one layout of bits. The bands of watt-hours are those
that either ruleset distinguishes, so they are finer than the bands of each, and every verdict stays the same.
Two rules with the same conditions, the same bans, the same preconditions and the same permit have one
*signature*: where both speak, the verdict is as if one did. So the rules that speak on a flight are a set of
signatures, kept as an integer, and equal integers mean equal verdicts. A rule that only gives advice or says
how to carry a unit decides nothing, and has no signature. If it is a rule of the airline, it still shows that
the airline answers: `ANSWERS` is in the set of every rule of an airline.
"""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from rules.engine.facts import Rule
from rules.engine.matching import Bands, Entry, NamedModels, Voice, entry

ANSWERS = 1
"""In the set if a rule of the airline is in force: without one, there is no answer."""

MARK_DEMANDED = "ccc_mark_required"
"""The code of the rules that a certificate in doubt concerns."""


class _Signature(NamedTuple):
    """The parts of a compiled rule that `weighing.judge` reads."""

    admits: int
    permit_of: Voice | None
    bans: int
    unproven: int
    demands_mark: bool


class Signatures:
    """The signatures of the rules of two rulesets. A set of them is an integer with a bit for each."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        every = list(rules)
        self.bands = Bands(every)
        self.models = NamedModels(every, self.bands)
        self._bits: dict[_Signature, int] = {}
        self._entries: dict[int, Entry] = {}
        self._sets: dict[int, tuple[Entry, ...]] = {0: ()}
        self.demanding = 0
        """The signatures that demand the mark."""

    def of(self, rule: Rule) -> int:
        """Return what a rule adds to a set: its signature, and `ANSWERS` if it is a rule of an airline."""
        return self._signature(rule) | (0 if rule.airline is None else ANSWERS)

    def entries(self, some: int) -> tuple[Entry, ...]:
        """Return the compiled rules of a set of signatures."""
        if some not in self._sets:
            self._sets[some] = tuple(entry for bit, entry in self._entries.items() if bit & some)
        return self._sets[some]

    def speak(self, some: int, facts: Iterable[int]) -> bool:
        """Return whether one of some signatures admits one of some facts, or is there to answer at all."""
        if some & ANSWERS:
            return True
        return any(one & admits == one for one in facts for admits, _ in self.entries(some))

    def for_model(self, bands: int, named: int) -> int:
        """Return all that can matter for a model, by the bits of its watt-hours and of its name."""
        speaking = (bit for bit, (admits, _) in self._entries.items() if admits & bands and admits & named)
        return ANSWERS | sum(speaking)

    def _signature(self, rule: Rule) -> int:
        admits, compiled = entry(rule, self.bands, self.models)
        # A rule that speaks admits the facts, so only what it bans among these counts.
        found = _Signature(
            admits,
            compiled.permit_of,
            compiled.bans & admits,
            compiled.unproven & admits,
            rule.code == MARK_DEMANDED,
        )
        if found.permit_of is None and not found.bans and not found.unproven and not found.demands_mark:
            return 0
        if found not in self._bits:
            bit = self._bits[found] = ANSWERS << len(self._bits) + 1
            # The engine distinguishes rules by their ids, and here a signature is a rule.
            one = replace(compiled, rule_id=f"signature {bit}", bans=found.bans, unproven=found.unproven)
            self._entries[bit] = admits, one
            if found.demands_mark:
                self.demanding |= bit
        return self._bits[found]
