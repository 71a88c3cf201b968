"""An itinerary in words: its summary, and what to do next on each flight.

Items are named by their refs, which the caller chose. Called by the API and by tools for agents.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from rules.engine.facts import Item
from rules.engine.outcomes import FlightVerdict, LegVerdict, Packing, Said, Share, Staying
from rules.engine.vocabulary import STRICTNESS
from rules.verdicts import ItineraryAnswer, item_question
from rules.wording.next_steps import NextStep, coverage_step, leg_step, voltage_step
from rules.wording.saying import say
from rules.wording.sentences import lookup_url, sentence
from rules.wording.summaries import carrying_all
from rules.wording.translating import joined


def itinerary_summary(answer: ItineraryAnswer, language: str) -> str:
    """Say an itinerary's answer in a few sentences: the verdict, then how they are carried, or what stays."""
    outcome = answer.outcome
    several = {item.ref for item in answer.question.items if item.unit.quantity > 1}
    sentences = [say(f"summary.itinerary.{outcome.verdict}", language)]
    if outcome.verdict in {"allowed", "conditional"}:
        if answer.question.passengers > 1:
            sentences += _carrying(outcome.packing, several, language)
        sentences += carrying_all([item.answer for one in outcome.flights for item in one.items], language)
    else:
        sentences += _staying(outcome.packing, several, language)
    return joined(sentences, language)


def flight_step(answer: ItineraryAnswer, flight: FlightVerdict, language: str) -> NextStep | None:
    """Return what to do about the first gap of the strictest item on a flight; none if nothing is open."""
    if flight.error is not None:
        return coverage_step(answer.release, flight.flight.leg.airline, language)
    item, outcome = strictest_item(answer, flight)
    by_label = item.label is not None
    if "watt_hour_unknown" in outcome.gaps and by_label and flight.verdict == "insufficient":
        return voltage_step(language)
    question = item_question(item, flight.flight)
    return leg_step(answer.release, question, flight.flight.leg, outcome, language)


def flight_sentence(answer: ItineraryAnswer, said: Said, language: str) -> str:
    """Return the sentence of a statement; that of a recall names the list of the first item with one."""
    findings = (
        finding
        for item in answer.outcome.items
        if item.item.ref in said.refs
        for finding in item.impact.findings
    )
    return sentence(said.statement, language, lookup_url(findings))


def strictest_item(answer: ItineraryAnswer, flight: FlightVerdict) -> tuple[Item, LegVerdict]:
    """Return the first of the strictest items on a flight that has an answer, and its verdict."""
    strictest = max(flight.items, key=lambda one: STRICTNESS[one.verdict])
    item = next(item for item in answer.question.items if item.ref == strictest.ref)
    return item, strictest.answer


def _carrying(packing: Packing, several: Collection[str], language: str) -> Iterator[str]:
    """Say who carries what."""
    for one in packing.passengers:
        values = (("passenger", one.passenger), ("items", _listed(one.shares, several)))
        yield say("summary.itinerary.passenger", language, values)


def _staying(packing: Packing, several: Collection[str], language: str) -> Iterator[str]:
    """Say what must stay, what moves to the cabin, what is undecided, and what may travel."""
    for key, refs in (
        ("stays", _listed(packing.stays, several)),
        ("move_to_cabin", ", ".join(packing.move_to_cabin)),
        ("undecided", ", ".join(packing.undecided)),
    ):
        if refs:
            yield say(f"summary.itinerary.{key}", language, (("items", refs),))
    if packing.may_travel is not None:
        key = f"summary.itinerary.may_travel.{packing.may_travel.verdict}"
        yield say(key, language, (("items", _listed(packing.may_travel.shares, several)),))


def _listed(units: Iterable[Share | Staying], several: Collection[str]) -> str:
    """Return refs, each once, with numbers for items of several units: `anker (1), xiaomi`."""
    numbers: Counter[str] = Counter()
    for one in units:
        numbers[one.ref] += one.quantity
    return ", ".join(f"{ref} ({number})" if ref in several else ref for ref, number in numbers.items())
