"""What the traveler stated about each power bank of an itinerary or a trip, in the active language.

Called by the pages of itineraries and trips, and by the card.
"""

from collections.abc import Iterator

from aeo.checker.stated import facts, unjudged
from aeo.texts import say
from aeo.web.formatting import listed
from rules.engine.facts import Item
from rules.verdicts import ItineraryAnswer


def stated(answer: ItineraryAnswer) -> tuple[str, ...]:
    """Return the facts on which the verdict rests, a line for each power bank that has any."""
    items = answer.question.items
    lines = [(item.ref, " · ".join(_said(item))) for item in items]
    return tuple(_named(ref, line, several=len(items) > 1) for ref, line in lines if line)


def _said(item: Item) -> tuple[str, ...]:
    """Return the facts of a power bank; the cabin bag, which is usual, only with others."""
    said, bag = facts(item.unit), item.compartment_intent
    return (say(f"answer.bag.{bag}"), *said) if said or bag != "carry_on" else ()


def cautions(answer: ItineraryAnswer) -> tuple[str, ...]:
    """Return what to mind where no rule judges what was stated, with the power banks that it is about."""
    return tuple(_cautions(answer))


def _cautions(answer: ItineraryAnswer) -> Iterator[str]:
    flights = [(one.flight.leg, one.flight.date) for one in answer.outcome.flights]
    travels = answer.outcome.packing.may_travel
    # Too many of a power bank are banned, but some of them may travel.
    kept = {share.ref for share in travels.shares} if travels else set()
    points: dict[str, list[str]] = {}
    for one in answer.outcome.items:
        verdict = "conditional" if one.item.ref in kept else one.verdict
        for line in unjudged(answer.release, verdict, one.item.unit, flights):
            points.setdefault(line, []).append(one.item.ref)
    for line, refs in points.items():
        yield _named(listed(refs), line, several=len(refs) < len(answer.question.items))


def _named(name: str, line: str, *, several: bool) -> str:
    return say("named", name=name, value=line) if several else line
