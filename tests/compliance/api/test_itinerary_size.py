"""How long the answer to an itinerary is, against the answers about each item on each flight alone."""

from collections.abc import Iterator
from itertools import islice

import msgspec

from bench.questions import one_by_one, real_itineraries
from compliance.api.verdicts.itineraries import itinerary_body
from compliance.api.verdicts.verify import verify_body
from rules.engine.facts import ItineraryQuestion
from rules.verdicts import answer_from, flight_leg_ids, itinerary_answer_from
from tests.support.starter import NOW, starter_content, starter_release

ITINERARIES = 200
LANGUAGES = ("en", "de", "zh-hans")


def together(question: ItineraryQuestion, language: str) -> int:
    """Return the bytes of the answer to an itinerary."""
    answer = itinerary_answer_from(starter_release(), question, now=NOW)
    ids = [flight_leg_ids(answer, flight) for flight in answer.outcome.flights]
    return len(msgspec.json.encode(itinerary_body(answer, ids, language)))


def apart(question: ItineraryQuestion, language: str) -> int:
    """Return the bytes of all answers about one item on one flight, with each source once."""
    answers = [answer_from(starter_release(), one, now=NOW) for one in one_by_one(question)]
    sources = {source for answer in answers for source in answer.outcome.citations}
    bodies = [msgspec.to_builtins(verify_body(answer, language)) for answer in answers]
    return sum(map(len, map(msgspec.json.encode, [*sources, *map(_without_sources, bodies)])))


def _without_sources(body: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in body.items() if name != "citations"}


def sizes() -> Iterator[tuple[ItineraryQuestion, int, int]]:
    drawn = islice(real_itineraries(starter_content(), seed=8), ITINERARIES)
    for number, question in enumerate(drawn):
        language = LANGUAGES[number % len(LANGUAGES)]
        yield question, together(question, language), apart(question, language)


def test_the_answer_to_an_itinerary_is_at_most_a_fifth_longer_than_the_separate_answers() -> None:
    for question, whole, separate in sizes():
        assert whole <= 1.2 * separate, question
