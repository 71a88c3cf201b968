"""The record of a disagreement as a frozen value, and the faults that make one unpublishable, as sentences.

Pure: no Django, no clock, no I/O. A row of the starter corpus, an argument of `rules.disagreements.actions`
and an entry of a release document are the same type.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from catalog.records import Record, Source


class About(Record, frozen=True, kw_only=True, omit_defaults=True):
    """Whose rule is in question: exactly one airline or one jurisdiction."""

    airline: str | None = None
    jurisdiction: str | None = None


class Side(Record, frozen=True, kw_only=True):
    """One answer to the question, and the sources that give it. A side without a source was seen once."""

    says: str
    sources: tuple[str, ...] = ()


class Disagreement(Record, frozen=True, kw_only=True):
    """A question that sources answer differently.

    `applied` is the id of the rule that verdicts follow, `because` says why. Usually the stricter reading
    counts, but not always. A disagreement is for readers: no verdict depends on it.
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


SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

FEWEST_SIDES, MOST_SIDES = 2, 6
"""One answer is not a disagreement, and readers cannot compare more than a few."""


def faults(
    disagreement: Disagreement,
    *,
    airlines: Collection[str],
    places: Collection[str],
    rules: Collection[str],
    sources: Mapping[str, Source],
) -> Iterator[str]:
    """Say what is wrong with a disagreement, given the ids of the records in the release."""
    if not SLUG.fullmatch(disagreement.id):
        yield "the id is not lower-case words joined by hyphens"
    yield from _about(disagreement, airlines, places)
    if not disagreement.question.strip():
        yield "asks no question"
    if not disagreement.because.strip():
        yield "gives no reason for the rule that is applied"
    yield from _sides(disagreement, sources)
    if disagreement.applied not in rules:
        yield (
            f"applies the rule `{disagreement.applied}`, which is not in this release: "
            "name the rule that is applied now, or withdraw the disagreement"
        )


def _about(disagreement: Disagreement, airlines: Collection[str], places: Collection[str]) -> Iterator[str]:
    airline, place = disagreement.about.airline, disagreement.about.jurisdiction
    if (airline is None) == (place is None):
        yield "is about exactly one of an airline and a jurisdiction"
    if airline is not None and airline not in airlines:
        yield f"is about the airline `{airline}`, which is not in this release"
    if place is not None and place not in places:
        yield f"is about the jurisdiction `{place}`, which is not in this release"


def _sides(disagreement: Disagreement, sources: Mapping[str, Source]) -> Iterator[str]:
    if not FEWEST_SIDES <= len(disagreement.sides) <= MOST_SIDES:
        yield f"has {len(disagreement.sides)} sides, not {FEWEST_SIDES} to {MOST_SIDES}"
    if not all(side.says.strip() for side in disagreement.sides):
        yield "has a side that says nothing"
    for side in disagreement.sides:
        if len(set(side.sources)) != len(side.sources):
            yield "names a source twice on one side"
    for name in disagreement.sources:
        if name not in sources:
            yield f"names the source `{name}`, which is not in this release"
        elif not sources[name].citable:
            yield f"names the source `{name}`, which was never read, so it cannot be cited"
    if not disagreement.sources:
        yield "rests on no source: at least one side names one"
