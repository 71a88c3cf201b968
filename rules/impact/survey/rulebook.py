"""The rules of two rulesets as sets of bits: unchanged ones by what they decide, changed ones each alone.

Changed rules keep their identity, so that the cause of a milder answer can be named. Unchanged ones are only
signatures, so that most flights look the same.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rules.engine.corpus import Speakers
from rules.engine.document import Content
from rules.impact.survey.changes import Changed, Versions
from rules.impact.survey.periods import Runs, runs
from rules.impact.survey.signatures import Signatures


class Said(NamedTuple):
    """What some rules say on a day: signatures of unchanged ones, and the changed ones, a bit for each."""

    unchanged: int
    changed: int


class Rulebook:
    """The rules of the rulesets before (side 0) and after (side 1)."""

    def __init__(
        self, contents: tuple[Content, Content], changed: dict[Changed, Versions], days: tuple[int, ...]
    ) -> None:
        self.days = days
        self.signatures = Signatures(rule for content in contents for rule in content.rules)
        self.changed = [key.record_id for key in changed if key.kind == "rules"]
        """The changed rules. The bit of each is that of its place."""
        bits = {name: 1 << place for place, name in enumerate(self.changed)}
        self._versions: tuple[dict[int, int], dict[int, int]] = {}, {}
        self._said: tuple[dict[str, Said], dict[str, Said]] = {}, {}
        for side, content in enumerate(contents):
            for rule in content.rules:
                signature, bit = self.signatures.of(rule), bits.get(rule.rule_id)
                if bit is None:
                    self._said[side][rule.rule_id] = Said(signature, 0)
                    continue
                self._versions[side][bit] = signature
                self._said[side][rule.rule_id] = Said(0, bit if signature else 0)
        self._tracks: tuple[dict[int, Runs[Said]], dict[int, Runs[Said]]] = {}, {}

    def track(self, side: int, speakers: Speakers) -> Runs[Said]:
        """Return what some rules of one side say over all periods. `speakers` must outlive the rulebook."""
        known = self._tracks[side]
        if id(speakers) not in known:
            known[id(speakers)] = runs([self._on(side, speakers, day) for day in self.days])
        return known[id(speakers)]

    def signatures_of(self, side: int, changed: int) -> int:
        """Return the signatures of some changed rules in the version of one side."""
        found = 0
        for bit in each_bit(changed):
            found |= self._versions[side].get(bit, 0)
        return found

    def matter(self, side: int, changed: int, signatures: int) -> int:
        """Return those of some changed rules that have one of some signatures in the version of one side."""
        versions = self._versions[side]
        return sum(bit for bit in each_bit(changed) if versions[bit] & signatures)

    def name(self, bit: int) -> str:
        """Return the id of a changed rule."""
        return self.changed[bit.bit_length() - 1]

    def _on(self, side: int, speakers: Speakers, day: int) -> Said:
        return together([self._said[side][rule.rule_id] for _, rule in speakers.on(day)])


def together(some: list[Said]) -> Said:
    """Return what several rules say together."""
    unchanged = changed = 0
    for said in some:
        unchanged |= said.unchanged
        changed |= said.changed
    return Said(unchanged, changed)


def each_bit(some: int) -> Iterator[int]:
    """Return the bits of a set, one by one."""
    while some:
        lowest = some & -some
        yield lowest
        some ^= lowest
