"""Asks the engine what the guides state, and withholds guides that state something else."""

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec
from django.utils import timezone

from aeo import editions
from aeo.editions import Edition
from aeo.guides import in_force
from aeo.guides.in_force import GuidesInForce
from aeo.guides.reading import AS_OF, FEWEST_SOURCES, Guide, Prose
from aeo.texts import active
from aeo.web.formatting import day
from rules.cases import Case, failures
from rules.corpus import Published, preparing
from rules.engine.facts import Source


class Checked(msgspec.Struct, frozen=True):
    """A guide, checked against a release. With `reasons` it is withheld; they explain it to editors."""

    guide: Guide
    sources: tuple[Source, ...]
    as_of: datetime.date
    reasons: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Tell whether the guide may be shown."""
        return not self.reasons

    @property
    def is_translated(self) -> bool:
        """Tell whether all of it can be read in the active language."""
        return self.guide.is_in(active())

    @property
    def prose(self) -> Prose:
        """Return the prose in the active language, or in English; its short answer includes the day."""
        prose = self.guide.prose_in(active())
        short_answer = prose.short_answer.replace(AS_OF, day(self.as_of))
        return msgspec.structs.replace(prose, short_answer=short_answer)


def check(edition: Edition) -> dict[str, Checked]:
    """Check every guide in force against a release on a day, by slug."""
    return _check(edition.release, edition.today, in_force.current())


# The engine gets a hundred questions: once for each release, day and state of the guides. One release answers
# at a time, and the next one is prepared.
@lru_cache(maxsize=2)
def _check(release: Published, today: datetime.date, shown: GuidesInForce) -> dict[str, Checked]:
    return check_guides(release, today, shown.guides)


@preparing
def prepare(release: Published) -> None:
    """Check the guides before readers ask, in a process whose readers have asked for them."""
    if _check.cache_info().currsize:
        check(editions.of(release, timezone.now()))


def check_guides(release: Published, today: datetime.date, guides: Iterable[Guide]) -> dict[str, Checked]:
    """Check guides against a release on a day, by slug."""
    guides = tuple(guides)
    asked = [_as_of(case, today) for guide in guides for case in guide.cases]
    wrong: dict[str, list[str]] = defaultdict(list)
    for failure in failures(release.corpus, asked):
        wrong[failure.file].append(str(failure))
    as_of = datetime.date.fromisoformat(release.ruleset_version.partition(".")[0])
    return {
        guide.slug: Checked(
            guide=guide,
            sources=(*_cited(release, guide), *guide.prose.reports),
            as_of=as_of,
            reasons=(*wrong[f"{guide.slug}.yaml"], *_missing(release, guide)),
        )
        for guide in guides
    }


def _as_of(case: Case, today: datetime.date) -> Case:
    """Return a question about the present with today's date; one about another day stays unchanged."""
    if case.given.today is not None:
        return case
    return msgspec.structs.replace(case, given=msgspec.structs.replace(case.given, on=today))


def _cited(release: Published, guide: Guide) -> Iterator[Source]:
    for name in dict.fromkeys(guide.prose.sources):
        source = release.shelf.sources.get(name)
        if source is not None and source.citable:
            yield source


def _missing(release: Published, guide: Guide) -> Iterator[str]:
    cited = {source.id for source in _cited(release, guide)}
    for name in guide.prose.sources:
        if name not in cited:
            yield f"{guide.slug}: the source `{name}` is not in this release, or nobody has read it"
    if len(cited) < FEWEST_SOURCES:
        yield f"{guide.slug}: rests on {len(cited)} sources, and {FEWEST_SOURCES} are needed"
