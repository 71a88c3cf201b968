"""An itinerary's answer, ready to show: who packs what, what changes in between, and each power bank.

All texts are in the active language. Nothing here decides anything. Called by the view.
"""

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from aeo.asking.names.suggestions import of_model
from aeo.checker.recall_check import RecallCheckShown, recall_check_shown
from aeo.checker.stated import facts
from aeo.itineraries.asked import ItineraryAsked
from aeo.itineraries.flights import banned_by, danger, open_on, spoken
from aeo.itineraries.writing import query_with
from aeo.itineraries.written import suffixed
from aeo.pages.paths import model_path
from aeo.texts import say
from aeo.web.formatting import bracketed, day, listed, verdict_word
from aeo.web.languages import localized
from rules.answers.alternatives import recall_check
from rules.corpus import Published
from rules.engine.facts import Rule
from rules.engine.outcomes import ItineraryItem, Share, Staying
from rules.engine.vocabulary import Verdict
from rules.verdicts import ItineraryAnswer

MOST_CANDIDATES = 8


class Pack(msgspec.Struct, frozen=True):
    """What one passenger carries, and how many units that is."""

    who: str
    items: str
    count: int


class Named(msgspec.Struct, frozen=True):
    """Some lines under a name: why a power bank stays or is not decided, or a part of a card."""

    name: str
    lines: tuple[str, ...]


class Packing(msgspec.Struct, frozen=True, kw_only=True):
    """Who packs what: the sure way to travel. `heading` says whether it is all, or what may travel."""

    heading: str
    packs: tuple[Pack, ...]
    stays: tuple[Named, ...]
    to_cabin: tuple[str, ...]
    undecided: tuple[Named, ...]


class Candidate(msgspec.Struct, frozen=True):
    """A model with the figures of a label, and the address of the same question about it."""

    name: str
    path: str


class ItemShown(msgspec.Struct, frozen=True, kw_only=True):
    """A power bank with its verdict over all flights, and what was said of it.

    `too_many` says that only the number bans it. `recall_check` is set if a recall of it is open.
    """

    name: str
    verdict: Verdict
    word: str
    too_many: bool
    said: tuple[str, ...]
    path: str
    candidates: tuple[Candidate, ...]
    recall_check: RecallCheckShown | None


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
        undecided=tuple(Named(ref, tuple(_steps(answer, ref))) for ref in found.undecided),
    )


def _several(answer: ItineraryAnswer) -> set[str]:
    return {item.ref for item in answer.question.items if item.unit.quantity > 1}


def _packs(shares: Iterable[Share], several: set[str]) -> Iterator[Pack]:
    by_passenger: dict[int, Counter[str]] = {}
    for share in shares:
        by_passenger.setdefault(share.passenger, Counter())[share.ref] += share.quantity
    for number, units in sorted(by_passenger.items()):
        names = [_counted(ref, quantity, several) for ref, quantity in units.items()]
        yield Pack(say("itinerary.passenger", number=number), listed(names), units.total())


def _counted(ref: str, quantity: int, several: set[str]) -> str:
    return f"{ref}{bracketed(str(quantity))}" if ref in several else ref


def _stays(answer: ItineraryAnswer, one: Staying) -> Named:
    """Return why some units stay: who forbids it, and that each alone may travel if they are too many."""
    by_number = one.because == "numbers"
    bans = [
        (flight, said)
        for flight in answer.outcome.flights
        for said in flight.constraints[: flight.bans]
        if one.ref in banned_by(flight, said)
    ]
    fitting = [pair for pair in bans if (pair[1].statement.name == "max_units") == by_number] or bans
    reasons = [spoken(answer, said) for _, said in fitting]
    if by_number:
        reasons.append(say("itinerary.stays.alone"))
    reasons += danger(answer, one.ref, [said for _, said in fitting])
    return Named(_counted(one.ref, one.quantity, _several(answer)), tuple(dict.fromkeys(reasons)))


def _steps(answer: ItineraryAnswer, ref: str) -> Iterator[str]:
    """Yield what to do about a power bank that cannot be judged, each once."""
    item = next(item for item in answer.question.items if item.ref == ref)
    lines: dict[str, None] = {}
    for flight in answer.outcome.flights:
        lines |= dict.fromkeys(open_on(answer, item, flight))
    yield from lines


def changes(answer: ItineraryAnswer) -> tuple[str, ...]:
    """Return what changes between the first flight and the last: rules that begin or end in between."""
    rules, first = answer.release.shelf.rules, answer.question.flights[0].date
    last = answer.question.flights[-1].date
    lines: dict[str, None] = {}
    for flight in answer.outcome.flights:
        for said in (*flight.constraints, *flight.warnings):
            applied = [rules[rule_id] for rule_id in said.rule_ids]
            for key, date, rule in _changed(applied, first, last):
                words = spoken(answer, msgspec.structs.replace(said, rule_ids=(rule.rule_id,)))
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
    return ItemShown(
        name=one.item.ref,
        verdict=one.verdict,
        word=verdict_word(one.verdict),
        too_many=one.verdict == "banned" and one.item.ref in alone,
        said=(
            say("answer.units", count=unit.quantity),
            say(f"answer.bag.{one.item.compartment_intent}"),
            *facts(unit),
        ),
        path="" if label is not None else localized(model_path(unit.model_id)),
        candidates=() if label is None else tuple(_candidates(itinerary, answer.release, one, at)),
        recall_check=recall_check_shown(
            recall_check(unit, one.impact.status, one.impact.findings),
            answer.release,
            unit.model_id,
            lambda result: _path_with(itinerary, at, {"recall": result}),
        ),
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
        yield Candidate(of_model(device).label, _path_with(itinerary, at, changed))


def _path_with(itinerary: ItineraryAsked, at: int, changes: Mapping[str, str]) -> str:
    """Return the address of the same question with other values of one power bank."""
    query = query_with(itinerary, {suffixed(name, at): value for name, value in changes.items()})
    return f"{localized('/itinerary')}?{query}"
