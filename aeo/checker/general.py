"""General pages about what a question leaves open, its model, airline, places and facts, and overviews.

Called by `aeo.checker.views` if a question cannot be answered yet.
"""

from collections.abc import Iterator
from typing import NamedTuple

from aeo import guides
from aeo.asking import Asked
from aeo.editions import Edition
from aeo.pages.paths import airline_path, country_path, model_path
from aeo.texts import active, airline_name, country_name, model_name, say
from aeo.web.languages import localized

GUIDES = {
    "bag": "power-bank-in-checked-baggage",
    "count": "how-many-power-banks-in-2026",
    "label": "power-bank-without-a-label",
    "mark": "china-3c-mark-domestic-and-international",
    "recall": "recalled-power-bank-on-a-plane",
}
"""The guide to each part of a question."""

PART_OF = {"number": "count", "people": "count", "label": "label", "mark": "mark", "recalled": "recall"}
"""The part of a question that unused words belong to."""


OVERVIEWS = {
    "/airlines": "list.airlines.title",
    "/map": "map.title",
    "/timeline": "timeline.title",
}
"""Pages for questions that compare airlines, countries or days, and the keys of their titles."""


class GeneralPage(NamedTuple):
    """A page and its title."""

    title: str
    path: str


def general_pages(asked: Asked, edition: Edition) -> tuple[GeneralPage, ...]:
    """Return guides to parts of the question, pages of what it names, and overviews, each once."""
    overviews = (GeneralPage(say(title), localized(path)) for path, title in OVERVIEWS.items())
    return tuple(dict.fromkeys((*_guides(asked, edition), *_records(asked, edition), *overviews)))


def _guides(asked: Asked, edition: Edition) -> Iterator[GeneralPage]:
    checked, parts = guides.check(edition), _parts(asked)
    for part, slug in GUIDES.items():
        if part in parts and slug in checked and checked[slug].holds and checked[slug].is_translated:
            guide = checked[slug].guide
            yield GeneralPage(guide.prose_in(active()).title, localized(guide.path))


def _parts(asked: Asked) -> set[str]:
    """Return the parts that the question mentions. A guide to bags is about checked ones."""
    about = {PART_OF[one.about] for one in asked.unused if one.about in PART_OF}
    said = {
        "bag": asked.compartment == "checked",
        "count": asked.quantity > 1 or asked.problem("count") is not None,
        "label": asked.capacity_label == "missing",
        "mark": asked.ccc_mark != "unknown",
        "recall": asked.recall_check != "not_checked",
    }
    return about | {part for part, is_said in said.items() if is_said}


def _records(asked: Asked, edition: Edition) -> Iterator[GeneralPage]:
    shelf = edition.release.shelf
    if device := shelf.devices.get(asked.model_id):
        yield GeneralPage(model_name(device), localized(model_path(device.model_id)))
    if airline := shelf.airlines.get(asked.airline):
        yield GeneralPage(airline_name(airline), localized(airline_path(airline.airline)))
    for place in asked.places:
        if place.country:
            name = edition.release.corpus.countries[place.country].name
            yield GeneralPage(country_name(place.country, name), localized(country_path(place.country)))
