"""Answers of the starter corpus, each with an id of its own."""

import datetime
import itertools
from decimal import Decimal
from typing import Any

from django.db import connection
from msgspec import structs

from compliance.models import VerdictRecord
from compliance.records.verdict_log import entries
from compliance.records.verdict_log.actions import record_verdicts
from rules import verdicts
from rules.engine.facts import Flight, Item, ItineraryQuestion, Label, Leg, Question, TripQuestion, Unit
from rules.verdicts import Answer, AnyAnswer, ItineraryAnswer, TripAnswer
from tests.support.starter import NOW, starter_release

SERIAL = "57VQX8GKPZR2M4"
HASH = "0f" * 32
UNIT = Unit(model_id="anker-a1289")

_seconds = itertools.count()


def a_leg(unit: Unit = UNIT, **described: Any) -> Answer:
    """Return an answer about one flight; what describes the unit may be changed."""
    question = Question(
        unit=structs.replace(unit, **described), leg=Leg("JP", "SG", "SQ"), travel_date=NOW.date()
    )
    return verdicts.answer_from(starter_release(), question, now=_next())


def a_trip(*airlines: str) -> TripAnswer:
    """Return an answer about a trip by Korea with two airlines."""
    first, second = airlines or ("SQ", "SQ")
    question = TripQuestion(
        unit=UNIT, legs=(Leg("JP", "KR", first), Leg("KR", "SG", second)), travel_date=NOW.date()
    )
    return verdicts.trip_answer_from(starter_release(), question, now=_next())


def an_itinerary(*airlines: str | None) -> ItineraryAnswer:
    """Return an answer about two items on a flight for each airline; none is a flight known by its seller."""
    question = ItineraryQuestion(
        passengers=1,
        items=(
            Item(ref="anker", unit=UNIT),
            Item(ref="old", unit=Unit(model_id=""), label=Label(watt_hour=Decimal("74.00"))),
        ),
        flights=tuple(
            Flight(
                origin="JP",
                destination="SG",
                operating_airline=airline,
                marketing_airline=None if airline else "SQ",
                date=NOW.date(),
            )
            for airline in airlines or ("SQ",)
        ),
    )
    return verdicts.itinerary_answer_from(starter_release(), question, now=_next())


def _next() -> datetime.datetime:
    return NOW + datetime.timedelta(seconds=next(_seconds))


def keep(*answers: AnyAnswer) -> list[VerdictRecord]:
    """Record some answers in the table at once, and return the records."""
    lines = b"".join(entries.line(answer, "api", "en", "") for answer in answers)
    found, _ = entries.read(lines)
    record_verdicts(rows=entries.rows(found), database=connection)
    return [VerdictRecord.objects.get(pk=entry.entry_id) for entry in found]
