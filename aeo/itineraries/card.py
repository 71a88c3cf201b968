"""The counter card of an itinerary: one page for all passengers, as `aeo.trips.card` makes one for a trip.

Called by the view of `/itinerary/card`.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from aeo.itineraries.asked import ItineraryAsked
from aeo.itineraries.shown import FlightShown, Packing, flights, packing
from aeo.itineraries.writing import query
from aeo.texts import airline_name, say
from aeo.trips.card import (
    LINES_OF_A_FLIGHT,
    MOST_CITATIONS,
    MOST_LINES,
    PUBLIC_NAME,
    Card,
    Part,
    again,
    drawn,
    fitting,
    lines_of,
    said,
)
from aeo.trips.shown import Flight
from aeo.web.addresses import address
from aeo.web.formatting import listed
from rules import wording
from rules.engine.corpus import Citation
from rules.verdicts import ItineraryAnswer


class ItineraryCard(Card, frozen=True, kw_only=True):
    """The contents of a card, with who packs what."""

    packing: Packing
    people: str


def card(itinerary: ItineraryAsked, answer: ItineraryAnswer) -> ItineraryCard:
    """Return the card of an itinerary, in the active language."""
    outcome, question = answer.outcome, answer.question
    shown, packed = flights(itinerary, answer), packing(answer)
    parts = list(_parts(shown, is_banned=outcome.verdict == "banned"))
    taken = LINES_OF_A_FLIGHT * (len(shown) - 1) + len(packed.packs) + len(packed.stays)
    fit = list(fitting(parts, max(0, MOST_LINES - taken)))
    cited = list(dict.fromkeys(_cited(shown)))[:MOST_CITATIONS]
    url = f"{address('/itinerary/card')}?{query(itinerary)}"
    return ItineraryCard(
        public_name=PUBLIC_NAME,
        url=url,
        model=listed(item.ref for item in question.items),
        watt_hour="",
        quantity=say("answer.units", count=sum(item.unit.quantity for item in question.items)),
        bag="",
        recall_check="",
        people=say("itinerary.people", count=question.passengers),
        packing=packed,
        verdict=outcome.verdict,
        said=tuple(
            said(outcome.verdict, question.flights[0].origin, partial(wording.itinerary_summary, answer))
        ),
        flights=tuple(_flights(itinerary, answer, shown)),
        parts=tuple(fit),
        more=lines_of(parts) - lines_of(fit),
        citations=tuple(cited),
        more_citations=len(set(outcome.citations) - set(cited)),
        answer=answer,
        answer_id=answer.itinerary_verdict_id,
        again=again(question.flights[-1].date, answer.expires_at),
        code=drawn(url),
    )


def _flights(
    itinerary: ItineraryAsked, answer: ItineraryAnswer, shown: Sequence[FlightShown]
) -> Iterator[Flight]:
    known = answer.release.shelf.airlines
    for index, (one, flown) in enumerate(zip(shown, itinerary.flights, strict=True), start=1):
        code = flown.asked.airline or flown.sold
        yield Flight(
            index=index,
            origin=flown.asked.departure.shown,
            destination=flown.asked.arrival.shown,
            airline=airline_name(known[code]) if code in known else code,
            verdict=one.verdict,
            word=one.word,
        )


def _parts(shown: Sequence[FlightShown], *, is_banned: bool) -> Iterator[Part]:
    """Yield why it is banned, or what to settle, and then the conditions, each once."""
    lines = {
        "answer.bans": (ban.line for flight in shown for ban in flight.bans),
        "answer.settle": (line for flight in shown for line in flight.settle if not is_banned),
        "answer.others" if is_banned else "card.constraints": (
            line for flight in shown for line in flight.conditions
        ),
    }
    for heading, worded in lines.items():
        if each := tuple(dict.fromkeys(worded)):
            yield Part(say(heading), each)


def _cited(shown: Sequence[FlightShown]) -> Iterator[Citation]:
    """Yield the sources of what bans, then an own page of each airline, then the others."""
    for flight in shown:
        for ban in flight.bans:
            yield from sorted(ban.citations, key=lambda cited: cited.kind != "airline")
    for flight in shown:
        yield from [cited for cited in flight.citations if cited.kind == "airline"][:1]
    for flight in shown:
        yield from (cited for cited in flight.citations if cited.kind == "regulator")
