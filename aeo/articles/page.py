"""/p/<model>/<airline>/<country> as a page: the layout of an article."""

from collections.abc import Callable, Iterator
from itertools import chain

from aeo.articles.article import Article
from aeo.articles.documents import ask
from aeo.articles.flights import Flight, Kind
from aeo.pages import disagreements, parts
from aeo.pages.paths import brand_path, recall_path
from aeo.pages.pictures import HEIGHT, WIDTH
from aeo.pages.record import (
    Bullets,
    Code,
    Facts,
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
from aeo.web.documents import encode
from aeo.web.formatting import bracketed, day, joined, listed, verdict_word
from aeo.web.jsonld import Image, Product
from aeo.web.languages import tag
from aeo.web.structured_data import publisher
from rules import wording
from rules.engine.outcomes import LegVerdict
from rules.engine.vocabulary import STRICTNESS

Worded = Callable[[LegVerdict, str], list[str]]


def verdict_page(shown: Article) -> Page:
    """Return the page of an article."""
    device, url = shown.device, address(shown.path)
    return Page(
        path=shown.path,
        title=shown.question,
        lead=shown.summary,
        mark=Mark(shown.verdict, verdict_word(shown.verdict)),
        kind="article",
        sections=(
            _flights(shown),
            *_advice(shown),
            Section(say("verdict.why"), (_bullets((factor,) for factor in shown.route_factors),)),
            *disagreements.section(shown.release, shown.disagreements),
            *_said(_constraints_heading(shown), shown, wording.constraint_messages),
            *_said(say("verdict.warnings"), shown, wording.warning_messages),
            _device(shown),
            *_recalls(shown),
            *parts.sources(shown.citations),
            _related(shown),
            _questions(shown),
        ),
        crumbs=parts.crumbs(
            (say("brands"), "/brands"), (device.brand, brand_path(device.brand)), (shown.question, shown.path)
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


def _bullets(lines: Iterator[Line]) -> Bullets:
    return Bullets(tuple(lines))


def _flights(shown: Article) -> Section:
    date = day(shown.flights[0].answer.question.travel_date)
    rows = tuple((_flight(shown, flight), (_mark(flight),)) for flight in shown.flights)
    return Section(
        say("verdict.flights"),
        (
            Table((say("label.flight"), say("label.verdict")), rows),
            Paragraph((Note(say("flights.asked", date=date)),)),
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
    other = flight.leg.destination if flight.kind == "departing" else flight.leg.origin
    represents_others = flight.kind != "domestic" and other != shown.airline.country
    route = say(
        "flights.route.strictest" if represents_others else "flights.route",
        origin=origin,
        destination=destination,
    )
    milder = [say("flights.milder", count=flight.milder)] if flight.milder else []
    return say(f"kind.{flight.kind}"), Note(f" {joined([route, *milder])}")


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
        for text in worded(flight.answer.outcome, shown.language):
            kinds.setdefault(text, []).append(flight.kind)
    lines: list[Line] = []
    for text, those in kinds.items():
        in_order = listed(
            say(f"kind.{flight.kind}.remark") for flight in shown.flights if flight.kind in those
        )
        everywhere = len(those) == len(flights)
        lines.append((text,) if everywhere else (text, Note(bracketed(in_order))))
    if lines:
        yield Section(heading, (Bullets(tuple(lines)),))


def _device(shown: Article) -> Section:
    device = shown.device
    numbered = bracketed(device.model_number) if device.model_number else ""
    watt_hour = say("not_known") if device.watt_hour is None else parts.figure(device)
    capacity: list[tuple[str, Line]] = []
    if device.capacity_mah:
        capacity.append((say("label.capacity"), (parts.capacity(device),)))
    return Section(
        say("verdict.device"),
        (
            Facts(
                (
                    (say("label.model"), (shown.model + numbered,)),
                    (say("label.watt_hour"), (watt_hour,)),
                    *capacity,
                )
            ),
        ),
    )


def _recalls(shown: Article) -> Iterator[Section]:
    heading = say("verdict.recalls")
    if not shown.recalls:
        yield Section(heading, (Paragraph((say("recalls.none"),)),))
        return
    yield Section(heading, ())
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
                        Link(say("recall.notice"), recall.notice_url),
                    ]
                ),
            ),
        )
        yield Section(parts.recall_title(shown.release, recall), (Facts(rows),), within=True)


def _related(shown: Article) -> Section:
    release, device = shown.release, shown.device
    rows: tuple[tuple[str, Line], ...] = (
        (say("label.model"), (parts.model_link(release, device.model_id),)),
        (say("label.brand"), (Link(device.brand, brand_path(device.brand)),)),
        (say("label.airline"), (parts.airline_link(release, shown.airline.airline),)),
        (say("label.country"), (parts.country_link(release, shown.country.code),)),
    )
    return Section(say("verdict.related"), (Facts(rows),))


def _questions(shown: Article) -> Section:
    asked = tuple(Code(encode(ask(flight)).decode()) for flight in shown.flights)
    return Section(say("verdict.asks"), (Paragraph((say("flights.asks"),)), *asked))
