"""Random questions about a real release, like those of travelers."""

import datetime
import random
import string
from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from rules.engine.document import Content
from rules.engine.facts import Flight, Item, ItineraryQuestion, Leg, Question, Unit, default_ref

TRAVEL_WITHIN_DAYS = 60
MOST_PASSENGERS, MOST_ITEMS, MOST_FLIGHTS = 4, 6, 4


def today(content: Content) -> datetime.date:
    """Return the day of the newest evidence. With this date, a run in another year measures the same."""
    return max(source.read_on for source in content.sources)


def real_questions(content: Content, seed: int) -> Iterator[Question]:
    """Yield random questions: any model, any covered airline, between countries with curated rules.

    A question names a covered airline and a known model, so each has a verdict. There is no end.
    """
    draw = random.Random(seed)
    day = today(content)
    ends = sorted(
        {place.code for place in content.jurisdictions} & {country.code for country in content.countries}
    )
    airlines = sorted(
        {
            rule.airline
            for rule in content.rules
            if rule.airline and rule.effective_until is None and (rule.effective_from or day) <= day
        }
    )
    model_ids = [device.model_id for device in content.devices]
    while True:
        serial = "".join(draw.choices(string.ascii_uppercase + string.digits, k=12))
        yield Question(
            unit=Unit(
                model_id=draw.choice(model_ids),
                quantity=draw.choice((1, 1, 1, 2, 3)),
                ccc_mark=draw.choice(("unknown", "unknown", "present", "absent")),
                capacity_label=draw.choice(("unknown", "unknown", "legible", "missing")),
                condition=draw.choice(("unknown", "unknown", "intact", "damaged")),
                serial=serial if draw.random() < 0.1 else None,
            ),
            leg=Leg(draw.choice(ends), draw.choice(ends), draw.choice(airlines)),
            travel_date=day + datetime.timedelta(days=draw.randrange(TRAVEL_WITHIN_DAYS)),
            compartment_intent=draw.choice(("carry_on", "carry_on", "carry_on", "on_person", "checked")),
        )


def real_itineraries(content: Content, seed: int) -> Iterator[ItineraryQuestion]:
    """Yield random itineraries of up to four passengers, six items and four flights, in order of travel.

    Units, flights and dates are those of `real_questions`. There is no end.
    """
    draw = random.Random(seed)
    asked = real_questions(content, seed)
    while True:
        items = tuple(
            Item(ref=default_ref(place), unit=one.unit, compartment_intent=one.compartment_intent)
            for place, one in enumerate(islice(asked, draw.randint(1, MOST_ITEMS)))
        )
        flights = [_flight(one) for one in islice(asked, draw.randint(1, MOST_FLIGHTS))]
        yield ItineraryQuestion(
            passengers=draw.randint(1, MOST_PASSENGERS),
            items=items,
            flights=tuple(sorted(flights, key=lambda flight: flight.date)),
        )


def of_a_family(content: Content, seed: int) -> Iterator[ItineraryQuestion]:
    """Yield random itineraries of four passengers with six items on four flights."""
    for one in real_itineraries(content, seed):
        if (len(one.items), len(one.flights)) == (MOST_ITEMS, MOST_FLIGHTS):
            yield replace(one, passengers=MOST_PASSENGERS)


def one_by_one(itinerary: ItineraryQuestion) -> list[Question]:
    """Return the questions about each item on each flight, as if a caller asked them alone."""
    return [
        Question(
            unit=item.unit,
            leg=flight.leg,
            travel_date=flight.date,
            compartment_intent=item.compartment_intent,
        )
        for flight in itinerary.flights
        for item in itinerary.items
    ]


def _flight(one: Question) -> Flight:
    return Flight(
        origin=one.leg.origin,
        destination=one.leg.destination,
        operating_airline=one.leg.airline,
        date=one.travel_date,
    )
