"""The flights that a page speaks of: departing, arriving and, where the airline is based there, domestic.

An airline flies between its own country and others. So for another country the other end of a flight is the
airline's own. For its own country the other end can be anywhere: then each group of countries whose
authorities have the same rules is asked once, and the strictest answer is shown. No reader of the row can be
worse off than it says.

Every answer is given through the door (`rules.verdicts`), for one unit in a cabin bag, travelling on the day
of the edition. Called by `aeo.articles` and `aeo.curation`.
"""

from collections import Counter, defaultdict
from functools import lru_cache
from typing import Literal

import msgspec

from aeo.editions import Edition
from rules import verdicts
from rules.corpus import Published
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Leg, Question, Unit
from rules.engine.vocabulary import STRICTNESS
from rules.verdicts import Answer

Kind = Literal["departing", "arriving", "domestic"]


class Flight(msgspec.Struct, frozen=True):
    """One row of a page. `milder` counts the other ends of such flights that get a less strict verdict."""

    kind: Kind
    answer: Answer
    milder: int = 0

    @property
    def leg(self) -> Leg:
        """Return the two countries and the airline."""
        return self.answer.question.leg


class OtherEnd(msgspec.Struct, frozen=True):
    """Countries whose authorities have the same rules, and the one that stands for them."""

    country: str
    countries: frozenset[str]


def flights(edition: Edition, model_id: str, airline: str, country: str) -> tuple[Flight, ...]:
    """Return the flights of an airline that touch a country, in the order departing, arriving, domestic.

    Raises `ModelNotFound`, `AirlineNotCovered` or `UnknownCountry`.
    """
    record = edition.release.corpus.airlines.get(airline)
    if record is None:
        raise AirlineNotCovered(airline, None)
    home = record.country
    ends = _other_ends(edition.release) if home == country else (OtherEnd(home, frozenset({home})),)
    rows = [
        _strictest(edition, model_id, airline, country, ends, "departing"),
        _strictest(edition, model_id, airline, country, ends, "arriving"),
    ]
    if home == country:
        leg = Leg(country, country, airline)
        rows.append(Flight("domestic", _ask(edition, model_id, leg)))
    return tuple(rows)


def _strictest(
    edition: Edition, model_id: str, airline: str, country: str, ends: tuple[OtherEnd, ...], kind: Kind
) -> Flight:
    """Ask for each other end and return the strictest answer; of equal ones the one with the fewest rules."""
    answers = []
    for end in ends:
        others = end.countries - {country}
        if others:
            other = end.country if end.country in others else min(others)
            leg = Leg(country, other, airline) if kind == "departing" else Leg(other, country, airline)
            answers.append((_ask(edition, model_id, leg), len(others)))
    shown = min((answer for answer, _ in answers), key=_by_strictness)
    strictness = STRICTNESS[shown.outcome.verdict]
    milder = sum(count for answer, count in answers if STRICTNESS[answer.outcome.verdict] < strictness)
    return Flight(kind, shown, milder)


def _by_strictness(answer: Answer) -> tuple[int, int]:
    return -STRICTNESS[answer.outcome.verdict], len(answer.outcome.path)


def _ask(edition: Edition, model_id: str, leg: Leg) -> Answer:
    question = Question(unit=Unit(model_id=model_id), leg=leg, travel_date=edition.today)
    return verdicts.answer_from(edition.release, question, now=edition.opened_at)


# One release answers at a time.
@lru_cache(maxsize=1)
def _other_ends(release: Published) -> tuple[OtherEnd, ...]:
    """Group the countries by the jurisdictions with rules that they lie inside of.

    The one where most airlines are based stands for its group.
    """
    based = Counter(airline.country for airline in release.corpus.airlines.values())
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for country in release.corpus.countries:
        groups[release.corpus.places(country)].append(country)
    return tuple(
        OtherEnd(min(countries, key=lambda code: (-based[code], code)), frozenset(countries))
        for countries in groups.values()
    )
