"""The frame of every page: the menu, the files that it loads, and the shapes of verdicts."""

from typing import NamedTuple

from django import template

from aeo.pages.html import batteries, drawing
from aeo.pages.shapes import shape
from aeo.texts import say
from aeo.web.assets import asset
from aeo.web.languages import Alternate, alternates, is_page, localized

register = template.Library()


class Place(NamedTuple):
    """A target of a menu. `here` tells whether the shown page belongs to it."""

    name: str
    path: str
    here: bool


MENU = ("/", "/trip", "/guides", "/models", "/airlines", "/countries", "/recalls")
"""The main menu; the label of each entry is the text `menu` with its path."""

ASKING = frozenset(("/", "/check", "/itinerary"))
"""The pages of the question, which belong to the first entry."""

FOOT = (
    "/about", "/methodology", "/scorecard", "/coverage", "/disagreements", "/rulesets", "/status",
    "/data-boundary", "/limits-of-this-check", "/policy-changes", "/timeline", "/map", "/datasets",
    "/developers",
    "/api/docs/", "/embed",
)  # fmt: skip
"""The links in the foot of each page."""


@register.simple_tag(takes_context=True)
def page_path(context: template.Context) -> str:
    """Return the path of the shown page, as in English; empty if there is no request."""
    request = context.get("request")
    return request.path_info if request is not None else ""


@register.simple_tag
def switcher(path: str) -> list[Alternate]:
    """Return the page at a path in every language; empty if it has only one."""
    languages = alternates(path) if is_page(path) else []
    return languages if len(languages) > 1 else []


@register.simple_tag
def menu(path: str) -> list[Place]:
    """Return the main menu for the page at a path, as in English."""
    return [_place(one, path) for one in MENU]


@register.simple_tag
def foot(path: str) -> list[Place]:
    """Return the links in the foot of the page at a path."""
    return [_place(one, path) for one in FOOT]


register.simple_tag(shape)
register.simple_tag(drawing)
register.simple_tag(batteries)


register.simple_tag(asset)


def _place(place: str, path: str) -> Place:
    here = path in ASKING if place == "/" else path == place or path.startswith(f"{place}/")
    return Place(say(f"menu.{place}"), localized(place), here)
