"""What to do with a power bank that is refused at an airport: a card on answers, and a section of countries.

The advice depends on the reason of the ban: a sound unit may still find a way, a damaged or recalled one goes
to staff and to hazardous waste alone. It promises nothing. Facts of airports are cited with their dates; they
are in English, so on pages in other languages they are quotations. Called by pages of answers and countries.

Cards are not on the pages of models on airlines: thousands of pages would have the same words.
"""

import datetime

import msgspec

from aeo.asking.names.places import airport_name
from aeo.asking.names.spelling import read, settled
from aeo.pages import parts
from aeo.pages.paths import country_path
from aeo.pages.record import Bullets, Line, Link, Note, Paragraph, Section
from aeo.texts import active, say
from aeo.web.formatting import bracketed, day, listed, month, year
from aeo.web.languages import localized
from catalog.airports.selectors import airport_facts
from catalog.records import AirportFact, AirportFactKind
from rules.corpus import Published
from rules.wording.advice import Refused

ADVICE: dict[Refused, tuple[str, ...]] = {
    "too_many": ("companion", "desk", "left_luggage", "home", "note"),
    "sound": ("desk", "left_luggage", "home", "note"),
    "dangerous": ("staff", "never", "note"),
}
"""The texts for each reason, in their order."""

KINDS: dict[Refused, tuple[AirportFactKind, ...]] = {
    "too_many": ("storage", "counter", "mailing", "disposal"),
    "sound": ("storage", "counter", "mailing", "disposal"),
    # A damaged or recalled unit is never stored and never mailed.
    "dangerous": ("disposal",),
}


class SourceShown(msgspec.Struct, frozen=True):
    """A page that states a fact, and when it was read, in words."""

    authority: str
    url: str
    read: str


class FactShown(msgspec.Struct, frozen=True):
    """A fact of an airport: its kind in words, the fact in English, its date in words, and its pages."""

    kind: str
    fact: str
    since: str
    sources: tuple[SourceShown, ...]


class RefusalCard(msgspec.Struct, frozen=True, kw_only=True):
    """The card, in the active language.

    `airports` are the airports of the departure of which something is known, by name. If only the country of
    the departure is known, `country` leads to the facts of its airports.
    """

    refused: Refused
    advice: tuple[str, ...]
    airports: tuple[tuple[str, tuple[FactShown, ...]], ...] = ()
    country: Link | None = None


def refusal_card(release: Published, refused: Refused, country: str, spelled: str = "") -> RefusalCard:
    """Return the card for a unit that is refused where a journey departs.

    `country` is the code of the country of the departure; `spelled` is the departure as an address spells it,
    such as `DXB` or `Shenzhen` (`aeo.asking.names.spelling`).
    """
    known, kinds = airport_facts(), KINDS[refused]
    place = settled(read(spelled, release.corpus.countries)) if spelled else None
    codes = place.codes if place is not None and place.kind != "country" else ()
    shown = [
        (code, tuple(_shown(fact) for kind in kinds for fact in known.at(code) if fact.kind == kind))
        for code in codes
    ]
    leads = not codes and any(fact.kind in kinds for fact in known.in_country(country))
    return RefusalCard(
        refused=refused,
        advice=tuple(say(f"refusal.{name}") for name in ADVICE[refused]),
        airports=tuple((_airport(code), facts) for code, facts in shown if facts),
        country=_of_country(release, country) if leads else None,
    )


def section(code: str) -> tuple[Section, ...]:
    """Return the facts of the airports of a country; empty if there are none."""
    found = airport_facts().in_country(code)
    if not found:
        return ()
    lead = Paragraph((say("refusal.airports.lead"),))
    return (Section(say("refusal.airports"), (lead, Bullets(tuple(map(_line, found))))),)


def _of_country(release: Published, code: str) -> Link:
    name = parts.country(release, code).name
    return Link(say("refusal.country", country=name), localized(country_path(code)))


def _shown(fact: AirportFact) -> FactShown:
    return FactShown(
        kind=say(f"refusal.kind.{fact.kind}"),
        fact=fact.fact,
        since=_since(fact),
        sources=tuple(
            SourceShown(one.authority, one.url, say("source.read", date=day(one.read_on)))
            for one in fact.sources
        ),
    )


def _line(fact: AirportFact) -> Line:
    """Return an airport, a kind, and the fact with its dates and its pages."""
    about = listed([_airport(fact.airport), say(f"refusal.kind.{fact.kind}")])
    name, _, behind = say("named", name=about, value="|").partition("|")
    read_on = max(one.read_on for one in fact.sources)
    details = listed([*filter(None, [_since(fact)]), say("source.read", date=day(read_on))])
    links = parts.commas(Link(one.authority, one.url) for one in fact.sources)
    return name, parts.quoted(fact.fact), behind, Note(f"{bracketed(details)} "), *links


def _airport(code: str) -> str:
    """Return the city of an airport with its code: `Guangzhou (CAN)`."""
    return f"{airport_name(code, active())}{bracketed(code)}"


def _since(fact: AirportFact) -> str:
    return say("refusal.since", date=_words(fact.since)) if fact.since else ""


def _words(date: str) -> str:
    """Return a day, a month or a year in words."""
    numbers = [int(part) for part in date.split("-")]
    first = datetime.date(*[*numbers, 1, 1][:3])
    return {1: year, 2: month, 3: day}[len(numbers)](first)
