"""Disagreements as readers see them: each side with its citations.

Pages, datasets and the API use this module.
"""

from collections.abc import Iterable

import msgspec

from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.disagreements import Disagreement
from rules.selectors.evidence import citations


class StatedSide(msgspec.Struct, frozen=True):
    """What one side says, in an editor's English, and the sources that say so; perhaps none."""

    says: str
    citations: tuple[Citation, ...]


class Disputed(msgspec.Struct, frozen=True, kw_only=True):
    """A question that sources answer differently, in an editor's English.

    It is about an airline or a jurisdiction, never both. `rule_id` is the rule that verdicts follow,
    `because` says why.
    """

    disagreement_id: str
    airline: str | None
    jurisdiction: str | None
    question: str
    sides: tuple[StatedSide, ...]
    rule_id: str
    because: str

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Return the evidence of all sides, each source once."""
        return tuple(dict.fromkeys(citation for side in self.sides for citation in side.citations))


def every(published: Published) -> tuple[Disputed, ...]:
    """Return all disagreements of a release, by id."""
    return _stated(published, published.shelf.disagreements.values())


def on_rule(published: Published, rule_id: str) -> tuple[Disputed, ...]:
    """Return the disagreements in which a rule is applied; most rules have none."""
    return _stated(published, published.shelf.disagreements_on(rule_id))


def about_airline(published: Published, code: str) -> tuple[Disputed, ...]:
    """Return the disagreements about an airline."""
    return tuple(one for one in every(published) if one.airline == code)


def about_places(published: Published, codes: Iterable[str]) -> tuple[Disputed, ...]:
    """Return the disagreements about some jurisdictions, in the order of these."""
    found = every(published)
    return tuple(one for code in codes for one in found if one.jurisdiction == code)


def _stated(published: Published, found: Iterable[Disagreement]) -> tuple[Disputed, ...]:
    return tuple(
        Disputed(
            disagreement_id=one.id,
            airline=one.about.airline,
            jurisdiction=one.about.jurisdiction,
            question=one.question,
            sides=tuple(StatedSide(side.says, citations(published, side.sources)) for side in one.sides),
            rule_id=one.applied,
            because=one.because,
        )
        for one in found
    )
