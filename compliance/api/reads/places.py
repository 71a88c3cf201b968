"""GET /api/places: countries, cities and airports by the names that travelers give them."""

import datetime
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import msgspec
from django.conf import settings

from aeo.asking.names import places, spelling
from aeo.asking.names.near import near_places
from aeo.asking.names.places import Place
from catalog.airports.selectors import NONE, AirportFacts, airport_facts
from catalog.records import AirportFactKind
from compliance.api.protocol import parameters
from compliance.api.protocol.caching import ExtraState
from compliance.api.protocol.callers import Caller
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.paging import CURSOR, LIMIT, page
from compliance.api.protocol.views import Reading, ReadView
from compliance.api.verdicts.bounds import LANGUAGES
from rules.corpus import Published
from rules.wording.names import country_name

Kind = Literal["country", "city", "airport"]
Match = Literal["exact", "beginning", "similar"]

Q = parameters.text(
    "q",
    "Only places with this name or code, in any of the eight languages: `Dubai`, `東京`, `JFK`, "
    "`London, CA`. Exact names come first, then longer names that begin with it. If there are none, similar "
    "names.",
    most=100,
    example="Frankfurt",
)
KIND = parameters.choice("kind", "Only places of this kind.", get_args(Kind))
LANGUAGE = parameters.language(
    "language",
    "The language of the names; `en` if absent. A regional tag of BCP 47, such as `en-GB`, counts as its "
    "language.",
    LANGUAGES,
)


class AirportSourceBody(msgspec.Struct):
    """A page that states a fact. `page_date` is a day, a month or a year; null if the page has none."""

    url: str
    title: str
    authority: str
    page_date: str | None
    read_on: datetime.date


class AirportFactBody(msgspec.Struct):
    """What becomes of a power bank that is refused at an airport, in English, with the pages that say it.

    - `kind`: for how long it is stored and for how much (`storage`), where (`counter`), whether it can be
      mailed (`mailing`), what happens to a unit that is given up (`disposal`), or refusals that were reported
      (`refusal_reported`).
    - `since` is the day, month or year for which it is reported; null if that is not known.

    Facts may have changed since they were read. They are no promise, and no verdict depends on them.
    """

    kind: AirportFactKind
    fact: str
    since: str | None
    sources: list[AirportSourceBody]


class PlaceBody(msgspec.Struct):
    """A country, a city or an airport.

    - `country` is the ISO 3166-1 code. `airport` is the IATA code of an airport, null for other places. A
      verdict takes the country; a flight of an itinerary takes the country, or also the airport: `DE-FRA`.
    - `name` is in the language asked for where it is known, or else in English. An airport has the name of
      its city; `airport_name` is its own, null if it is not known.
    - `match`: the text is a name of the place (`exact`), the beginning of one (`beginning`), or only similar
      to one (`similar`). Never take a similar name without asking the traveler. Null without `q`.
    - `refused_units` is what is known of units that are refused at this airport; empty if nothing is.
    """

    kind: Kind
    name: str
    country: str
    country_name: str
    airport: str | None
    airport_name: str | None
    match: Match | None
    refused_units: list[AirportFactBody]


class PlacesBody(msgspec.Struct):
    """The answer of GET /api/places.

    `total` counts all pages; `next_cursor` is null on the last one. `meant_country` is the country that the
    name `q` means: all places with exactly this name are there, or one that is far larger than the others. It
    is null if that is not clear: then the traveler has to choose.
    """

    places: list[PlaceBody]
    total: int
    next_cursor: str | None
    meant_country: str | None
    ruleset_version: str


class PlacesView(ReadView):
    """The places of the countries of the release."""

    operation = Operation(
        operation_id="listPlaces",
        tag="Verdicts",
        summary="Find a country, a city or an airport",
        description=(
            "Where flights begin and end, by the names that travelers give. Countries come first, then "
            "larger cities before smaller ones, and a city before its airports. Without `q`, all places are "
            "listed. `total` counts all matches. To read the rest, follow `next_cursor` until it is null.\n\n"
            "A name may belong to several places. Let the traveler choose, unless `meant_country` says which "
            "country is meant."
        ),
        answer=PlacesBody,
        query=(Q, KIND, LANGUAGE, LIMIT, CURSOR),
    )

    def extra_state(self, published: Published, caller: Caller, **path: str) -> ExtraState:
        """Return the facts of airports, which change without a release."""
        return AirportState.of(airport_facts())

    def answer(self, reading: Reading, **path: str) -> PlacesBody:
        """Return one page of the result."""
        published, text, kind = reading.published, reading.query[Q], reading.query[KIND]
        exact = spelling.read(text, published.corpus.countries) if text else []
        found = [one for one in _found(published, text, exact) if kind in (None, one.place.kind)]
        shown = page(found, reading)
        return PlacesBody(
            places=[_place_body(one, reading) for one in shown.items],
            total=shown.total,
            next_cursor=shown.next_cursor,
            meant_country=places.meant(exact) if exact else None,
            ruleset_version=published.ruleset_version,
        )


@dataclass(frozen=True)
class AirportState(ExtraState):
    """The facts of airports from which a request is answered."""

    facts: AirportFacts = NONE

    @classmethod
    def of(cls, facts: AirportFacts) -> "AirportState":
        """Return the state of some facts. Every other set of facts has another one."""
        return cls(shown=facts.digest, moved_at=facts.moved_at, facts=facts)


class _Found(NamedTuple):
    place: Place
    match: Match | None


def _found(published: Published, text: str | None, exact: list[Place]) -> list[_Found]:
    """Return the places that a text finds, best first; all without a text. `exact` are those it names."""
    countries = published.corpus.countries
    if text is None:
        return [_Found(place, None) for place in places.ranked() if place.country in countries]
    begun = dict.fromkeys(places.find(text, countries, len(places.ranked())))
    if exact or begun:
        others = [_Found(place, "beginning") for place in begun if place not in exact]
        return [*(_Found(place, "exact") for place in exact), *others]
    return [_Found(place, "similar") for place in near_places(published, text)]


def _place_body(found: _Found, reading: Reading) -> PlaceBody:
    place, language = found.place, reading.query[LANGUAGE] or settings.LANGUAGE_CODE
    known = reading.published.corpus.countries[place.country]
    country = country_name(place.country, known.name, language)
    is_airport = place.kind == "airport"
    return PlaceBody(
        kind=place.kind,
        name=country if place.kind == "country" else place.name_in(language),
        country=place.country,
        country_name=country,
        airport=place.codes[0] if is_airport else None,
        airport_name=place.airport or None,
        match=found.match,
        refused_units=_facts(place, reading) if is_airport else [],
    )


def _facts(place: Place, reading: Reading) -> list[AirportFactBody]:
    """Return what is known of an airport."""
    state = reading.extra_state
    facts = state.facts.at(place.codes[0]) if isinstance(state, AirportState) else ()
    return [
        AirportFactBody(
            kind=fact.kind,
            fact=fact.fact,
            since=fact.since,
            sources=[AirportSourceBody(**msgspec.structs.asdict(source)) for source in fact.sources],
        )
        for fact in facts
    ]
