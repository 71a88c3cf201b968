"""/p/<model>/<airline>/<country> as a page: the layout of an article."""

from collections.abc import Callable, Iterator
from itertools import chain

from aeo.articles.article import Article
from aeo.articles.flights import Flight, Kind
from aeo.pages import disagreements, energy, parts
from aeo.pages.paths import brand_path, recall_path
from aeo.pages.pictures import HEIGHT, WIDTH
from aeo.pages.record import (
    Block,
    Bullets,
    Facts,
    Folded,
    Line,
    Link,
    Mark,
    Note,
    Page,
    Paragraph,
    Section,
    Table,
)
from aeo.texts import country_name, say
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.formatting import bracketed, day, joined, listed, verdict_word
from aeo.web.jsonld import Image, Product
from aeo.web.languages import tag
from aeo.web.structured_data import publisher
from rules import wording
from rules.engine.vocabulary import STRICTNESS
from rules.verdicts import Answer

OF_MOST_UNITS = frozenset({"label_required", "personal_use_only", "un38_3_type_tested"})
"""Conditions that most power banks of travelers meet anyway. They come last: a phone shows the first ones."""

Worded = Callable[[Answer, str], Iterator[str]]


def verdict_page(shown: Article) -> Page:
    """Return the page of an article."""
    device, url = shown.device, address(shown.path)
    return Page(
        path=shown.path,
        title=shown.question,
        lead=shown.lead,
        description=shown.summary,
        mark=Mark(shown.verdict, verdict_word(shown.verdict)),
        kind="article",
        sections=(
            *_advice(shown),
            *_said(_constraints_heading(shown), shown, _conditions),
            *_said(say("verdict.warnings"), shown, _warnings),
            _flights(shown),
            _device(shown),
            *_recalls(shown),
            _why(shown),
            *disagreements.section(shown.release, shown.disagreements),
            *parts.sources(shown.release, shown.citations),
            _related(shown),
        ),
        crumbs=parts.crumbs(
            (say("brands"), "/brands"),
            (device.brand, brand_path(device.brand)),
            (shown.question, shown.path),
        ),
        about=parts.origin(
            shown.release.ruleset_version,
            shown.expires_at,
            parts.commas(
                [
                    Link(say("programs.answers"), f"{shown.path}.json"),
                    Link(say("programs.of_model"), f"/api/devices/{device.model_id}"),
                    Link(say("programs.of_recalls"), f"/api/devices/{device.model_id}/recalls"),
                    Link(say("programs.of_airline"), f"/api/airlines/{shown.airline.airline}"),
                ]
            ),
        ),
        node=jsonld.article(
            publisher=publisher(),
            image=Image(address(f"{shown.path}.png"), WIDTH, HEIGHT),
            url=url,
            headline=shown.question,
            body=shown.body,
            language=tag(shown.language),
            ruleset_version=shown.release.ruleset_version,
            expires=shown.expires_at,
            about=Product(device.model_id, shown.model, device.brand, device.model_number),
            citations=shown.citations,
        ),
        json_url=address(f"{shown.path}.json"),
        picture_url=address(f"{shown.path}.png"),
    )


def _flights(shown: Article) -> Section:
    date = day(shown.flights[0].answer.question.travel_date)
    rows = tuple((_flight(shown, flight), (_mark(flight),)) for flight in shown.flights)
    examples = (
        [say("flights.examples")] if any(_is_example(shown, flight) for flight in shown.flights) else []
    )
    return Section(
        say("verdict.flights"),
        (
            Table((say("label.flight"), say("label.verdict")), rows),
            Paragraph((Note(joined([*examples, say("flights.asked", date=date)])),)),
            parts.own_flight(model=shown.device.model_id, airline=shown.airline.airline),
        ),
    )


def _mark(flight: Flight) -> Mark:
    verdict = flight.answer.outcome.verdict
    return Mark(verdict, verdict_word(verdict))


def _flight(shown: Article, flight: Flight) -> Line:
    countries = shown.release.corpus.countries
    origin, destination = (
        country_name(code, countries[code].name) for code in (flight.leg.origin, flight.leg.destination)
    )
    route = say("flights.route", origin=origin, destination=destination)
    said = say("flights.example", route=route) if _is_example(shown, flight) else route
    milder = [say("flights.milder", count=flight.milder)] if flight.milder else []
    return say(f"kind.{flight.kind}"), Note(f" {joined([said, *milder])}")


def _is_example(shown: Article, flight: Flight) -> bool:
    """Tell whether a flight stands for those to or from all other countries."""
    other = flight.leg.destination if flight.kind == "departing" else flight.leg.origin
    return flight.kind != "domestic" and other != shown.airline.country


def _advice(shown: Article) -> Iterator[Section]:
    """Return what to do now, if a flight bans the model."""
    said = chain.from_iterable(wording.advice(flight.answer, shown.language) for flight in shown.flights)
    lines = tuple((line,) for line in dict.fromkeys(said))
    if lines:
        yield Section(say("answer.now"), (Bullets(lines),))


def _constraints_heading(shown: Article) -> str:
    """Return the heading of the conditions. Only conditions of what may travel are things to do."""
    may_travel = STRICTNESS[shown.verdict] < STRICTNESS["insufficient"]
    return say("verdict.constraints" if may_travel else "verdict.conditions")


def _said(heading: str, shown: Article, worded: Worded) -> Iterator[Section]:
    """Return each sentence once, those of the strictest flight first, with the flights it applies to."""
    flights = sorted(shown.flights, key=lambda flight: -STRICTNESS[flight.answer.outcome.verdict])
    kinds: dict[str, list[Kind]] = {}
    for flight in flights:
        for text in worded(flight.answer, shown.language):
            kinds.setdefault(text, []).append(flight.kind)
    lines: list[Line] = []
    for text, those in kinds.items():
        in_order = listed(
            say(f"kind.{flight.kind}.remark") for flight in shown.flights if flight.kind in those
        )
        everywhere = len(those) == len(flights)
        only = () if everywhere else (Note(bracketed(say("kind.only", kinds=in_order))),)
        lines.append((*parts.with_links(text), *only))
    if lines:
        yield Section(heading, (Bullets(tuple(lines)),))


def _conditions(answer: Answer, language: str) -> Iterator[str]:
    """Yield the conditions of a flight: those to settle before it first, and marked as such."""
    question, outcome = answer.question, answer.outcome
    may_travel = outcome.verdict != "banned"
    worded = []
    for statement, text in zip(
        outcome.constraints, wording.constraint_messages(outcome, language), strict=True
    ):
        if may_travel and wording.is_open(statement, question):
            worded.append((0, say("verdict.open", point=text)))
        else:
            worded.append((2 if statement.name in OF_MOST_UNITS else 1, text))
    yield from (text for _, text in sorted(worded, key=lambda one: one[0]))


def _warnings(answer: Answer, language: str) -> Iterator[str]:
    """Yield what else to know about a flight, without what its conditions say too."""
    outcome = answer.outcome
    conditions = {statement.name for statement in outcome.constraints}
    for statement, text in zip(outcome.warnings, wording.warning_messages(outcome, language), strict=True):
        if statement.name == "recall_external_list" and "recall_serial_check" in conditions:
            continue
        unconfirmed = statement.name == "airline_policy_unconfirmed" and outcome.verdict == "conditional"
        yield say("verdict.open", point=text) if unconfirmed else text


def _device(shown: Article) -> Section:
    """Return the unit against the strictest limits of the flights, and whether it was recalled at all."""
    flights = ((flight.leg, flight.answer.question.travel_date) for flight in shown.flights)
    drawn = energy.at_a_glance(shown.release, shown.device, flights)
    blocks: list[Block] = [Paragraph((line,)) for line in energy.in_words([energy.Carried(shown.device)])]
    blocks += [drawn] if drawn else []
    blocks += [] if shown.recalls else [Paragraph((say("recalls.none"),))]
    return Section(say("energy.title"), tuple(blocks))


def _recalls(shown: Article) -> Iterator[Section]:
    if shown.recalls:
        yield Section(say("verdict.recalls"), ())
    for recall in shown.recalls:
        rows: tuple[tuple[str, Line], ...] = (
            (say("label.announced"), (listed([parts.announced(recall), recall.authority]),)),
            (say("label.hazard"), (parts.quoted(recall.hazard),)),
            (say("label.remedy"), (parts.quoted(recall.remedy),)),
            (
                say("label.more"),
                parts.commas(
                    [
                        Link(say("recall.check"), recall_path(recall.recall_id)),
                        Link(parts.notice_words(recall, say("recall.notice")), recall.notice_url),
                    ]
                ),
            ),
        )
        yield Section(parts.recall_title(shown.release, recall), (Facts(rows),), within=True)


def _why(shown: Article) -> Section:
    """Return what each party contributes, to be opened on demand: it names the conditions once more."""
    lines = Bullets(tuple((text,) for text in shown.route_factors))
    return Section(say("verdict.why"), (Folded(say("verdict.why.each"), (lines,)),))


def _related(shown: Article) -> Section:
    release, device = shown.release, shown.device
    links = [
        parts.model_link(release, device.model_id),
        Link(device.brand, brand_path(device.brand)),
        parts.airline_link(release, shown.airline.airline),
        parts.country_link(release, shown.country.code),
    ]
    return Section(say("verdict.related"), (Paragraph(parts.commas(links)),))
