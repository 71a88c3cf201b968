"""The flights of a page: departing, arriving and, if the airline is based there, domestic.

An airline flies between its own country and others. For another country, the other end of a flight is the
airline's own country. For its own country, the other end can be anywhere. Then the page asks once for each
group of countries whose authorities have the same rules, and shows the strictest answer. So no flight of the
row has a stricter verdict than the page shows.

Every answer comes from `rules.verdicts`, for one unit in a cabin bag, travelling on the day of the edition.
Called by `aeo.articles.article` and `aeo.discovery.curation`.
"""

from collections import Counter, defaultdict
from functools import lru_cache
from typing import Literal

import msgspec

from aeo.editions import Edition
from rules import verdicts
from rules.corpus import Published
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Airline, Leg, Question, Unit
from rules.engine.vocabulary import STRICTNESS
from rules.verdicts import Answer

Kind = Literal["departing", "arriving", "domestic"]

_BOTH_WAYS: tuple[Kind, ...] = ("departing", "arriving")


class Flight(msgspec.Struct, frozen=True):
    """One row of a page. `milder` counts the other ends of such flights whose verdict is less strict."""

    kind: Kind
    answer: Answer
    milder: int = 0

    @property
    def leg(self) -> Leg:
        """Return the two countries and the airline."""
        return self.answer.question.leg


class OtherEnd(msgspec.Struct, frozen=True):
    """A country that represents all `countries` with the same rules."""

    country: str
    countries: int


def flights(edition: Edition, model_id: str, airline: str, country: str) -> tuple[Flight, ...]:
    """Return the flights of an airline that touch a country, in the order departing, arriving, domestic.

    Raises `ModelNotFound`, `AirlineNotCovered` or `UnknownCountry`.
    """
    record = edition.release.corpus.airlines.get(airline)
    if record is None or not edition.release.shelf.rules_of(airline):
        raise AirlineNotCovered(airline, None)
    home = record.country
    rows = [
        _strictest(edition, model_id, airline, country, _ends(edition.release, record, country, kind), kind)
        for kind in _BOTH_WAYS
    ]
    if home == country:
        leg = Leg(country, country, airline)
        rows.append(Flight("domestic", _ask(edition, model_id, leg)))
    return tuple(rows)


def _strictest(
    edition: Edition, model_id: str, airline: str, country: str, ends: tuple[OtherEnd, ...], kind: Kind
) -> Flight:
    """Judge each other end and answer for the strictest. Among equals, the one with the fewest rules wins."""
    legs = [_leg(kind, country, end.country, airline) for end in ends]
    if len(legs) == 1:
        return Flight(kind, _ask(edition, model_id, legs[0]))
    judged = [_judge(edition, model_id, leg) for leg in legs]
    strictness = max(strictness for strictness, _ in judged)
    shown = min(range(len(legs)), key=lambda at: (-judged[at][0], judged[at][1]))
    milder = sum(end.countries for end, (found, _) in zip(ends, judged, strict=True) if found < strictness)
    return Flight(kind, _ask(edition, model_id, legs[shown]), milder)


def _leg(kind: Kind, country: str, other: str, airline: str) -> Leg:
    return Leg(country, other, airline) if kind == "departing" else Leg(other, country, airline)


def _judge(edition: Edition, model_id: str, leg: Leg) -> tuple[int, int]:
    """Return how strict the verdict of a leg is, and how many rules it applies."""
    question = _question(edition, model_id, leg)
    verdict, applied = verdicts.judge_from(edition.release, question, today=edition.today)
    return STRICTNESS[verdict], applied


def _ask(edition: Edition, model_id: str, leg: Leg) -> Answer:
    question = _question(edition, model_id, leg)
    return verdicts.answer_from(edition.release, question, now=edition.opened_at)


def _question(edition: Edition, model_id: str, leg: Leg) -> Question:
    return Question(unit=Unit(model_id=model_id), leg=leg, travel_date=edition.today)


def _ends(release: Published, airline: Airline, country: str, kind: Kind) -> tuple[OtherEnd, ...]:
    """Return the other ends of an airline's flights that touch a country, one for each set of rules."""
    if airline.country != country:
        return (OtherEnd(airline.country, 1),)
    known, key = _known_ends(release), (country, kind)
    if key not in known:
        known[key] = _ends_from_home(release, airline, kind)
    return known[key]


# One release answers at a time.
@lru_cache(maxsize=1)
def _known_ends(release: Published) -> dict[tuple[str, Kind], tuple[OtherEnd, ...]]:
    """Return a cache for a release: the other ends of flights from and to each home country."""
    return {}


def _ends_from_home(release: Published, airline: Airline, kind: Kind) -> tuple[OtherEnd, ...]:
    """Group the other ends by the rules that apply to flights from or to an airline's home.

    The result is the same for all airlines of that home. Countries with the same authorities start as one
    group. Many of these differ only by rules for flights in the other direction.
    """
    found: dict[tuple[int, ...], OtherEnd] = {}
    for country, countries in _groups(release):
        others = countries - {airline.country}
        if others:
            other = country if country in others else min(others)
            in_play = release.corpus.in_play(_leg(kind, airline.country, other, airline.airline))
            speaking = tuple(map(id, in_play.groups))
            first = found.get(speaking, OtherEnd(other, 0))
            found[speaking] = OtherEnd(first.country, first.countries + len(others))
    return tuple(found.values())


# One release answers at a time.
@lru_cache(maxsize=1)
def _groups(release: Published) -> tuple[tuple[str, frozenset[str]], ...]:
    """Group the countries by the jurisdictions with rules to which they belong.

    The country with the most airlines represents its group and comes first.
    """
    based = Counter(airline.country for airline in release.corpus.airlines.values())
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for country in release.corpus.countries:
        groups[release.corpus.places(country)].append(country)
    return tuple(
        (min(countries, key=lambda code: (-based[code], code)), frozenset(countries))
        for countries in groups.values()
    )
