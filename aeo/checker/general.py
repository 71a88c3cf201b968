"""Pages about what a question leaves open.

A comparison of its airlines, verdicts on its model, guides, its model, airline and places, and overviews.
Called by the views of the checker and of an itinerary if a question cannot be answered yet.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from aeo import guides
from aeo.articles.article import path as verdict_path
from aeo.asking import Asked
from aeo.asking.free_text.understood import Unused
from aeo.checker.compared import named
from aeo.editions import Edition
from aeo.pages.paths import airline_path, country_path, model_path
from aeo.reference import comparison
from aeo.texts import active, airline_name, country_name, model_name, say
from aeo.web.formatting import listed
from aeo.web.languages import localized

GUIDES = {
    "bag": "power-bank-in-checked-baggage",
    "count": "how-many-power-banks-in-2026",
    "label": "power-bank-without-a-label",
    "mark": "china-3c-mark-domestic-and-international",
    "people": "power-banks-for-a-family",
    "recall": "recalled-power-bank-on-a-plane",
    "use": "using-a-power-bank-on-board",
}
"""The guide to each part of a question."""

PART_OF = {
    "number": "count",
    "people": "people",
    "label": "label",
    "mark": "mark",
    "recalled": "recall",
    "use": "use",
}
"""The part of a question that unused words belong to."""

_MARK = re.compile(r"3c\b|\bccc\b")
"""A mark that a sentence mentions in any way: a question about it, and not of a flight."""

ON_MAP = ("mark", "use")
"""The parts with a layer of the map."""

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


def general_pages(
    edition: Edition, parts: Collection[Asked], unused: Collection[Unused]
) -> tuple[GeneralPage, ...]:
    """Return the pages that answer most of the parts of a question first, and overviews last, each once.

    `unused` are its words that no part has.
    """
    found = (
        *_comparison(edition, parts, unused),
        *(one for asked in parts for one in _verdicts(edition, asked)),
        *(one for asked in parts for one in _guides(edition, asked)),
        *(one for asked in parts for one in _layers(asked)),
        *(one for asked in parts for one in _records(edition, asked)),
        *(GeneralPage(say(title), localized(path)) for path, title in OVERVIEWS.items()),
    )
    return tuple(dict.fromkeys(found))


def _comparison(edition: Edition, parts: Iterable[Asked], unused: Iterable[Unused]) -> Iterator[GeneralPage]:
    """Yield the comparison of the first airlines that are named, if there are several."""
    codes = sorted(named(edition.release, parts, unused)[: comparison.MOST])
    if len(codes) >= comparison.FEWEST:
        names = listed(airline_name(edition.release.shelf.airlines[code]) for code in codes)
        model = next((f"?model={asked.model_id}" for asked in parts if asked.model_id), "")
        path = localized(f"{comparison.path_of(codes)}{model}")
        yield GeneralPage(say("compare.title", airlines=names), path)


def _verdicts(edition: Edition, asked: Asked) -> Iterator[GeneralPage]:
    """Yield the verdict pages of a model and an airline, for each country that is named, or its own."""
    device = edition.release.shelf.devices.get(asked.model_id)
    airline = edition.release.shelf.airlines.get(asked.airline)
    if device is None or airline is None:
        return
    for country in [point.country for point in asked.places if point.country] or [airline.country]:
        name = country_name(country, edition.release.corpus.countries[country].name)
        title = listed([model_name(device), airline_name(airline), name])
        yield GeneralPage(title, localized(verdict_path(device.model_id, airline.airline, country)))


def _guides(edition: Edition, asked: Asked) -> Iterator[GeneralPage]:
    checked, parts = guides.check(edition), _parts(asked)
    for part, slug in GUIDES.items():
        if part in parts and slug in checked and checked[slug].holds and checked[slug].is_translated:
            guide = checked[slug].guide
            yield GeneralPage(guide.prose_in(active()).title, localized(guide.path))


def _layers(asked: Asked) -> Iterator[GeneralPage]:
    """Yield the airlines without use on board, and the layers of the map, if the question is about them."""
    parts = _parts(asked)
    if "use" in parts:
        title = say("named", name=say("list.airlines.title"), value=say("list.airlines.no_use"))
        yield GeneralPage(title, localized("/airlines?use=no"))
    for part in ON_MAP:
        if part in parts:
            yield GeneralPage(say(f"map.{part}.title"), localized(f"/map/{part}"))


def _parts(asked: Asked) -> set[str]:
    """Return the parts that the question mentions. A guide to bags is about checked ones."""
    about = {PART_OF[one.about] for one in asked.unused if one.about in PART_OF}
    said = {
        "bag": asked.compartment == "checked",
        "count": asked.quantity > 1 or asked.problem("count") is not None,
        "label": asked.capacity_label == "missing",
        "mark": asked.ccc_mark != "unknown" or _MARK.search(asked.typed["q"].lower()) is not None,
        "recall": asked.recall_check != "not_checked",
    }
    return about | {part for part, is_said in said.items() if is_said}


def _records(edition: Edition, asked: Asked) -> Iterator[GeneralPage]:
    shelf = edition.release.shelf
    if device := shelf.devices.get(asked.model_id):
        yield GeneralPage(model_name(device), localized(model_path(device.model_id)))
    if airline := shelf.airlines.get(asked.airline):
        yield GeneralPage(airline_name(airline), localized(airline_path(airline.airline)))
    for place in asked.places:
        if place.country:
            name = edition.release.corpus.countries[place.country].name
            yield GeneralPage(country_name(place.country, name), localized(country_path(place.country)))
