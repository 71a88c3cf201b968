"""An answer about an itinerary or a trip as a page record: its flights, its packing and its power banks.

Called by the views of itineraries and trips.
"""

from collections.abc import Iterable, Iterator

from aeo.checker.document import Context, headed, lines, link, programs, question, recall_check, refusal
from aeo.itineraries.flights import FlightShown
from aeo.itineraries.shown import ItemShown, Named, Packing
from aeo.pages import parts
from aeo.pages.record import (
    Block,
    Bullets,
    Drawing,
    Facts,
    Instant,
    Line,
    Link,
    Mark,
    Page,
    Paragraph,
    Run,
    Section,
    Sources,
)
from aeo.texts import say
from aeo.web.formatting import joined
from rules.selectors.evidence import Cited
from rules.wording import NextStep


def answered(path: str, title: str, context: Context, sections: Iterable[Section], *, program: str) -> Page:
    """Return the page of an answer. `sections` are what comes between the question and the refusal."""
    answer = context["answer"]
    known = [(say("answer.fresh.id"), (context["answer_id"],))] if context.get("answer_id") else []
    return Page(
        path=path,
        title=title,
        lead=context["summary"],
        mark=Mark(answer.outcome.verdict, context["word"]),
        sections=(
            question(context["asked"], context.get("notes", ()), [context["assumed"], context["holds"]]),
            *lines("answer.warnings", context["cautions"]),
            *sections,
            *refusal(context["refusal"]),
        ),
        crumbs=(),
        about=(
            (say("answer.fresh.ruleset"), (answer.release.ruleset_version,)),
            (say("answer.fresh.generated"), (Instant(answer.generated_at),)),
            (context["end_label"], (Instant(answer.expires_at),)),
            (say("trip.citations"), (str(len(answer.outcome.citations)),)),
            *known,
            programs(program),
        ),
    )


def packing(packed: Packing) -> Iterator[Section]:
    """Yield who packs what, what stays, what moves to the cabin, and what is not decided."""
    rows = tuple((pack.who, (pack.items,)) for pack in packed.packs)
    nothing = Paragraph((say("itinerary.packs.none"),))
    yield Section(packed.heading, (Facts(rows) if rows else nothing,))
    for key, names in (
        ("itinerary.stays", packed.stays),
        ("itinerary.to_cabin", tuple(Named(name, ()) for name in packed.to_cabin)),
        ("itinerary.undecided", packed.undecided),
    ):
        if names:
            lines = tuple((_named(one),) for one in names)
            yield Section(say(key), (Bullets(lines),), within=True)


def _named(one: Named) -> str:
    return say("named", name=one.name, value=joined(one.lines)) if one.lines else one.name


def flights(shown: tuple[FlightShown, ...]) -> Iterator[Section]:
    """Yield the flights in order, each with what decides about it and its sources."""
    yield Section(say("trip.flights", count=len(shown)), ())
    for flight in shown:
        yield Section(flight.title, tuple(_flight(flight)), within=True)


def energy(drawn: Drawing) -> Section:
    """Return the power banks against the limits on the flights."""
    return Section(say("energy.title"), (drawn,))


def _flight(flight: FlightShown) -> Iterator[Block]:
    yield Paragraph((Mark(flight.verdict, flight.word), *([f" {flight.says}"] if flight.says else [])))
    yield from (
        Paragraph((said,)) for said in (flight.decides, " · ".join(flight.details), flight.units) if said
    )
    if flight.uncovered:
        yield Paragraph((joined([flight.uncovered, say("trip.flight.uncovered")]),))
    others = "answer.others" if flight.bans else "itinerary.flight.conditions"
    bans = [(f"{ban.line} ", *_links(ban.citations)) for ban in flight.bans]
    yield from headed("answer.bans", bans)
    yield from headed("answer.settle", [(line,) for line in flight.settle])
    if flight.step is not None:
        yield Paragraph((_step(flight.step),))
    yield from headed(others, [(line,) for line in flight.conditions])
    yield from headed("answer.warnings", [(line,) for line in flight.warnings])
    if flight.citations:
        yield Paragraph((say("itinerary.flight.sources"),))
        yield Sources(flight.citations)
    for name, known in flight.ids:
        yield Paragraph((say("itinerary.flight.id", name=name, id=known),))


def _step(step: NextStep) -> Run:
    return Link(step.message, step.url) if step.url else step.message


def _links(citations: Iterable[Cited]) -> Line:
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
        yield from recall_check(item.recall_check)
    yield from headed("itinerary.candidates", [(link(one.name, one.path),) for one in item.candidates])
