"""A row about an airline's own country shows the strictest answer of all countries at the other end."""

import random

import pytest

from aeo.articles.flights import Flight, flights
from aeo.editions import Edition
from rules import verdicts
from rules.engine.facts import Leg, Question, Unit
from rules.engine.vocabulary import STRICTNESS
from rules.verdicts import Answer


def every_answer(edition: Edition, model_id: str, airline: str, flight: Flight) -> list[Answer]:
    """Ask for each country at the other end, one by one."""
    home = edition.release.corpus.airlines[airline].country
    return [
        verdicts.answer_from(
            edition.release,
            Question(
                unit=Unit(model_id=model_id),
                leg=Leg(home, other, airline) if flight.kind == "departing" else Leg(other, home, airline),
                travel_date=edition.today,
            ),
            now=edition.opened_at,
        )
        for other in edition.release.corpus.countries
        if other != home
    ]


@pytest.mark.parametrize("airline", ["CA", "LH", "KE", "UA", "VN"])
def test_no_country_gets_a_stricter_answer_and_the_milder_ones_are_counted(
    edition: Edition, airline: str
) -> None:
    home = edition.release.corpus.airlines[airline].country
    models = random.Random(airline).sample(sorted(edition.release.shelf.devices), 6)
    for model_id in ["anker-a1263", *models]:
        departing, arriving, _ = flights(edition, model_id, airline, home)
        for flight in (departing, arriving):
            answers = every_answer(edition, model_id, airline, flight)
            found = [STRICTNESS[answer.outcome.verdict] for answer in answers]
            shown = flight.answer.outcome
            assert STRICTNESS[shown.verdict] == max(found)
            assert flight.milder == sum(one < max(found) for one in found)
            strictest = [answer.outcome for answer in answers if answer.outcome.verdict == shown.verdict]
            assert len(shown.path) == min(len(outcome.path) for outcome in strictest)
