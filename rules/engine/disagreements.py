"""The record of a disagreement as a frozen value.

Pure: no Django, no clock, no I/O. A row of the starter corpus, an argument of `rules.disagreements.actions`
and an entry of a release document are the same type.
"""

from catalog.records import Record


class About(Record, frozen=True, kw_only=True, omit_defaults=True):
    """Whose rule is in question: exactly one of an airline and a jurisdiction."""

    airline: str | None = None
    jurisdiction: str | None = None


class Side(Record, frozen=True, kw_only=True):
    """One answer to the question, and the sources that give it. A side without a source was seen once."""

    says: str
    sources: tuple[str, ...] = ()


class Disagreement(Record, frozen=True, kw_only=True):
    """A question that sources answer differently.

    `applied` is the id of the rule that verdicts follow, `because` says why; mostly the stricter reading
    counts, but not always. It is for readers: no verdict depends on it.
    """

    id: str
    about: About
    question: str
    sides: tuple[Side, ...]
    applied: str
    because: str

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the sources of all sides, each once, in their order."""
        return tuple(dict.fromkeys(name for side in self.sides for name in side.sources))
