"""What the service promises of every itinerary: the laws of several units, passengers and flights.

Each law is asked of itineraries through the starter corpus and through worlds in which numbers decide
(`itineraries.py`). `slow_itineraries.py` is a second evaluator that tries every distribution.
"""

import dataclasses
import datetime
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from rules.engine.corpus import Corpus
from rules.engine.document import problems
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import ItineraryQuestion, Leg, Question, TripQuestion
from rules.engine.itinerary import evaluate_itinerary
from rules.engine.outcomes import ItineraryVerdict, LegVerdict, Share
from rules.engine.trip import evaluate_trip
from rules.engine.vocabulary import STRICTNESS, Verdict
from tests.rules.engine.itineraries import itinerary_in_numbers, starter_itinerary, world_of_numbers
from tests.rules.engine.slow_itineraries import SlowItineraries
from tests.rules.engine.starter_questions import Drawer, certified
from tests.rules.engine.units import CONDITIONS, LABELS, MARKS
from tests.rules.engine.worlds import TODAY
from tests.support.starter import starter_content
from tests.support.thoroughness import examples

SEED = 20261126
DAY = datetime.date(2026, 11, 26)
ITINERARIES = examples(1_000, thorough=10_000)
"""Of the starter corpus, and as many in worlds of numbers."""

LAWS = examples(200, thorough=2_000)
QUESTIONS_TO_A_WORLD = 20


@dataclasses.dataclass(frozen=True)
class Drawn:
    """An itinerary, and where it is asked."""

    corpus: Corpus
    slow: SlowItineraries
    question: ItineraryQuestion
    chance: random.Random
    today: datetime.date

    def verdict(self, question: ItineraryQuestion) -> Verdict:
        return evaluate_itinerary(self.corpus, question, today=self.today).verdict

    def strictness(self, question: ItineraryQuestion) -> int:
        return STRICTNESS[self.verdict(question)]


def drawn(seed: int, each: int) -> Iterator[Drawn]:
    """Yield itineraries of both kinds, as many of each."""
    content = certified(starter_content())
    corpus, slow, drawer = Corpus(content), SlowItineraries(content), Drawer(content, seed)
    for _ in range(each):
        yield Drawn(corpus, slow, starter_itinerary(drawer), drawer.random, DAY)
    chance = random.Random(seed)
    for number in range(each):
        if number % QUESTIONS_TO_A_WORLD == 0:
            made = world_of_numbers(chance)
            corpus, slow = Corpus(made), SlowItineraries(made)
        yield Drawn(corpus, slow, itinerary_in_numbers(chance), chance, TODAY)


def test_worlds_of_numbers_could_be_published() -> None:
    chance = random.Random(SEED)
    assert [problems(world_of_numbers(chance)) for _ in range(50)] == [[]] * 50


def test_the_verdict_is_that_of_a_slow_evaluator_which_tries_every_distribution() -> None:
    seen: dict[str, Counter[Verdict]] = {"starter": Counter(), "numbers": Counter()}
    searched = 0
    for one in drawn(SEED, ITINERARIES):
        found = evaluate_itinerary(one.corpus, one.question, today=one.today)
        expected = one.slow.verdict(one.question)
        assert found.verdict == expected, one.question
        assert one.slow.of_bags(one.question, _bags(found)) == found.verdict, one.question
        seen["starter" if one.today == DAY else "numbers"][found.verdict] += 1
        searched += one.question.passengers > 1 and found.verdict != "banned"
    for verdicts in seen.values():
        assert set(verdicts) == set(STRICTNESS), verdicts
        assert min(verdicts.values()) > ITINERARIES / 50, verdicts
    assert searched > ITINERARIES / 10


def _bags(found: ItineraryVerdict) -> list[tuple[tuple[int, int], ...]]:
    places = {item.item.ref: place for place, item in enumerate(found.items)}
    return [
        tuple((places[share.ref], share.quantity) for share in passenger.shares)
        for passenger in found.packing.passengers
    ]


def test_every_unit_is_packed_once_by_the_passenger_who_was_named() -> None:
    for one in drawn(SEED + 1, LAWS):
        found = evaluate_itinerary(one.corpus, one.question, today=one.today)
        packed: Counter[str] = Counter()
        for share in _shares(found):
            item = next(item for item in one.question.items if item.ref == share.ref)
            assert 1 <= share.passenger <= one.question.passengers
            assert item.carried_by in {None, share.passenger}
            packed[share.ref] += share.quantity
        assert packed == {item.ref: item.unit.quantity for item in one.question.items}


def _shares(found: ItineraryVerdict) -> Iterator[Share]:
    for passenger in found.packing.passengers:
        yield from passenger.shares


def test_more_units_more_items_or_more_flights_never_make_it_milder() -> None:
    for one in drawn(SEED + 2, LAWS):
        asked, chance = one.question, one.chance
        before = one.strictness(asked)
        place = chance.randrange(len(asked.items))
        item = asked.items[place]
        unit = replace(item.unit, quantity=item.unit.quantity + 1)
        more = (*asked.items[:place], replace(item, unit=unit), *asked.items[place + 1 :])
        assert one.strictness(replace(asked, items=more)) >= before, asked
        if len(asked.items) > 1:
            fewer = (*asked.items[:place], *asked.items[place + 1 :])
            assert one.strictness(replace(asked, items=fewer)) <= before, asked
        if len(asked.flights) > 1:
            assert one.strictness(replace(asked, flights=asked.flights[:1])) <= before, asked


def test_one_more_passenger_never_makes_it_stricter() -> None:
    milder = 0
    for one in drawn(SEED + 3, LAWS):
        before = one.strictness(one.question)
        after = one.strictness(replace(one.question, passengers=one.question.passengers + 1))
        assert after <= before, one.question
        milder += after < before
    assert milder > LAWS / 100, "passengers hardly ever mattered"


def test_the_order_of_items_changes_nothing_but_who_carries_them() -> None:
    for one in drawn(SEED + 4, LAWS):
        found = evaluate_itinerary(one.corpus, one.question, today=one.today)
        items = list(one.question.items)
        one.chance.shuffle(items)
        shuffled = evaluate_itinerary(one.corpus, replace(one.question, items=tuple(items)), today=one.today)
        assert shuffled.verdict == found.verdict
        if all(item.carried_by or one.question.passengers == 1 for item in items):
            assert {item.item.ref: item.verdict for item in shuffled.items} == {
                item.item.ref: item.verdict for item in found.items
            }
            for flight, same in zip(shuffled.flights, found.flights, strict=True):
                assert {said.statement for said in flight.constraints} == {
                    said.statement for said in same.constraints
                }


@pytest.mark.parametrize(
    ("fact", "values"), [("condition", CONDITIONS), ("ccc_mark", MARKS), ("capacity_label", LABELS)]
)
def test_an_unknown_fact_is_between_its_favorable_and_its_unfavorable_value(
    fact: str, values: tuple[str, ...]
) -> None:
    for one in drawn(SEED + 5, LAWS):
        place = one.chance.randrange(len(one.question.items))
        favorable, unknown, unfavorable = (
            one.strictness(_with(one.question, place, **{fact: value})) for value in values
        )
        assert favorable <= unknown <= unfavorable, one.question


def _with(question: ItineraryQuestion, place: int, **facts: Any) -> ItineraryQuestion:
    items = list(question.items)
    items[place] = replace(items[place], unit=replace(items[place].unit, **facts))
    return replace(question, items=tuple(items))


def test_what_may_travel_gets_the_verdict_promised_and_any_unit_that_stays_bans_it() -> None:
    promised, staying = 0, 0
    for one in drawn(SEED + 6, LAWS):
        packing = evaluate_itinerary(one.corpus, one.question, today=one.today).packing
        if packing.may_travel is None:
            continue
        promised += 1
        shares = packing.may_travel.shares
        assert packing.may_travel.verdict in {"allowed", "conditional"}
        assert one.verdict(_asked_again(one.question, shares)) == packing.may_travel.verdict
        kept = Counter({share.ref: 0 for share in shares})
        for share in shares:
            kept[share.ref] += share.quantity
        for stays in packing.stays:
            staying += 1
            assert one.verdict(_with_kept(one.question, kept + Counter([stays.ref]))) == "banned", (
                one.question
            )
    assert promised > LAWS / 10
    assert staying > LAWS / 10


def _asked_again(question: ItineraryQuestion, shares: tuple[Share, ...]) -> ItineraryQuestion:
    """Return the question about what may travel, with its packing."""
    of = {item.ref: item for item in question.items}
    return replace(
        question,
        items=tuple(
            replace(
                of[share.ref],
                ref=f"{share.ref}.{share.passenger}",
                unit=replace(of[share.ref].unit, quantity=share.quantity),
                carried_by=share.passenger,
            )
            for share in shares
        ),
    )


def _with_kept(question: ItineraryQuestion, kept: Counter[str]) -> ItineraryQuestion:
    return replace(
        question,
        items=tuple(
            replace(item, unit=replace(item.unit, quantity=kept[item.ref]))
            for item in question.items
            if kept[item.ref]
        ),
    )


def test_every_unit_of_a_banned_itinerary_travels_stays_is_undecided_or_moves_to_the_cabin() -> None:
    for one in drawn(SEED + 7, LAWS):
        packing = evaluate_itinerary(one.corpus, one.question, today=one.today).packing
        if not (packing.stays or packing.undecided or packing.move_to_cabin or packing.may_travel):
            continue
        counted: Counter[str] = Counter()
        for share in packing.may_travel.shares if packing.may_travel else ():
            counted[share.ref] += share.quantity
        for stays in packing.stays:
            counted[stays.ref] += stays.quantity
        for item in one.question.items:
            if item.ref in packing.undecided or item.ref in packing.move_to_cabin:
                assert counted[item.ref] == 0
            else:
                assert counted[item.ref] == item.unit.quantity, one.question


def test_one_item_on_one_flight_gets_the_answer_of_a_leg() -> None:
    compared = 0
    for one in drawn(SEED + 8, LAWS):
        item, flight = replace(one.question.items[0], carried_by=None), one.question.flights[0]
        if item.label is not None or flight.operating_airline is None:
            continue
        alone = ItineraryQuestion(passengers=1, items=(item,), flights=(flight,))
        found = evaluate_itinerary(one.corpus, alone, today=one.today).flights[0]
        if found.error is not None:
            assert found.verdict == "insufficient"
            continue
        leg = evaluate_leg(
            one.corpus,
            Question(
                unit=item.unit,
                leg=flight.leg,
                travel_date=flight.date,
                compartment_intent=item.compartment_intent,
            ),
            today=one.today,
        )
        assert found.items[0].answer == leg
        assert found.items[0].is_alone
        assert found.verdict == leg.verdict
        assert [said.statement for said in found.constraints] == list(leg.constraints)
        said = [said.statement for said in found.warnings if said.statement.name != "other_spares_count_too"]
        assert said == list(leg.warnings)
        compared += 1
    assert compared > LAWS / 2


def test_one_item_on_connected_flights_gets_the_answer_of_a_trip() -> None:
    content = certified(starter_content())
    corpus, drawer = Corpus(content), Drawer(content, SEED + 9)
    for _ in range(LAWS):
        drawn_itinerary = starter_itinerary(drawer)
        item, flight = replace(drawn_itinerary.items[0], carried_by=None), drawn_itinerary.flights[0]
        if item.label is not None:
            continue
        flight = replace(flight, operating_airline=flight.leg.airline)
        onward = replace(flight, origin=flight.destination, destination=flight.origin)
        question = ItineraryQuestion(passengers=1, items=(item,), flights=(flight, onward))
        found = evaluate_itinerary(corpus, question, today=DAY)
        trip = evaluate_trip(
            corpus,
            TripQuestion(
                unit=item.unit,
                legs=(flight.leg, Leg(onward.origin, onward.destination, onward.leg.airline)),
                travel_date=flight.date,
                compartment_intent=item.compartment_intent,
            ),
            today=DAY,
        )
        assert found.verdict == trip.verdict
        assert [flight.verdict for flight in found.flights] == [segment.verdict for segment in trip.segments]
        for one, segment in zip(found.flights, trip.segments, strict=True):
            assert (one.items[0].answer if one.items else None) == segment.answer
        assert found.citations == trip.citations
        assert (found.next_change, found.freshness, found.staler_on) == (
            trip.next_change,
            trip.freshness,
            trip.staler_on,
        )


def test_a_bag_is_answered_as_if_its_passenger_traveled_alone() -> None:
    compared = 0
    for one in drawn(SEED + 10, LAWS):
        found = evaluate_itinerary(one.corpus, one.question, today=one.today)
        carriers = Counter(share.ref for share in _shares(found))
        for passenger in found.packing.passengers:
            asked = _asked_again(one.question, passenger.shares)
            alone = evaluate_itinerary(one.corpus, asked, today=one.today)
            assert alone.verdict == passenger.verdict
            for flight, same in zip(found.flights, alone.flights, strict=True):
                said = {item.ref: item.answer for item in flight.items}
                for share, item in zip(passenger.shares, same.items, strict=flight.error is None):
                    if carriers[share.ref] == 1:
                        assert _told(said[share.ref]) == _told(item.answer), one.question
                        compared += 1
    assert compared > LAWS


def _told(answer: LegVerdict) -> LegVerdict:
    """Return an answer without the rules behind it, which the engine keeps in a form of its own."""
    return replace(answer, applied=())


def test_the_search_ends_for_a_question_that_is_made_to_be_hard() -> None:
    """Twenty items that differ in every fact, with fewer places than units."""
    content = certified(starter_content())
    chance = random.Random(SEED)
    corpus, drawer = Corpus(content), Drawer(content, SEED)
    question = starter_itinerary(drawer)
    items = tuple(
        replace(
            question.items[0],
            ref=f"item_{number}",
            label=None,
            carried_by=None,
            compartment_intent=chance.choice(("carry_on", "on_person")),
            unit=replace(
                question.items[0].unit,
                model_id=chance.choice(drawer.models[number % 2 + 3]),
                quantity=1,
                serial=None,
                condition=chance.choice(("intact", "unknown")),
                capacity_label=chance.choice(("legible", "unknown")),
                ccc_mark=chance.choice(MARKS[:2]),
            ),
        )
        for number in range(20)
    )
    flights = tuple(replace(flight, operating_airline="EK") for flight in question.flights)
    found = evaluate_itinerary(
        corpus, ItineraryQuestion(passengers=9, items=items, flights=flights), today=DAY
    )
    assert found.verdict in STRICTNESS
