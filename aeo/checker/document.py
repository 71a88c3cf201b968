"""An answer as a page record, for readers who prefer Markdown: what `/check`, trips and itineraries share.

It has the facts of the HTML page, from the same values. Called by the views of all three.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from aeo.asking import Problem
from aeo.checker.recall_check import RecallCheckShown
from aeo.pages.answers import as_markdown
from aeo.pages.record import Block, Bullets, Facts, Line, Link, Page, Paragraph, Section, Shown
from aeo.pages.refusal import RefusalCard
from aeo.texts import say
from aeo.web.formatting import comma, joined, listed
from aeo.web.negotiation import MARKDOWN, preferred

Context = dict[str, Any]
"""What a template of an answer shows."""


def send(
    request: HttpRequest, template: str, context: Context, page: Callable[[Context], Page]
) -> HttpResponse:
    """Send an answer as HTML, or as Markdown if the reader prefers that."""
    if preferred(request) == MARKDOWN:
        response = as_markdown(Shown(page=page(context), indexed=False))
    else:
        response = render(request, template, context)
    patch_vary_headers(response, ["Accept"])
    return unkept(response)


def unkept(response: HttpResponse) -> HttpResponse:
    """Forbid every cache to store the question."""
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex"
    return response


def unanswered(
    path: str, title: str, problems: Iterable[Problem], *, program: str, more: Iterable[Section] = ()
) -> Page:
    """Return the page of a question that is not answered: what is wrong with it or missing, and `more`.

    `program` is the operation that answers programs.
    """
    lines = [(one.sentence, *_choices(one)) for one in problems]
    missing = (Section(say("answer.settle"), (Bullets(tuple(lines)),)),) if lines else ()
    lead = say("checker.incomplete.lead")
    return Page(
        path=path, title=title, lead=lead, sections=(*missing, *more), crumbs=(), about=(programs(program),)
    )


def understood(context: Context) -> tuple[Section, ...]:
    """Return the words of a question that were not used, what was understood, and what applies in general."""
    progress = context["progress"]
    return (
        *lines("answer.now", context["dangerous"]),
        *lines("checker.unused", context["unused"]),
        *lines("progress.understood", progress.understood if progress else ()),
        *linked("checker.general", [link(page.title, page.path) for page in context["general"]]),
    )


def _choices(problem: Problem) -> Line:
    names = listed(choice.label for choice in problem.choices)
    return (f" ({names})",) if names else ()


def programs(program: str) -> tuple[str, Line]:
    """Return the operation that answers programs, as a fact about a page."""
    return say("about.programs"), (Link(program, "/api/docs/"),)


def question(asked: Iterable[str], notes: Iterable[str], limits: Iterable[str]) -> Section:
    """Return the question in words, notes about it, and what limits its answer."""
    said = [*notes, joined(filter(None, limits))]
    return Section(say("answer.question"), (bullets(asked), *(Paragraph((one,)) for one in said)))


def lines(key: str, said: Iterable[str]) -> tuple[Section, ...]:
    """Return some lines under the heading of a key; empty without lines."""
    shown = tuple(said)
    return (Section(say(key), (bullets(shown),)),) if shown else ()


def linked(key: str, links: Iterable[Link]) -> tuple[Section, ...]:
    """Return some links under the heading of a key; empty without links."""
    shown = tuple((one,) for one in links)
    return (Section(say(key), (Bullets(shown),)),) if shown else ()


def headed(key: str, lines: Iterable[Line]) -> Iterator[Block]:
    """Yield some lines under a heading within a section; nothing without lines."""
    if shown := tuple(lines):
        yield Paragraph((say(key),))
        yield Bullets(shown)


def recall(check: RecallCheckShown | None) -> tuple[Section, ...]:
    """Return what an open recall asks; empty if none is open."""
    return (Section(say("answer.recalls"), tuple(recall_check(check))),) if check else ()


def recall_check(check: RecallCheckShown) -> Iterator[Block]:
    """Yield what an open recall asks: the advice, and where to look the unit up."""
    page = [link(say("answer.recalls.check"), check.serial_check)] if check.serial_check else []
    links = [link(one.label, one.path) for one in (*check.places, *check.outcomes)]
    yield Paragraph((check.advice,))
    yield Bullets(tuple((one,) for one in (*links, *page)))


def refusal(card: RefusalCard | None) -> tuple[Section, ...]:
    """Return what to do with a unit that staff refuse; empty if they do not."""
    if card is None:
        return ()
    facts = tuple(_airports(card))
    leads = (Paragraph((link(card.country.text, card.country.url),)),) if card.country else ()
    lead = Paragraph((say("refusal.lead"),))
    return (Section(say("refusal.title"), (lead, bullets(card.advice), *facts, *leads)),)


def _airports(card: RefusalCard) -> Iterator[Block]:
    for name, facts in card.airports:
        yield Paragraph((joined([say("refusal.airport", airport=name), say("refusal.airports.lead")]),))
        yield Facts(
            tuple(
                (one.kind, (f"{joined(filter(None, [one.fact, one.since]))} ", *_read(one.sources)))
                for one in facts
            )
        )


def _read(sources: Iterable[Any]) -> Line:
    runs: list[Link | str] = []
    for one in sources:
        runs += [comma()] if runs else []
        runs += [Link(one.authority, one.url), f" {one.read}"]
    return tuple(runs)


def link(text: str, path: str) -> Link:
    """Return a link to a path of this site that has its language already, or to another site."""
    return Link(text, f"{settings.SITE_URL}{path}" if path.startswith("/") else path)


def bullets(lines: Iterable[str]) -> Bullets:
    """Return a list of plain lines."""
    return Bullets(tuple((line,) for line in lines))
