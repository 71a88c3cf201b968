"""What is asked of the choices of indexed pages, their records and the kept scorecards. Reads only.

Called by verbs, screens and views.
"""

import datetime
from collections.abc import Collection, Mapping
from typing import NamedTuple

from aeo.articles.article import path
from aeo.discovery.curation import curated
from aeo.editions import Edition
from aeo.models import Curation, DatasetRelease, IndexedPage, Recomputation, ScorecardRecord
from aeo.scorecard import figures
from catalog.database.cached_values import Held
from rules.corpus import Published

PATIENCE_SECONDS = 2


class Followed(NamedTuple):
    """Whether something has followed the release that answers; when, or for which, it was last done."""

    in_line: bool
    last: datetime.datetime | str | None


class Difference(NamedTuple):
    """Which addresses a choice would add and remove, and how many pages would be indexed by it."""

    pages: int
    entering: list[str]
    leaving: list[str]


def choice_in_force() -> Curation:
    """Return the newest choice; the defaults where nobody has chosen yet."""
    return Curation.objects.first() or Curation()


def pages_are_in_line(edition: Edition) -> bool:
    """Tell whether page records are of this release and this day, and by the choice in force."""
    done, choice = Recomputation.objects.first(), Curation.objects.first()
    return (
        done is not None
        and (done.release_sha256, done.day) == (edition.release.sha256, edition.today)
        and (choice is None or choice.created_at <= done.finished)
    )


def scorecard_of(edition: Edition) -> ScorecardRecord | None:
    """Return the newest scorecard of the release of an edition that this program counted, as it is held."""
    held = _counted.current()
    return held if held is not None and held.release_sha256 == edition.release.sha256 else None


def _newest_scorecard(held: ScorecardRecord | None) -> ScorecardRecord | None:
    found = ScorecardRecord.objects.filter(program_sha256=figures.program_digest()).first()
    return held if found == held else found


_counted: Held[ScorecardRecord | None] = Held(_newest_scorecard, None, seconds=PATIENCE_SECONDS, alone=0)


def scorecard_is_in_line(edition: Edition) -> bool:
    """Tell whether there is a scorecard of this release and this day."""
    kept = scorecard_of(edition)
    return kept is not None and kept.day == edition.today


def pages_followed(edition: Edition | None) -> Followed:
    """Return whether page records have followed an edition, and when they were last brought in line."""
    done = Recomputation.objects.first()
    in_line = edition is not None and pages_are_in_line(edition)
    return Followed(in_line, None if done is None else done.finished)


def datasets_followed(edition: Edition | None) -> Followed:
    """Return whether the release of an edition has files, and the version of the newest one that has."""
    newest = DatasetRelease.objects.first()
    if newest is None:
        return Followed(False, None)
    in_line = edition is not None and newest.release_sha256 == edition.release.sha256
    return Followed(in_line, newest.pk)


def scorecard_followed(edition: Edition | None) -> Followed:
    """Return whether an edition is counted, and when anything was counted last."""
    last = ScorecardRecord.objects.first()
    in_line = edition is not None and scorecard_is_in_line(edition)
    return Followed(in_line, None if last is None else last.finished)


def unknown_names(choice: Curation, release: Published) -> dict[str, list[str]]:
    """Return what a choice leaves out and the release does not have, by the name of the field."""
    known: Mapping[str, Collection[str]] = {
        "without_models": {device.model_id for device in release.shelf.all_devices},
        "without_airlines": release.shelf.airlines,
        "without_countries": release.corpus.countries,
    }
    unknown = {
        name: [one for one in getattr(choice, name) if one not in names] for name, names in known.items()
    }
    return {name: ones for name, ones in unknown.items() if ones}


def difference(choice: Curation, edition: Edition) -> Difference:
    """Return what a choice would change in the pages that are indexed now. Takes seconds."""
    then = [path(*combination) for combination in curated(edition, choice)]
    now = list(IndexedPage.objects.values_list("path", flat=True))
    stays, kept = set(then), set(now)
    return Difference(
        len(then), [one for one in then if one not in kept], [one for one in now if one not in stays]
    )
