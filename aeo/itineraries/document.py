"""An answer about an itinerary or a trip as a page record, for readers who prefer Markdown.

It has the facts of the HTML page, from the same values. Called by the views of itineraries and trips.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from aeo.asking import Problem
from aeo.checker.recall_check import RecallCheckShown
from aeo.itineraries.flights import FlightShown
from aeo.itineraries.shown import ItemShown, Packing, Stays
from aeo.pages import parts
from aeo.pages.answers import as_markdown
from aeo.pages.record import (
    Block,
    Bullets,
    Facts,
    Instant,
    Line,
    Link,
    Mark,
    Page,
    Paragraph,
    Section,
    Shown,
    Sources,
)
from aeo.pages.refusal import RefusalCard
from aeo.texts import say
from aeo.web.formatting import comma, joined, listed
from aeo.web.negotiation import MARKDOWN, preferred
from rules.engine.corpus import Citation
from rules.wording import NextStep

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


def unanswered(path: str, title: str, problems: Iterable[Problem], *, program: str) -> Page:
    """Return the page of a question that is not answered: what is wrong with it or missing.

    `program` is the operation that answers programs.
    """
    lines = [(one.sentence, *_choices(one)) for one in problems]
    missing = (Section(say("answer.settle"), (Bullets(tuple(lines)),)),) if lines else ()
    lead = say("checker.incomplete.lead")
    return Page(path=path, title=title, lead=lead, sections=missing, crumbs=(), about=(_programs(program),))


def _choices(problem: Problem) -> Line:
    names = listed(choice.label for choice in problem.choices)
    return (f" ({names})",) if names else ()


def answered(path: str, title: str, context: Context, sections: Iterable[Section], *, program: str) -> Page:
    """Return the page of an answer. `sections` are what comes between the question and the refusal."""
    answer, refusal = context["answer"], context["refusal"]
    known = [(say("answer.fresh.id"), (context["answer_id"],))] if context.get("answer_id") else []
    return Page(
        path=path,
        title=title,
        lead=context["summary"],
        mark=Mark(answer.outcome.verdict, context["word"]),
        sections=(
            _question(context),
            *sections,
            *([_refusal(refusal)] if refusal else []),
        ),
        crumbs=(),
        about=(
            (say("answer.fresh.ruleset"), (answer.release.ruleset_version,)),
            (say("answer.fresh.generated"), (Instant(answer.generated_at),)),
            (context["end_label"], (Instant(answer.expires_at),)),
            (say("trip.citations"), (str(len(answer.outcome.citations)),)),
            *known,
            _programs(program),
        ),
    )


def _programs(program: str) -> tuple[str, Line]:
    return say("about.programs"), (Link(program, "/api/docs/"),)


def _question(context: Context) -> Section:
    limits = joined(filter(None, [context["assumed"], context["holds"]]))
    notes = [Paragraph((note,)) for note in context.get("notes", ())]
    return Section(say("answer.question"), (_bullets(context["asked"]), *notes, Paragraph((limits,))))


def lines(key: str, said: Iterable[str]) -> tuple[Section, ...]:
    """Return some lines under the heading of a key; empty without lines."""
    shown = tuple(said)
    return (Section(say(key), (_bullets(shown),)),) if shown else ()


def packing(packed: Packing) -> Iterator[Section]:
    """Yield who packs what, what stays, what moves to the cabin, and what is not decided."""
    rows = tuple((pack.who, (pack.items,)) for pack in packed.packs)
    nothing = Paragraph((say("itinerary.packs.none"),))
    yield Section(packed.heading, (Facts(rows) if rows else nothing,))
    for key, names in (
        ("itinerary.stays", packed.stays),
        ("itinerary.to_cabin", tuple(Stays(name, ()) for name in packed.to_cabin)),
        ("itinerary.undecided", packed.undecided),
    ):
        if names:
            lines = tuple((_named(one),) for one in names)
            yield Section(say(key), (Bullets(lines),), within=True)


def _named(one: Stays) -> str:
    return say("named", name=one.name, value=joined(one.reasons)) if one.reasons else one.name


def flights(shown: tuple[FlightShown, ...]) -> Iterator[Section]:
    """Yield the flights in order, each with what decides about it and its sources."""
    yield Section(say("trip.flights", count=len(shown)), ())
    for flight in shown:
        yield Section(flight.title, tuple(_flight(flight)), within=True)


def _flight(flight: FlightShown) -> Iterator[Block]:
    yield Paragraph((Mark(flight.verdict, flight.word), *([f" {flight.says}"] if flight.says else [])))
    yield Paragraph((" · ".join(flight.details),))
    if flight.uncovered:
        yield Paragraph((joined([flight.uncovered, say("trip.flight.uncovered")]),))
    others = "answer.others" if flight.bans else "itinerary.flight.conditions"
    bans = [(f"{ban.line} ", *_links(ban.citations)) for ban in flight.bans]
    yield from _headed("answer.bans", bans)
    yield from _headed("answer.settle", [(line,) for line in flight.settle])
    yield from _step(flight.step, settled=bool(flight.settle))
    yield from _headed(others, [(line,) for line in flight.conditions])
    yield from _headed("answer.warnings", [(line,) for line in flight.warnings])
    if flight.citations:
        yield Paragraph((say("itinerary.flight.sources"),))
        yield Sources(flight.citations)
    for name, known in flight.ids:
        yield Paragraph((say("itinerary.flight.id", name=name, id=known),))


def _headed(key: str, lines: list[Line]) -> Iterator[Block]:
    if lines:
        yield Paragraph((say(key),))
        yield Bullets(tuple(lines))


def _step(step: NextStep | None, *, settled: bool) -> Iterator[Block]:
    if step is not None and step.url:
        yield Paragraph((Link(step.message, step.url),))
    elif step is not None and not settled:
        yield Paragraph((step.message,))


def _links(citations: Iterable[Citation]) -> Line:
    return parts.commas(Link(cited.authority, cited.url) for cited in citations)


def items(shown: Iterable[ItemShown]) -> Iterator[Section]:
    """Yield the power banks, each with its verdict, what was said of it, and its open recall."""
    yield Section(say("itinerary.items"), ())
    for item in shown:
        yield Section(item.name, tuple(_item(item)), within=True)


def _item(item: ItemShown) -> Iterator[Block]:
    by_number = say("itinerary.stays.alone")
    yield Paragraph((by_number if item.too_many else Mark(item.verdict, item.word),))
    yield Paragraph((" · ".join(item.said),))
    if item.recall_check is not None:
        yield from _recall_check(item.recall_check)
    yield from _headed("itinerary.candidates", [(link(one.name, one.path),) for one in item.candidates])


def recall(check: RecallCheckShown | None) -> tuple[Section, ...]:
    """Return what an open recall asks; empty if none is open."""
    return (Section(say("answer.recalls"), tuple(_recall_check(check))),) if check else ()


def _recall_check(check: RecallCheckShown) -> Iterator[Block]:
    page = [link(say("answer.recalls.check"), check.serial_check)] if check.serial_check else []
    links = [link(one.label, one.path) for one in (*check.places, *check.outcomes)]
    yield Paragraph((check.advice,))
    yield Bullets(tuple((one,) for one in (*links, *page)))


def _refusal(card: RefusalCard) -> Section:
    facts = tuple(_airports(card))
    leads = (Paragraph((link(card.country.text, card.country.url),)),) if card.country else ()
    lead = Paragraph((say("refusal.lead"),))
    return Section(say("refusal.title"), (lead, _bullets(card.advice), *facts, *leads))


def _airports(card: RefusalCard) -> Iterator[Block]:
    for code, facts in card.airports:
        yield Paragraph((joined([say("refusal.airport", airport=code), say("refusal.airports.lead")]),))
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


def _bullets(lines: Iterable[str]) -> Bullets:
    return Bullets(tuple((line,) for line in lines))
