"""What another choice of indexed pages would change, and which of its names are unknown. Reads only.

Called by the action that chooses, and by its screen.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from aeo.articles.article import path
from aeo.discovery.curation import curated
from aeo.editions import Edition
from aeo.page_records.models import Curation, IndexedPage
from rules.corpus import Published


class Difference(NamedTuple):
    """The addresses that a choice would add and remove, and the number of indexed pages with it."""

    pages: int
    entering: list[str]
    leaving: list[str]


def unknown_names(choice: Curation, release: Published) -> dict[str, list[str]]:
    """Return the names that a choice leaves out but the release does not have, by the name of the field."""
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
    """Return what a choice would change in the currently indexed pages. Takes seconds."""
    then = [path(*combination) for combination in curated(edition, choice)]
    now = list(IndexedPage.objects.values_list("path", flat=True))
    stays, kept = set(then), set(now)
    return Difference(
        len(then), [one for one in then if one not in kept], [one for one in now if one not in stays]
    )
