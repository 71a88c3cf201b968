"""/guides and /guides/<slug> as pages: the prose of a guide that holds, or that it is being revised."""

from collections.abc import Iterable

from aeo import jsonld
from aeo.articles import LANGUAGE
from aeo.editions import Edition
from aeo.guides import Checked
from aeo.http import address
from aeo.jsonld import Crumb
from aeo.pages import parts
from aeo.pages.record import Bullets, Feed, Line, Link, Note, Page, Paragraph, Section
from aeo.pages.words import day
from aeo.texts import say
from rules.engine.facts import Source

_HOME = ("Guides", "/guides")


def guide_page(edition: Edition, checked: Checked) -> Page:
    """Return the page of a guide. One that is held back says nothing of what it stated."""
    prose, path = checked.guide.prose, checked.guide.path
    if not checked.holds:
        return Page(
            path=path,
            title=prose.title,
            lead=say("guide.revised"),
            sections=(Section("What to do meanwhile", (Paragraph((say("guide.meanwhile"),)),)),),
            crumbs=parts.crumbs(_HOME, (prose.title, path)),
            about=_about(edition),
            kind="article",
        )
    answered = [(one.question, one.answer) for one in prose.answers]
    return Page(
        path=path,
        title=prose.title,
        description=prose.description,
        lead=checked.short_answer,
        sections=(
            *(Section(question, (Paragraph((answer,)),)) for question, answer in answered),
            Section("Sources", (Bullets(tuple(map(_source, checked.sources))),)),
        ),
        crumbs=parts.crumbs(_HOME, (prose.title, path)),
        about=(*_about(edition), ("Checked", (say("guide.checked"),))),
        node=jsonld.questions(
            url=address(path), language=LANGUAGE, answered=[(prose.title, checked.short_answer), *answered]
        ),
        kind="article",
    )


def guides_page(edition: Edition, shown: Iterable[Checked]) -> Page:
    """Return the list of the guides that are shown."""
    lines: list[Line] = [(Link(one.guide.prose.title, one.guide.path),) for one in shown]
    title, lead = "Power bank guides", say("guides.lead")
    return Page(
        path="/guides",
        title=title,
        lead=lead,
        sections=(Section("What people ask", (Bullets(tuple(lines)),)),),
        crumbs=parts.crumbs(_HOME),
        about=_about(edition),
        feeds=(
            Feed("/feeds/rulesets.atom", "Rulesets"),
            Feed("/feeds/effective-dates.ics", "Effective dates of rules", "text/calendar"),
        ),
        node=jsonld.collection(
            url=address("/guides"),
            name=title,
            description=lead,
            items=[
                Crumb(one.text, address(one.url)) for line in lines for one in line if isinstance(one, Link)
            ],
        ),
    )


def _about(edition: Edition) -> tuple[tuple[str, Line], ...]:
    return parts.about(edition, (Link("The manifest", "/aeo-manifest.json"),))


def _source(source: Source) -> Line:
    said = f" {source.authority}, {source.kind}, {source.jurisdiction}, read {day(source.read_on)}"
    return Link(source.title, source.url), Note(said)
