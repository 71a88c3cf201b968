"""An itinerary's answer, ready to show: who packs what, then each flight, then each power bank.

All texts are in the active language. Nothing here decides anything. Called by the view.
"""

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from aeo.asking.names.suggestions import of_model
from aeo.checker.answer import UNSAID
from aeo.itineraries.asked import ItineraryAsked
from aeo.itineraries.writing import query_with
from aeo.itineraries.written import suffixed
from aeo.pages.paths import model_path
from aeo.pages.refusal import RefusalCard, refusal_card
from aeo.texts import active, airline_name, say
from aeo.web.formatting import bracketed, day, listed, verdict_word
from aeo.web.languages import localized
from rules import wording
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import Flight, Item, Rule
from rules.engine.outcomes import FlightVerdict, ItineraryItem, Said, Share, Staying
from rules.engine.vocabulary import Verdict
from rules.selectors import evidence
from rules.verdicts import ItineraryAnswer, flight_leg_ids, item_question
from rules.wording import NextStep
from rules.wording.advice import Refused
from rules.wording.steps import speaker

MOST_CANDIDATES = 8


class Pack(msgspec.Struct, frozen=True):
    """What one passenger carries."""

    who: str
    items: str


class Stays(msgspec.Struct, frozen=True):
    """A power bank that does not come, or is not decided, and why."""

    name: str
    reasons: tuple[str, ...]


class Packing(msgspec.Struct, frozen=True, kw_only=True):
    """Who packs what: the sure way to travel. `heading` says whether it is all, or what may travel."""

    heading: str
    packs: tuple[Pack, ...]
    stays: tuple[Stays, ...]
    to_cabin: tuple[str, ...]
    undecided: tuple[Stays, ...]


class Ban(msgspec.Struct, frozen=True):
    """Why a flight is banned, and the sources of the rules that say it."""

    line: str
    citations: tuple[Citation, ...]


class FlightShown(msgspec.Struct, frozen=True, kw_only=True):
    """A flight with what to do on it. Lines name the power banks that they are about, if not all."""

    title: str
    details: tuple[str, ...]
    verdict: Verdict
    word: str
    bans: tuple[Ban, ...]
    settle: tuple[str, ...]
    step: NextStep | None
    conditions: tuple[str, ...]
    warnings: tuple[str, ...]
    citations: tuple[Citation, ...]
    ids: tuple[tuple[str, str], ...]
    uncovered: str


class Candidate(msgspec.Struct, frozen=True):
    """A model with the figures of a label, and the address of the same question about it."""

    name: str
    path: str


class ItemShown(msgspec.Struct, frozen=True, kw_only=True):
    """A power bank with its verdict over all flights, and what was said of it.

    `too_many` says that only the number bans it.
    """

    name: str
    verdict: Verdict
    word: str
    too_many: bool
    said: tuple[str, ...]
    path: str
    candidates: tuple[Candidate, ...]


def packing(answer: ItineraryAnswer) -> Packing:
    """Return who packs what, what stays and why, and what is not decided."""
    found, verdict = answer.outcome.packing, answer.outcome.verdict
    goes = verdict in {"allowed", "conditional"}
    shares = [share for one in found.passengers for share in one.shares]
    if not goes:
        shares = list(found.may_travel.shares) if found.may_travel else []
    refused = verdict_word(found.may_travel.verdict) if found.may_travel and not goes else ""
    heading = say("itinerary.packs") if goes or not shares else say("itinerary.packs.may")
    return Packing(
        heading=f"{heading}{bracketed(refused)}" if refused else heading,
        packs=tuple(_packs(shares, _several(answer))),
        stays=tuple(_stays(answer, one) for one in found.stays),
        to_cabin=found.move_to_cabin,
        undecided=tuple(Stays(ref, tuple(_steps(answer, ref))) for ref in found.undecided),
    )


def _several(answer: ItineraryAnswer) -> set[str]:
    return {item.ref for item in answer.question.items if item.unit.quantity > 1}


def _packs(shares: Iterable[Share], several: set[str]) -> Iterator[Pack]:
    by_passenger: dict[int, Counter[str]] = {}
    for share in shares:
        by_passenger.setdefault(share.passenger, Counter())[share.ref] += share.quantity
    for number, units in sorted(by_passenger.items()):
        names = [_counted(ref, quantity, several) for ref, quantity in units.items()]
        yield Pack(say("itinerary.passenger", number=number), listed(names))


def _counted(ref: str, quantity: int, several: set[str]) -> str:
    return f"{ref}{bracketed(str(quantity))}" if ref in several else ref


def _stays(answer: ItineraryAnswer, one: Staying) -> Stays:
    """Return why some units stay: who forbids it, and that each alone may travel if they are too many."""
    by_number = one.because == "numbers"
    bans = [
        (flight, said)
        for flight in answer.outcome.flights
        for said in flight.constraints[: flight.bans]
        if one.ref in _banned(flight, said)
    ]
    fitting = [pair for pair in bans if (pair[1].statement.name == "max_units") == by_number] or bans
    reasons = [_spoken(answer, said) for _, said in fitting]
    if by_number:
        reasons.append(say("itinerary.stays.alone"))
    reasons += _danger(answer, one, [said for _, said in fitting])
    return Stays(_counted(one.ref, one.quantity, _several(answer)), tuple(dict.fromkeys(reasons)))


def _danger(answer: ItineraryAnswer, one: Staying, bans: Iterable[Said]) -> tuple[str, ...]:
    """Return what to do with a unit that stays because it is dangerous; empty if it is not."""
    unit = next(item.unit for item in answer.question.items if item.ref == one.ref)
    return wording.danger_advice((said.statement.name for said in bans), unit, active())


def refusal(itinerary: ItineraryAsked, answer: ItineraryAnswer) -> RefusalCard | None:
    """Return what to do if staff refuse a unit where the first banned flight departs; none if none stays."""
    stays = answer.outcome.packing.stays
    banned = [index for index, one in enumerate(answer.outcome.flights) if one.verdict == "banned"]
    if not stays or not banned:
        return None
    constraints = [said for flight in answer.outcome.flights for said in flight.constraints[: flight.bans]]
    refused: Refused = "too_many" if all(one.because == "numbers" for one in stays) else "sound"
    if any(one.because == "unit" and _danger(answer, one, constraints) for one in stays):
        refused = "dangerous"
    departure = itinerary.flights[banned[0]].asked.departure
    return refusal_card(answer.release, refused, departure.country, departure.spelled)


def _banned(flight: FlightVerdict, said: Said) -> tuple[str, ...]:
    """Return the power banks that a statement bans on a flight. For others it may be a mere condition."""
    return tuple(
        one.ref for one in flight.items if said.statement in one.answer.constraints[: one.answer.bans]
    )


def _spoken(answer: ItineraryAnswer, said: Said) -> str:
    """Return a statement with those who say it: "Emirates: At most 1 power bank per passenger."."""
    sentence = wording.flight_sentence(answer, said, active())
    who = dict.fromkeys(
        speaker(answer.release, answer.release.shelf.rules[rule_id], active()).name
        for rule_id in said.rule_ids
    )
    return say("named", name=listed(who), value=sentence) if who else sentence


def _steps(answer: ItineraryAnswer, ref: str) -> Iterator[str]:
    """Yield what to do about a power bank that cannot be judged, each once."""
    item = next(item for item in answer.question.items if item.ref == ref)
    lines: dict[str, None] = {}
    for flight in answer.outcome.flights:
        lines |= dict.fromkeys(_open(answer, item, flight))
    yield from lines


def _open(answer: ItineraryAnswer, item: Item, flight: FlightVerdict) -> tuple[str, ...]:
    """Return what has to be settled for a power bank on a flight."""
    judged = next((one.answer for one in flight.items if one.ref == item.ref), None)
    if judged is None:
        return ()
    question = item_question(item, flight.flight)
    if item.label is not None and "watt_hour_unknown" in judged.gaps:
        return (wording.voltage_step(active()).message,)
    return wording.open_points(answer.release, question, question.leg, judged, active())


def flights(itinerary: ItineraryAsked, answer: ItineraryAnswer) -> tuple[FlightShown, ...]:
    """Return the flights in order, between the places as the traveler named them."""
    return tuple(_flight(itinerary, answer, index) for index in range(len(answer.outcome.flights)))


def _flight(itinerary: ItineraryAsked, answer: ItineraryAnswer, index: int) -> FlightShown:
    one, asked, language = answer.outcome.flights[index], itinerary.flights[index].asked, active()
    uncovered = one.error is not None
    settle = tuple(_settle(answer, one))
    return FlightShown(
        title=say(
            "trip.flight", index=index + 1, origin=asked.departure.shown, destination=asked.arrival.shown
        ),
        details=tuple(_details(answer.release, one.flight)),
        verdict=one.verdict,
        word=verdict_word(one.verdict),
        bans=tuple(_ban(answer, one, said) for said in one.constraints[: one.bans]),
        settle=settle,
        step=wording.flight_step(answer, one, language),
        conditions=tuple(line for line in _lines(answer, one.constraints[one.bans :]) if line not in settle),
        warnings=tuple(_lines(answer, one.warnings)),
        citations=_cited(answer, one),
        ids=tuple(flight_leg_ids(answer, one).items()),
        uncovered=wording.coverage_message(one.flight.leg.airline, language) if uncovered else "",
    )


def _ban(answer: ItineraryAnswer, flight: FlightVerdict, said: Said) -> Ban:
    """Return why a flight is banned. What the engine itself says has none."""
    rules = answer.release.shelf.rules
    sources = [source for rule_id in said.rule_ids for source in rules[rule_id].sources]
    line = _about(answer, _banned(flight, said), _spoken(answer, said))
    return Ban(line, evidence.citations(answer.release, dict.fromkeys(sources)))


def _details(release: Published, flight: Flight) -> Iterator[str]:
    """Yield who flies and who sold the flight, and its day."""
    known = release.shelf.airlines

    def name(code: str) -> str:
        return airline_name(known[code]) if code in known else code

    operating, sold = flight.operating_airline, flight.marketing_airline
    if operating:
        yield say("answer.operated", airline=name(operating))
    else:
        yield say("itinerary.operator_unknown")
    if sold and sold != operating:
        yield say("itinerary.sold", airline=name(sold))
    shown = day(flight.date)
    yield say("itinerary.date_assumed", date=shown) if flight.date_assumed else shown


def _settle(answer: ItineraryAnswer, flight: FlightVerdict) -> Iterator[str]:
    """Yield what has to be settled on a flight, each point once with the power banks that it is about."""
    points: dict[str, list[str]] = {}
    if flight.verdict not in {"conditional", "insufficient"}:
        return
    for item in answer.question.items:
        for line in _open(answer, item, flight):
            points.setdefault(line, []).append(item.ref)
    for line, refs in points.items():
        yield _about(answer, refs, line)


def _lines(answer: ItineraryAnswer, said: Iterable[Said]) -> Iterator[str]:
    for one in said:
        yield _about(answer, one.refs, wording.flight_sentence(answer, one, active()))


def _about(answer: ItineraryAnswer, refs: Sequence[str], line: str) -> str:
    """Return a line with the names of the power banks that it is about, if it is not about all."""
    return line if len(refs) == len(answer.question.items) else say("named", name=listed(refs), value=line)


def _cited(answer: ItineraryAnswer, flight: FlightVerdict) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(cited for item in flight.items for cited in item.answer.citations))


def changes(answer: ItineraryAnswer) -> tuple[str, ...]:
    """Return what changes between the first flight and the last: rules that begin or end in between."""
    rules, first = answer.release.shelf.rules, answer.question.flights[0].date
    last = answer.question.flights[-1].date
    lines: dict[str, None] = {}
    for flight in answer.outcome.flights:
        for said in (*flight.constraints, *flight.warnings):
            applied = [rules[rule_id] for rule_id in said.rule_ids]
            for key, date, rule in _changed(applied, first, last):
                words = _spoken(answer, msgspec.structs.replace(said, rule_ids=(rule.rule_id,)))
                lines[say(f"itinerary.changes.{key}", date=day(date), what=words)] = None
    return tuple(lines)


def _changed(
    rules: Iterable[Rule], first: datetime.date, last: datetime.date
) -> Iterator[tuple[str, datetime.date, Rule]]:
    """Yield the rules that take effect after the first flight, and those that end before the last."""
    for rule in rules:
        if rule.effective_from is not None and rule.effective_from > first:
            yield "from", rule.effective_from, rule
        elif rule.effective_until is not None and rule.effective_until < last:
            yield "until", rule.effective_until, rule


def items(itinerary: ItineraryAsked, answer: ItineraryAnswer) -> tuple[ItemShown, ...]:
    """Return the power banks in order."""
    return tuple(_item(itinerary, answer, one, at) for at, one in enumerate(answer.outcome.items, start=1))


def _item(itinerary: ItineraryAsked, answer: ItineraryAnswer, one: ItineraryItem, at: int) -> ItemShown:
    unit, label, packed = one.item.unit, one.item.label, answer.outcome.packing
    alone = {staying.ref for staying in packed.stays if staying.because == "numbers"}
    alone |= {share.ref for share in packed.may_travel.shares} if packed.may_travel else set()
    seen: Mapping[str, str] = {
        "mark": unit.ccc_mark,
        "label": unit.capacity_label,
        "condition": unit.condition,
        "recall_check": unit.recall_check,
    }
    return ItemShown(
        name=one.item.ref,
        verdict=one.verdict,
        word=verdict_word(one.verdict),
        too_many=one.verdict == "banned" and one.item.ref in alone,
        said=(
            say("answer.units", count=unit.quantity),
            say(f"answer.bag.{one.item.compartment_intent}"),
            *(say(f"answer.{name}.{value}") for name, value in seen.items() if value not in UNSAID),
        ),
        path="" if label is not None else localized(model_path(unit.model_id)),
        candidates=() if label is None else tuple(_candidates(itinerary, answer.release, one, at)),
    )


def _candidates(
    itinerary: ItineraryAsked, release: Published, one: ItineraryItem, at: int
) -> Iterator[Candidate]:
    """Yield models on file with the figures of a label, each with the question about it."""
    label, figure = one.item.label, one.device.watt_hour
    found = [
        device
        for device in release.shelf.devices.values()
        if label is not None
        and (label.capacity_mah is None or device.capacity_mah == label.capacity_mah)
        and (figure is None or device.watt_hour == figure)
    ]
    for device in found[:MOST_CANDIDATES]:
        changed = {"model": device.model_id, "wh": "", "mah": "", "v": ""}
        query = query_with(itinerary, {suffixed(name, at): value for name, value in changed.items()})
        yield Candidate(of_model(device).label, f"{localized('/itinerary')}?{query}")
