"""Gaps: questions with no permit and no prohibition, by watt-hours, compartment, quantity and date.

The check asks about the most harmless unit (intact, not recalled, legible, with its mark, of a model that no
rule names), so what is missing is a rule and not a fact about the unit. A question in such a gap gets
`insufficient`. Two checks:

- an airline: does its own permit, or a ban of its own or of the international baseline, speak?
- a country: does a permit of its own authority or region, or any ban, speak for a domestic flight there? An
  international flight may rest on the baseline; a domestic one may not.
"""

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import chain, pairwise
from typing import NamedTuple

from catalog.energy import bound
from rules.analysis.checks.findings import Finding, SubjectKind
from rules.analysis.checks.reach import LOWEST_WATT_HOUR, Reach
from rules.engine.facts import Airline, Country, Leg, Question, Unit
from rules.engine.matching import fold
from rules.engine.vocabulary import COMPARTMENT_WORDS, MAX_QUANTITY, Compartment

WHERE: dict[Compartment, str] = {**COMPARTMENT_WORDS, "carry_on": "in the cabin bag"}
"""The keys of accepted findings contain these words."""

IN_CABIN = "in the cabin"
"""The words for a gap that the cabin bag and the person share."""

Span = tuple[int, int]
"""The first and the last of some consecutive whole numbers."""

_HIGHEST = 10**12
"""Above every figure, in hundredths of a watt-hour."""


class Cell(NamedTuple):
    """A set of questions that all given rules treat the same: where, and bounds that are included."""

    where: str
    watt_hour: Span
    quantity: Span


def gaps_of_airline(
    airline: Airline, own: list[Reach], baseline: list[Reach], today: datetime.date
) -> Iterator[Finding]:
    """Find what an airline leaves open, today and from each later day on which one of its rules changes."""
    yield from _gaps("airline", airline.airline, airline.name, own, baseline, today)


def gaps_of_country(
    country: Country, own: list[Reach], baseline: list[Reach], today: datetime.date
) -> Iterator[Finding]:
    """Find what the authorities of a country (its regions included) leave open for domestic flights."""
    domestic = [one for one in own if "domestic" in one.scopes or "operator" in one.scopes]
    yield from _gaps(
        "jurisdiction", country.code, f"a flight within {country.name}", domestic, baseline, today
    )


def _gaps(
    kind: SubjectKind,
    subject: str,
    name: str,
    own: list[Reach],
    baseline: list[Reach],
    today: datetime.date,
) -> Iterator[Finding]:
    if not own:
        return
    open_before: frozenset[Cell] = frozenset()
    for first_day, last_day in _periods(filter(_can_close, [*own, *baseline]), today):
        open_now = frozenset(open_cells(own, baseline, first_day))
        for cell in _merged(open_now - open_before):
            says = f"{_unit(cell)} {_flight(cell)}"
            since = "" if first_day == today else f" from {first_day}"
            until = "" if last_day is None else f" until {last_day}"
            yield Finding(
                kind="gap",
                key=f"gap:{kind}:{subject}:{_unit_in_key(cell)} {_flight(cell)}{since}",
                subject_kind=kind,
                subject=subject,
                says=f"No rule permits or prohibits {says} for {name}{since}{until}.",
                rule_ids=tuple(one.rule.rule_id for one in own if one.rule.effect == "permit"),
            )
        open_before = open_now


def _can_close(one: Reach) -> bool:
    """Return whether a rule permits or bans at all, whatever the model: no other opens or closes a gap."""
    return one.models is None and (one.rule.effect == "permit" or bool(one.banned))


def _periods(
    rules: Iterable[Reach], today: datetime.date
) -> Iterator[tuple[datetime.date, datetime.date | None]]:
    """Return the spans of days, from today, within which no rule starts or ends; the last one is open."""
    one_day = datetime.timedelta(days=1)
    starts = {today}
    for one in rules:
        starts.add(max(one.first_day, today))
        if one.last_day < datetime.date.max:
            starts.add(max(one.last_day + one_day, today))
    ordered = sorted(starts)
    for start, following in pairwise(ordered):
        yield start, following - one_day
    yield ordered[-1], None


def open_cells(own: list[Reach], baseline: list[Reach], day: datetime.date) -> Iterator[Cell]:
    """Return the cells of a day for which no own permit and no ban speaks."""
    rules = [one for one in chain(own, baseline) if _can_close(one) and one.first_day <= day <= one.last_day]
    permits = [one for one in own if one.rule.effect == "permit" and one.models is None]
    spans = list(
        _spans({one.low for one in rules} | {one.high + 1 for one in rules}, LOWEST_WATT_HOUR, _HIGHEST)
    )
    quantities = list(_spans(_quantity_edges(rules), 1, MAX_QUANTITY))
    for compartment, where in WHERE.items():
        for quantity in quantities:
            facts = _harmless(compartment, quantity[0])
            for watt_hour in spans:
                banned = any(one.banned & facts and one.speaks_of(facts, watt_hour[0], day) for one in rules)
                if not banned and not any(one.speaks_of(facts, watt_hour[0], day) for one in permits):
                    yield Cell(where, watt_hour, quantity)


def _quantity_edges(rules: Iterable[Reach]) -> set[int]:
    edges = set()
    for one in rules:
        if one.rule.params.max_units is not None:
            edges.add(one.rule.params.max_units + 1)
        if one.rule.when.quantity_over is not None:
            edges.add(one.rule.when.quantity_over + 1)
    return edges


def _spans(edges: set[int], lowest: int, highest: int) -> Iterator[Span]:
    """Cut a range at some edges; each is the first value of what follows it."""
    starts = sorted({lowest, *(edge for edge in edges if lowest < edge <= highest)})
    for start, following in pairwise([*starts, highest + 1]):
        yield start, following - 1


def _harmless(compartment: Compartment, quantity: int) -> int:
    unit = Unit(
        model_id="any", quantity=quantity, ccc_mark="present", capacity_label="legible", condition="intact"
    )
    question = Question(
        unit=unit, leg=Leg("", "", ""), travel_date=datetime.date.min, compartment_intent=compartment
    )
    return fold(question, "not_affected")


def _merged(cells: Iterable[Cell]) -> list[Cell]:
    """Join cells that differ in only one thing: neighboring watt-hours, then quantities, then the cabin."""
    figures: dict[tuple[str, Span], list[Span]] = defaultdict(list)
    for cell in cells:
        figures[cell.where, cell.quantity].append(cell.watt_hour)
    units: dict[tuple[str, Span], list[Span]] = defaultdict(list)
    for (where, quantity), spans in figures.items():
        for watt_hour in _joined(spans):
            units[where, watt_hour].append(quantity)
    places: dict[tuple[Span, Span], set[str]] = defaultdict(set)
    for (where, watt_hour), spans in units.items():
        for quantity in _joined(spans):
            places[watt_hour, quantity].add(where)
    cabin = {WHERE["carry_on"], WHERE["on_person"]}
    for found in places.values():
        if cabin <= found:
            found -= cabin
            found.add(IN_CABIN)
    return sorted(Cell(where, *spans) for spans, found in places.items() for where in found)


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Join spans if one begins where another ends."""
    joined: list[Span] = []
    for first, last in sorted(spans):
        if joined and joined[-1][1] + 1 == first:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined


def _unit_in_key(cell: Cell) -> str:
    """Return the power banks of a cell as the keys of accepted findings name them. This must not change."""
    low, high = cell.watt_hour
    if high >= _HIGHEST and low == LOWEST_WATT_HOUR:
        return "any power bank"
    if high >= _HIGHEST:
        return f"a power bank over {_figure(low - 1)} Wh"
    if low == LOWEST_WATT_HOUR:
        return f"a power bank up to {_figure(high)} Wh"
    return f"a power bank over {_figure(low - 1)} and up to {_figure(high)} Wh"


def _unit(cell: Cell) -> str:
    """Return the power banks of a cell as editors read them: under 100 Wh, and not up to 99.99 Wh."""
    low, high = cell.watt_hour
    below, most = (bound(Decimal(figure) / 100) for figure in (low - 1, high))
    lower = f"{'over' if below.inclusive else 'from'} {below.watt_hour}"
    upper = f"{'up to' if most.inclusive else 'under'} {most.watt_hour}"
    if high >= _HIGHEST:
        return "any power bank" if low == LOWEST_WATT_HOUR else f"a power bank {lower} Wh"
    if low == LOWEST_WATT_HOUR:
        return f"a power bank {upper} Wh"
    return f"a power bank {lower} and {upper} Wh"


def _flight(cell: Cell) -> str:
    """Return where the power banks of a cell are, and how many."""
    first, last = cell.quantity
    if (first, last) == (1, MAX_QUANTITY):
        units = ""
    elif last == MAX_QUANTITY:
        units = f", {first} or more units"
    elif first != last:
        units = f", {first} to {last} units"
    else:
        units = ", 1 unit" if first == 1 else f", {first} units"
    return f"{cell.where}{units}"


def _figure(hundredths: int) -> str:
    return f"{hundredths / 100:g}"
