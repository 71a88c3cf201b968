"""What the verdict of an itinerary costs, against the verdicts of its items and flights one by one.

Both sides get the same units on the same flights. An itinerary also counts the units of each bag, searches
who carries what, and puts together what the flights have in common.
"""

import datetime
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from bench.questions import of_a_family, one_by_one, real_itineraries, today
from bench.report import Line, ratio, value
from bench.rounds import Work, in_turns
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import ItineraryQuestion, Question
from rules.engine.itinerary import evaluate_itinerary

ROUNDS, ITINERARIES, FAMILIES = 30, 60, 20


def measure(content: Content) -> Iterator[Line]:
    """Compare itineraries with their legs, in turns; then time itineraries of families."""
    corpus, day = Corpus(content), today(content)
    asked = list(islice(real_itineraries(content, seed=6), ITINERARIES))
    legs = [leg for one in asked for leg in one_by_one(one)]
    families = list(islice(of_a_family(content, seed=7), FAMILIES))
    seconds = in_turns(
        {
            "itineraries": _itineraries(corpus, asked, day),
            "legs": _legs(corpus, legs, day),
            "families": _itineraries(corpus, families, day),
        },
        ROUNDS,
    )
    # A leg judges all units of an item together, an itinerary judges each unit on each flight.
    unit_legs = sum(item.unit.quantity * len(one.flights) for one in asked for item in one.items)
    of_a_leg = [turn / len(legs) * 1e6 for turn in seconds["legs"]]
    of_a_unit = [turn / unit_legs * 1e6 for turn in seconds["itineraries"]]
    yield value("itinerary_us_per_unit_leg", of_a_unit, "us", unit_legs=unit_legs)
    yield ratio("itinerary_per_unit_leg_over_leg", of_a_unit, of_a_leg, engine_leg_us=round(min(of_a_leg), 1))
    yield ratio("itinerary_over_legs", seconds["itineraries"], seconds["legs"], legs=len(legs))
    yield value(
        "itinerary_of_a_family_ms", [turn / FAMILIES * 1e3 for turn in seconds["families"]], "ms", digits=2
    )


def _itineraries(corpus: Corpus, asked: Sequence[ItineraryQuestion], day: datetime.date) -> Work:
    def timed() -> None:
        for question in asked:
            evaluate_itinerary(corpus, question, today=day)

    return _always(timed)


def _legs(corpus: Corpus, asked: Sequence[Question], day: datetime.date) -> Work:
    def timed() -> None:
        for question in asked:
            evaluate_leg(corpus, question, today=day)

    return _always(timed)


def _always(timed: Callable[[], None]) -> Work:
    return lambda: timed
