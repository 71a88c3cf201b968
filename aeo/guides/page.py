"""/guides and /guides/<slug> as pages: the prose of a valid guide, or a note that it is being revised."""

from collections.abc import Iterable, Sequence

from django.conf import settings

from aeo.editions import Edition
from aeo.guides import Checked, Passage, named
from aeo.pages import parts
from aeo.pages.parts import authority, source_note
from aeo.pages.record import (
    Block,
    Bullets,
    Facts,
    Feed,
    Folded,
    Line,
    Link,
    Note,
    Page,
    Paragraph,
    Quote,
    Section,
)
from aeo.texts import active, say
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.formatting import listed
from aeo.web.jsonld import Crumb
from aeo.web.languages import tag
from rules.corpus import Published
from rules.engine.facts import Source
from rules.wording.translating import SOURCE_LANGUAGE

MOST_IN_A_LINE = 20
"""A longer list of names is shown on demand."""


def guide_page(edition: Edition, checked: Checked) -> Page:
    """Return the page of a guide. A withheld guide shows nothing of its statements.

    One that is not yet translated leads to the English page: no page is half in another language.
    """
    prose, path = checked.prose, checked.guide.path
    if not checked.holds:
        return Page(
            path=path,
            title=prose.title,
            lead=say("guide.revised"),
            sections=(Section(say("guide.meanwhile.heading"), (Paragraph((say("guide.meanwhile"),)),)),),
            crumbs=parts.crumbs(_home(), (prose.title, path)),
            about=_about(edition),
            kind="article",
        )
    if not checked.is_translated:
        return Page(
            path=path,
            title=prose.title,
            lead=say("guide.untranslated"),
            sections=(
                Section(say("guide.in.english"), (Bullets(((Link(prose.title, _in_english(checked)),),)),)),
            ),
            crumbs=parts.crumbs(_home(), (prose.title, path)),
            about=_about(edition),
            kind="article",
        )
    answered = [(one.question, one.answer) for one in prose.answers]
    return Page(
        path=path,
        title=prose.title,
        description=prose.description,
        lead=prose.short_answer,
        sections=(
            *(_answered(edition, one) for one in prose.answers),
            Section(say("sources"), (Bullets(tuple(map(_source, checked.sources))),)),
        ),
        crumbs=parts.crumbs(_home(), (prose.title, path)),
        about=(*_about(edition), (say("about.checked"), (say("guide.checked"),))),
        node=jsonld.questions(
            url=address(path), language=tag(), answered=[(prose.title, prose.short_answer), *answered]
        ),
        kind="article",
    )


def guides_page(edition: Edition, shown: Iterable[Checked]) -> Page:
    """Return the list of the shown guides, with those apart that the reader gets in English."""
    lines: list[Line] = []
    in_english: list[Line] = []
    for one in shown:
        if one.is_translated:
            lines.append((Link(one.prose.title, one.guide.path),))
        else:
            in_english.append((Quote(one.prose.title), " ", Link(say("guide.in.english"), _in_english(one))))
    title, lead = say("guides.title"), say("guides.lead")
    return Page(
        path="/guides",
        title=title,
        lead=lead,
        sections=(
            Section(say("guides.asked"), (Bullets(tuple(lines)),)),
            *([Section(say("guides.untranslated"), (Bullets(tuple(in_english)),))] if in_english else []),
        ),
        crumbs=parts.crumbs(_home()),
        about=_about(edition),
        feeds=(
            Feed("/feeds/rulesets.atom", say("feed.rulesets")),
            Feed("/feeds/effective-dates.ics", say("feed.dates"), "text/calendar"),
        ),
        node=jsonld.collection(
            url=address("/guides"),
            name=title,
            description=lead,
            items=[
                Crumb(one.text, address(one.url)) for line in lines for one in line if isinstance(one, Link)
            ],
            language=tag(),
        ),
    )


def _answered(edition: Edition, passage: Passage) -> Section:
    """Return a question with its answer, and the list that belongs to the answer."""
    return Section(passage.question, (Paragraph((passage.answer,)), *_who(edition, passage)))


def _who(edition: Edition, passage: Passage) -> Iterable[Block]:
    """Return who has a rule of the kind in a passage: all of them, each with its page."""
    if passage.who is None:
        return
    found, release = named(edition.release, edition.today, passage.who), edition.release
    airlines = sorted((parts.airline_link(release, code) for code in found.airlines), key=_by_name)
    yield from _links("guide.who.airlines", airlines)
    assumed = sorted((parts.airline_link(release, code) for code in found.assumed), key=_by_name)
    yield from _links("guide.who.assumed", assumed)
    places = sorted((_place(release, code) for code in found.places), key=_by_name)
    yield from _links("guide.who.places", places)
    yield Paragraph((Note(say("guide.who")),))


def _by_name(link: Link) -> str:
    return link.text.casefold()


def _place(release: Published, code: str) -> Link:
    if code in release.corpus.countries:
        return parts.country_link(release, code)
    return Link(authority(release, code), f"/api/rules?jurisdiction={code}")


def _links(key: str, links: Sequence[Link]) -> Iterable[Block]:
    if links:
        counted = say(key, count=len(links))
        if len(links) > MOST_IN_A_LINE:
            yield Folded(counted, (Bullets(tuple((link,) for link in links)),))
        else:
            yield Facts(((counted, parts.commas(links)),))


def _in_english(checked: Checked) -> str:
    """Return the whole address of the English page: a path would lead to that of the reader's language."""
    return f"{settings.SITE_URL}{checked.guide.path}"


def _home() -> tuple[str, str]:
    return say("guides"), "/guides"


def _about(edition: Edition) -> tuple[tuple[str, Line], ...]:
    return parts.about(edition, (Link(say("programs.manifest"), "/aeo-manifest.json"),))


def _source(source: Source) -> Line:
    if active() == SOURCE_LANGUAGE:
        return Link(source.title, source.url), Note(f" {listed([source.authority, source_note(source)])}")
    # Titles are in English if editors gave them.
    return Link(source.authority, source.url), Note(f" {source_note(source)}")
