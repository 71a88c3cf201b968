"""The drawn test world is what its drawing says."""

import datetime

import pytest

from catalog.models import Airline, Country, Device
from rules.engine.corpus import Corpus
from rules.engine.document import problems
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Leg, Question, Unit
from rules.next_release import compile_content
from tests.support import world
from tests.support.factories import a_user

TODAY = datetime.date(2026, 12, 1)


def drawn_verdicts() -> list[tuple[str, Leg, str]]:
    """Return model, leg and verdict of each line of the last table in the drawing."""
    table = (world.__doc__ or "").partition("What follows")[2].splitlines()
    cells = [line.split() for line in table if "→" in line]
    return [
        (model, Leg(origin=route[:2], destination=route[3:], airline=airline), verdict)
        for model, route, airline, verdict, *_ in cells
    ]


@pytest.fixture
def corpus(db: None) -> Corpus:
    world.build_world(by=a_user())
    return Corpus(compile_content())


def test_the_world_has_three_countries_three_airlines_and_five_models(corpus: Corpus) -> None:
    assert (Country.objects.count(), Airline.objects.count(), Device.objects.count()) == (3, 3, 5)


def test_the_world_could_be_published(corpus: Corpus) -> None:
    assert problems(corpus.content) == []


def test_every_verdict_is_the_drawn_one(corpus: Corpus) -> None:
    drawn = drawn_verdicts()
    assert len(drawn) == 11
    for model_id, leg, verdict in drawn:
        question = Question(unit=Unit(model_id=model_id), leg=leg, travel_date=TODAY)
        assert evaluate_leg(corpus, question, today=TODAY).verdict == verdict, (model_id, leg)
