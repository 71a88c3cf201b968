"""The parts that pages about the service share: sections made of texts by key, and the page itself."""

from collections.abc import Iterable
from typing import Any

from aeo.editions import Edition
from aeo.pages import parts
from aeo.pages.record import Block, Bullets, Folded, Line, Link, Page, Paragraph, Section
from aeo.texts import active, say
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.jsonld import Crumb, Node
from aeo.web.languages import tag
from catalog.cadence import PACES

MORE: dict[str, str] = {
    "/methodology": "methodology.link.methodology",
    "/scorecard": "methodology.link.scorecard",
    "/coverage": "methodology.link.coverage",
    "/disagreements": "methodology.link.disagreements",
    "/limits-of-this-check": "methodology.link.limits",
    "/rulesets": "methodology.link.rulesets",
    "/policy-changes": "methodology.link.policy_changes",
    "/map": "methodology.link.map",
    "/timeline": "methodology.link.timeline",
    "/data-boundary": "methodology.link.data",
    "/about": "methodology.link.about",
    "/status": "methodology.link.status",
}
"""The pages about the service and the words of the links to them, in the order of their links."""


def page(
    edition: Edition, path: str, *, title: str, lead: str, sections: tuple[Section, ...], **more: Any
) -> Page:
    """Return a page about the service, with links to the others at its end.

    `more` are fields of `Page`, such as `node`, `crumbs` or `json_url`.
    """
    programs: Line = more.pop("programs", (Link(say("service.programs.manifest"), "/aeo-manifest.json"),))
    more_fields = {
        "crumbs": parts.crumbs((title, path)),
        "node": web_page(path, title, lead, edition.release.ruleset_version),
        **more,
    }
    return Page(
        path=path,
        title=title,
        lead=lead,
        sections=(*sections, see_also(path)),
        about=parts.about(edition, programs),
        **more_fields,
    )


def see_also(path: str) -> Section:
    """Return links to the other pages about the service."""
    return see(*(other for other in MORE if other != path))


def see(*paths: str) -> Section:
    """Return links to some of the pages about the service."""
    return Section(
        say("service.see_also"), (Bullets(tuple((Link(say(MORE[path]), path),) for path in paths)),)
    )


def web_page(path: str, title: str, lead: str, version: str | None) -> Node:
    """Return the structured data of a page in prose."""
    return jsonld.plain_page(
        url=address(path), name=title, description=lead, language=tag(active()), ruleset_version=version
    )


def questions(path: str, answered: list[tuple[str, str]]) -> Node:
    """Return the structured data of a page of questions and answers."""
    return jsonld.questions(url=address(path), language=tag(active()), answered=answered)


def collection(path: str, title: str, lead: str, items: list[Crumb]) -> Node:
    """Return the structured data of a list."""
    return jsonld.collection(
        url=address(path), name=title, description=lead, items=items, language=tag(active())
    )


def listed(heading: str, *keys: str, **values: str | int) -> Section:
    """Return a section of texts as bullets. The values apply to all of them."""
    return Section(say(heading), (Bullets(tuple((say(key, **values),) for key in keys)),))


def said(heading: str, *keys: str) -> Section:
    """Return a section of texts as one paragraph each."""
    return Section(say(heading), tuple(paragraph(key) for key in keys))


def paragraph(key: str, **values: str | int) -> Paragraph:
    """Return a text as a paragraph."""
    return Paragraph((say(key, **values),))


def good_days() -> dict[str, str]:
    """Return for how many days a reading counts as fresh, by the cadence of its source."""
    return {cadence: str(pace.good_days) for cadence, pace in PACES.items()}


def folded(summary: str, lines: Iterable[Line], most: int) -> tuple[Block, ...]:
    """Return the same as `bounded`, to be opened on demand under a summary."""
    found = bounded(list(lines), most)
    return (Folded(summary, found),) if found else ()


def bounded(lines: list[Line], most: int) -> tuple[Bullets | Paragraph, ...]:
    """Return at most so many bullets, and the number of further ones; empty if there are none."""
    if not lines:
        return ()
    more = len(lines) - most
    shown = Bullets(tuple(lines[:most]))
    return (shown, paragraph("service.more", count=more)) if more > 0 else (shown,)
