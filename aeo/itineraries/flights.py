"""The flights of an itinerary, ready to show: each with what decides about it and the evidence.

A trip is an itinerary of one item on connected flights, so the pages and cards of both show the same flights.
All texts are in the active language. Nothing here decides anything. Called by the pages of itineraries and
trips, and by the card.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from aeo.asking import Point
from aeo.pages import energy
from aeo.pages.energy import Carried
from aeo.pages.record import Drawing
from aeo.pages.refusal import RefusalCard, refusal_card
from aeo.texts import active, airline_name, say
from aeo.web.formatting import day, listed, verdict_word
from rules import wording
from rules.answers.rules_in_play import deciding
from rules.corpus import Published
from rules.engine.facts import Flight, Item, Question
from rules.engine.outcomes import FlightVerdict, LegVerdict, Said
from rules.engine.vocabulary import Verdict
from rules.selectors import evidence
from rules.selectors.evidence import Cited
from rules.verdicts import ItineraryAnswer, flight_leg_ids, item_question
from rules.wording import NextStep
from rules.wording.advice import Refused
from rules.wording.steps import speaker

Ends = Sequence[tuple[Point, Point]]
"""Where each flight departs and arrives, as the traveler named it."""


class Ban(msgspec.Struct, frozen=True):
    """Why a flight is banned, and the sources of the rules that say it."""

    line: str
    citations: tuple[Cited, ...]


class FlightShown(msgspec.Struct, frozen=True, kw_only=True):
    """A flight with what to do on it. Lines name the power banks that they are about, if not all.

    `says` is the summary of the flight alone, if it is about one power bank. `ids` are verdict ids, each with
    the name of its power bank. For a flight without coverage, `uncovered` says so. `decides` says that the
    answer for the whole journey comes from this flight, and whose rules give it; empty for other flights, and
    where all are alike. `step` is what to do about a gap, unless `settle` says it. `units` says how many
    power banks are accepted, and who says so; empty if none are.
    """

    index: int
    origin: str
    destination: str
    airline: str
    details: tuple[str, ...]
    verdict: Verdict
    word: str
    says: str = ""
    bans: tuple[Ban, ...]
    settle: tuple[str, ...]
    step: NextStep | None
    conditions: tuple[str, ...]
    warnings: tuple[str, ...]
    citations: tuple[Cited, ...]
    ids: tuple[tuple[str, str], ...]
    uncovered: str
    decides: str
    units: str

    @property
    def title(self) -> str:
        """The number of the flight and its ends."""
        return say("trip.flight", index=self.index, origin=self.origin, destination=self.destination)


def flights(answer: ItineraryAnswer, ends: Ends) -> tuple[FlightShown, ...]:
    """Return the flights in order."""
    return tuple(_flight(answer, ends, index) for index in range(len(answer.outcome.flights)))


def _flight(answer: ItineraryAnswer, ends: Ends, index: int) -> FlightShown:
    one, (departure, arrival), language = answer.outcome.flights[index], ends[index], active()
    settle = tuple(_settle(answer, one))
    code = one.flight.leg.airline
    return FlightShown(
        index=index + 1,
        origin=departure.shown,
        destination=arrival.shown,
        airline=_airline(answer.release, code),
        details=tuple(_details(answer.release, one.flight)),
        verdict=one.verdict,
        word=verdict_word(one.verdict),
        bans=tuple(_ban(answer, one, said) for said in one.constraints[: one.bans]),
        settle=settle,
        step=_step(answer, one, settle),
        conditions=tuple(line for line in _lines(answer, one.constraints[one.bans :]) if line not in settle),
        warnings=tuple(_lines(answer, one.warnings)),
        citations=evidence.with_basis(
            answer.release, (cited for item in one.items for cited in item.answer.citations)
        ),
        ids=tuple(flight_leg_ids(answer, one).items()),
        uncovered=wording.coverage_message(code, language) if one.error is not None else "",
        decides=_decides(answer, one),
        units=_units(answer, one),
    )


def _step(answer: ItineraryAnswer, flight: FlightVerdict, settle: Sequence[str]) -> NextStep | None:
    """Return what to do about a gap, if it leads to a page or if nothing else has to be settled."""
    step = wording.flight_step(answer, flight, active())
    return step if step is not None and (step.url or not settle) else None


def energy_of(answer: ItineraryAnswer) -> Drawing:
    """Return the power banks against the limits on all flights. They have names if there are several."""
    items, flights = answer.outcome.items, [one.flight for one in answer.outcome.flights]
    carried = [Carried(one.device, one.item.ref if len(items) > 1 else "") for one in items]
    return energy.on_flights(answer.release, carried, [(flight.leg, flight.date) for flight in flights])


def energy_at_a_glance(answer: ItineraryAnswer) -> Drawing | None:
    """Return the power bank against the strictest limits; None if there are several, or no coverage."""
    flights = [(one.flight.leg, one.flight.date) for one in answer.outcome.flights]
    items = answer.outcome.items
    return energy.at_a_glance(answer.release, items[0].device, flights) if len(items) == 1 else None


def _decides(answer: ItineraryAnswer, flight: FlightVerdict) -> str:
    """Return whose rules on a flight give the answer for the whole journey; empty if they do not."""
    verdict = answer.outcome.verdict
    if verdict == "allowed" or flight.verdict != verdict:
        return ""
    if who := listed(dict.fromkeys(_speakers(answer, deciding_rules(answer, flight)))):
        return say("strip.decides.by", who=who)
    alike = all(one.verdict == verdict for one in answer.outcome.flights)
    return "" if alike else say("strip.decides")


def _units(answer: ItineraryAnswer, flight: FlightVerdict) -> str:
    """Return how many power banks a flight accepts, and who says so. A banned flight accepts none."""
    limits = [said for said in flight.constraints if said.statement.name == "max_units"]
    return spoken(answer, limits[0]) if limits and not flight.bans else ""


def deciding_rules(answer: ItineraryAnswer, flight: FlightVerdict) -> list[str]:
    """Return the rules that decide about a flight, by their ids; for a ban, those that ban the whole bag."""
    if flight.bans:
        return [rule_id for said in flight.constraints[: flight.bans] for rule_id in said.rule_ids]
    return [
        rule_id
        for question, one in judged(answer, flight)
        for rule_id in deciding(answer.release, question, one)
    ]


def judged(answer: ItineraryAnswer, flight: FlightVerdict) -> Iterator[tuple[Question, LegVerdict]]:
    """Yield each power bank on a flight as a question of its own, with its verdict."""
    items = {item.ref: item for item in answer.question.items}
    for one in flight.items:
        yield item_question(items[one.ref], flight.flight), one.answer


def _ban(answer: ItineraryAnswer, flight: FlightVerdict, said: Said) -> Ban:
    """Return why a flight is banned. What the engine itself says has no sources."""
    rules = answer.release.shelf.rules
    sources = [source for rule_id in said.rule_ids for source in rules[rule_id].sources]
    line = _about(answer, banned_by(flight, said), spoken(answer, said))
    return Ban(line, evidence.cited(answer.release, dict.fromkeys(sources)))


def _details(release: Published, flight: Flight) -> Iterator[str]:
    """Yield who flies and who sold the flight, and its day."""
    operating, sold = flight.operating_airline, flight.marketing_airline
    if operating:
        yield say("answer.operated", airline=_airline(release, operating))
    else:
        yield say("itinerary.operator_unknown")
    if sold and sold != operating:
        yield say("itinerary.sold", airline=_airline(release, sold))
    shown = day(flight.date)
    yield say("itinerary.date_assumed", date=shown) if flight.date_assumed else shown


def _airline(release: Published, code: str) -> str:
    """Return the name of an airline; its code if it is unknown."""
    known = release.shelf.airlines
    return airline_name(known[code]) if code in known else code


def _settle(answer: ItineraryAnswer, flight: FlightVerdict) -> Iterator[str]:
    """Yield what has to be settled on a flight, each point once with the power banks that it is about."""
    points: dict[str, list[str]] = {}
    if flight.verdict not in {"conditional", "insufficient"}:
        return
    for item in answer.question.items:
        for line in open_on(answer, item, flight):
            points.setdefault(line, []).append(item.ref)
    for line, refs in points.items():
        yield _about(answer, refs, line)


def _lines(answer: ItineraryAnswer, said: Iterable[Said]) -> Iterator[str]:
    for one in said:
        yield _about(answer, one.refs, wording.flight_sentence(answer, one, active()))


def _about(answer: ItineraryAnswer, refs: Sequence[str], line: str) -> str:
    """Return a line with the names of the power banks that it is about, if it is not about all."""
    return line if len(refs) == len(answer.question.items) else say("named", name=listed(refs), value=line)


def open_on(answer: ItineraryAnswer, item: Item, flight: FlightVerdict) -> tuple[str, ...]:
    """Return what has to be settled for a power bank on a flight."""
    judged = next((one.answer for one in flight.items if one.ref == item.ref), None)
    if judged is None:
        return ()
    question = item_question(item, flight.flight)
    if item.label is not None and "watt_hour_unknown" in judged.gaps:
        return (wording.voltage_step(active()).message,)
    return wording.open_points(answer.release, question, question.leg, judged, active())


def banned_by(flight: FlightVerdict, said: Said) -> tuple[str, ...]:
    """Return the power banks that a statement bans on a flight. For others it may be a mere condition."""
    return tuple(
        one.ref for one in flight.items if said.statement in one.answer.constraints[: one.answer.bans]
    )


def spoken(answer: ItineraryAnswer, said: Said) -> str:
    """Return a statement with those who say it: "Emirates: At most 1 power bank per passenger."."""
    sentence = wording.flight_sentence(answer, said, active())
    who = dict.fromkeys(_speakers(answer, said.rule_ids))
    return say("named", name=listed(who), value=sentence) if who else sentence


def _speakers(answer: ItineraryAnswer, rule_ids: Iterable[str]) -> Iterator[str]:
    for rule_id in rule_ids:
        yield speaker(answer.release, answer.release.shelf.rules[rule_id], active()).name


def danger(answer: ItineraryAnswer, ref: str, bans: Iterable[Said]) -> tuple[str, ...]:
    """Return what to do with a unit that stays because it is dangerous; empty if it is not."""
    unit = next(item.unit for item in answer.question.items if item.ref == ref)
    return wording.danger_advice((said.statement.name for said in bans), unit, active())


def refused_as(answer: ItineraryAnswer) -> Refused | None:
    """Return why staff refuse a unit; None if the itinerary is not banned, or only because of the hold."""
    packing = answer.outcome.packing
    if answer.outcome.verdict != "banned" or (packing.move_to_cabin and not packing.stays):
        return None
    constraints = [said for flight in answer.outcome.flights for said in flight.constraints[: flight.bans]]
    if any(one.because == "unit" and danger(answer, one.ref, constraints) for one in packing.stays):
        return "dangerous"
    too_many = packing.stays and all(one.because == "numbers" for one in packing.stays)
    return "too_many" if too_many else "sound"


def refusal(answer: ItineraryAnswer, refused: Refused | None, ends: Ends) -> RefusalCard | None:
    """Return what to do if staff refuse a unit where the first banned flight departs; none if they do not."""
    banned = [index for index, one in enumerate(answer.outcome.flights) if one.verdict == "banned"]
    if refused is None or not banned:
        return None
    departure, _ = ends[banned[0]]
    return refusal_card(answer.release, refused, departure.country, departure.spelled)
