"""/p/<model>/<airline>/<country> as a page: what an article says, laid out."""

from collections.abc import Callable, Iterator

from aeo import jsonld
from aeo.articles import KIND_WORDS, LANGUAGE, VERDICT_WORDS, Article
from aeo.brands import brand_path
from aeo.documents import ask, encode
from aeo.flights import Flight
from aeo.http import address
from aeo.jsonld import Product
from aeo.pages import parts
from aeo.pages.paths import recall_path
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
from aeo.pages.words import day
from aeo.texts import say
from rules import wording
from rules.engine.evaluate import LegVerdict
from rules.engine.facts import Recall
from rules.engine.matching import plain
from rules.engine.vocabulary import STRICTNESS

Worded = Callable[[LegVerdict, str], list[str]]


def verdict_page(shown: Article) -> Page:
    """Return the page of an article."""
    device, url = shown.device, address(shown.path)
    return Page(
        path=shown.path,
        title=shown.question,
        lead=shown.summary,
        mark=Mark(shown.verdict, VERDICT_WORDS[shown.verdict]),
        kind="article",
        sections=(
            _flights(shown),
            Section("Why", (_bullets((factor,) for factor in shown.route_factors),)),
            *_said("What to do", shown, wording.constraint_messages),
            *_said("Know before you go", shown, wording.warning_messages),
            _device(shown),
            *_recalls(shown.recalls),
            *parts.sources(shown.citations),
            _related(shown),
            _questions(shown),
        ),
        crumbs=parts.crumbs(
            ("Brands", "/brands"), (device.brand, brand_path(device.brand)), (shown.question, shown.path)
        ),
        about=parts.origin(
            shown.release.ruleset_version,
            shown.expires_at,
            (
                Link("These answers as JSON", f"{shown.path}.json"),
                ", ",
                Link("the model", f"/api/devices/{device.model_id}"),
                ", ",
                Link("its recalls", f"/api/devices/{device.model_id}/recalls"),
                ", ",
                Link("the airline", f"/api/airlines/{shown.airline.airline}"),
            ),
        ),
        node=jsonld.article(
            site=address("/"),
            url=url,
            headline=shown.question,
            body=shown.body,
            language=LANGUAGE,
            ruleset_version=shown.release.ruleset_version,
            expires=shown.expires_at,
            about=Product(device.model_id, shown.model, device.brand, device.model_number),
            citations=shown.citations,
        ),
        json_url=f"{url}.json",
        picture_url=f"{url}.png",
    )


def _bullets(lines: Iterator[Line]) -> Bullets:
    return Bullets(tuple(lines))


def _flights(shown: Article) -> Section:
    date = day(shown.flights[0].answer.question.travel_date)
    rows = tuple((_flight(shown, flight), (_mark(flight),)) for flight in shown.flights)
    return Section(
        "Flights",
        (Table(("Flight", "Verdict"), rows), Paragraph((Note(say("flights.asked", date=date)),))),
    )


def _mark(flight: Flight) -> Mark:
    verdict = flight.answer.outcome.verdict
    return Mark(verdict, VERDICT_WORDS[verdict])


def _flight(shown: Article, flight: Flight) -> Line:
    countries = shown.release.corpus.countries
    origin, destination = countries[flight.leg.origin].name, countries[flight.leg.destination].name
    other = flight.leg.destination if flight.kind == "departing" else flight.leg.origin
    stands_for_others = flight.kind != "domestic" and other != shown.airline.country
    route = say(
        "flights.route.strictest" if stands_for_others else "flights.route",
        origin=origin,
        destination=destination,
    )
    milder = f" {say('flights.milder', count=flight.milder)}" if flight.milder else ""
    return KIND_WORDS[flight.kind], Note(f" {route}{milder}")


def _said(heading: str, shown: Article, worded: Worded) -> Iterator[Section]:
    """Return each sentence once, those of the strictest flight first, with the flights that it is for."""
    flights = sorted(shown.flights, key=lambda flight: -STRICTNESS[flight.answer.outcome.verdict])
    kinds: dict[str, list[str]] = {}
    for flight in flights:
        for text in worded(flight.answer.outcome, LANGUAGE):
            kinds.setdefault(text, []).append(KIND_WORDS[flight.kind].lower())
    lines: list[Line] = []
    for text, those in kinds.items():
        in_order = [word for word in map(str.lower, KIND_WORDS.values()) if word in those]
        everywhere = len(those) == len(flights)
        lines.append((text,) if everywhere else (text, Note(f" ({', '.join(in_order)})")))
    if lines:
        yield Section(heading, (Bullets(tuple(lines)),))


def _device(shown: Article) -> Section:
    device = shown.device
    number = f" ({device.model_number})" if device.model_number else ""
    watt_hour = "not known" if device.watt_hour is None else plain(device.watt_hour) + " Wh"
    basis = "" if device.watt_hour is None else f", {device.watt_hour_basis}"
    voltage = f" at {plain(device.nominal_voltage)} V" if device.nominal_voltage else ""
    capacity: list[tuple[str, Line]] = []
    if device.capacity_mah:
        capacity.append(("Capacity", (f"{device.capacity_mah:,} mAh{voltage}",)))
    return Section(
        "The power bank",
        (Facts((("Model", (shown.model + number,)), ("Watt-hours", (watt_hour + basis,)), *capacity)),),
    )


def _recalls(found: list[Recall]) -> Iterator[Section]:
    heading = "Recalls of exactly this model"
    if not found:
        yield Section(heading, (Paragraph((say("recalls.none"),)),))
        return
    yield Section(heading, ())
    for recall in found:
        rows: tuple[tuple[str, Line], ...] = (
            ("Announced", (f"{parts.announced(recall)}, {recall.authority}",)),
            ("Hazard", (recall.hazard,)),
            ("Remedy", (recall.remedy,)),
            (
                "More",
                (
                    Link("How a unit is checked", recall_path(recall.recall_id)),
                    ", ",
                    Link("the notice", recall.notice_url),
                ),
            ),
        )
        yield Section(recall.title, (Facts(rows),), within=True)


def _related(shown: Article) -> Section:
    release, device = shown.release, shown.device
    rows: tuple[tuple[str, Line], ...] = (
        ("Model", (parts.model_link(release, device.model_id),)),
        ("Brand", (Link(device.brand, brand_path(device.brand)),)),
        ("Airline", (parts.airline_link(release, shown.airline.airline),)),
        ("Country", (parts.country_link(release, shown.country.code),)),
    )
    return Section("Read more", (Facts(rows),))


def _questions(shown: Article) -> Section:
    asked = tuple(Code(encode(ask(flight)).decode()) for flight in shown.flights)
    return Section("The questions behind this page", (Paragraph((say("flights.asks"),)), *asked))
