"""One ordinary unit on an ordinary flight, asked of the engine."""

from decimal import Decimal

from aeo.editions import Edition
from rules.engine.evaluate import evaluate_leg_of
from rules.engine.facts import Airline, Device, Leg, Question, Unit
from rules.engine.outcomes import LegVerdict


def answer(edition: Edition, airline: Airline, watt_hour: Decimal, abroad: str) -> LegVerdict:
    """Ask about one ordinary unit, described by its label, on a flight from the airline's country."""
    device = Device(model_id="", brand="A", model_name="B", watt_hour=watt_hour, watt_hour_basis="rated")
    unit = Unit(model_id="", ccc_mark="present", capacity_label="legible", condition="intact")
    question = Question(
        unit=unit, leg=Leg(airline.country, abroad, airline.airline), travel_date=edition.today
    )
    corpus = edition.release.corpus
    return evaluate_leg_of(corpus, corpus.unlisted(device), question, today=edition.today)
