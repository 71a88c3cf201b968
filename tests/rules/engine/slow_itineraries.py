"""A second, slow evaluator of itineraries, from the page of decisions and not from the engine.

It reads the rules of a release as they are written, one condition after the other, counts units by their
figures, and tries every distribution. It shares with the engine only the records, and what a serial proves.
"""

import datetime
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, Decimal

from recalls.serials import evaluate, overall
from rules.engine.document import Content
from rules.engine.facts import Device, Flight, Item, ItineraryQuestion, Rule
from rules.engine.vocabulary import STRICTNESS, Verdict, strictest

Bag = tuple[tuple[int, int], ...]
"""How many units of each item, by its place in the question."""

Interval = tuple[Decimal, Decimal] | None
"""The lowest and the highest figure that a unit can have; none if nothing is known."""


class SlowItineraries:
    """The release as the slow evaluator reads it."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.devices = {device.model_id: device for device in content.devices}
        self.airlines = {airline.airline: airline for airline in content.airlines}
        self.regions = {place.code: set(place.member_of) for place in content.jurisdictions}
        self._in_play: dict[tuple[str, str, str, datetime.date], list[Rule]] = {}

    def verdict(self, question: ItineraryQuestion) -> Verdict:
        """Return the mildest verdict of all distributions."""
        found = (self.of_bags(question, bags) for bags in distributions(question))
        return min(found, key=STRICTNESS.__getitem__)

    def of_bags(self, question: ItineraryQuestion, bags: Sequence[Bag]) -> Verdict:
        """Return the verdict of one distribution."""
        return strictest(
            self.of_unit(question, flight, place, bag)
            for flight in question.flights
            for bag in bags
            for place, _ in bag
        )

    def of_unit(self, question: ItineraryQuestion, flight: Flight, place: int, bag: Bag) -> Verdict:
        """Return the verdict of one unit of an item that flies in a bag."""
        rules = self.in_play(flight)
        if not any(rule.airline == flight.leg.airline for rule in rules):
            return "insufficient"
        item, status = question.items[place], self.recall_status(question.items[place])
        if status == "affected" or item.unit.recall_check == "affected":
            return "banned"
        figures = {at: self.figures(question.items[at]) for at, _ in bag}
        as_shown = {at: figure and (figure[0], figure[0]) for at, figure in figures.items()}
        device, own = self.device(item), figures[place]
        shown = Said(rules, item, device, status, device.watt_hour, bag, as_shown)
        if shown.bans:
            return "banned"
        if device.watt_hour is None or not shown.has_permits(flight):
            return "insufficient"
        hidden = Said(rules, item, device, status, own and own[1], bag, figures)
        doubted = self.doubted(item, flight.date)
        return (
            "conditional"
            if self.airlines[flight.leg.airline].confidence == "unverified"
            or status != "not_affected"
            or item.label is not None
            or flight.operating_airline is None
            or shown.open
            or (doubted and shown.demanding)
            or hidden.bans - shown.bans
            or hidden.open - shown.open
            or not hidden.has_permits(flight)
            or (doubted and hidden.demanding - shown.demanding)
            else "allowed"
        )

    def device(self, item: Item) -> Device:
        if item.label is None:
            return self.devices[item.unit.model_id]
        label, device = item.label, item.label.device()
        computed = None
        if label.capacity_mah is not None and label.voltage is not None:
            computed = (label.capacity_mah * label.voltage / 1000).quantize(Decimal("0.01"), ROUND_CEILING)
        known = [figure for figure in (label.watt_hour, computed) if figure is not None]
        assert device.watt_hour == max(known, default=None)
        return device

    def figures(self, item: Item) -> Interval:
        """Return the figures that a unit can have: a computed one can be up to 5 % too low."""
        device = self.device(item)
        if device.watt_hour is None:
            return None
        if device.watt_hour_basis != "computed":
            return device.watt_hour, device.watt_hour
        return device.watt_hour, (device.watt_hour * 10_000 // 95 + 1) / 100

    def recall_status(self, item: Item) -> str:
        recalls = [row for row in self.content.recalls if row.model_id == (item.unit.model_id or "none")]
        if not recalls:
            return "not_affected"
        affected = tuple(row.affected_serials for row in recalls)
        unit = item.unit
        found = [evaluate(one, serial=unit.serial, serial_hash=unit.serial_hash) for one in affected]
        return overall(affected, found, serial_given=unit.serial is not None)[0]

    def doubted(self, item: Item, day: datetime.date) -> bool:
        """Return whether a certificate puts the mark of a unit in doubt."""
        return item.unit.ccc_mark != "absent" and any(
            one.mark == "CCC" and one.status != "valid" and (one.since or day) <= day <= (one.until or day)
            for one in self.device(item).certificates
        )

    def in_play(self, flight: Flight) -> list[Rule]:
        """Return the rules in force on the day that speak for the flight, whatever the unit."""
        asked = flight.origin, flight.destination, flight.leg.airline, flight.date
        if asked not in self._in_play:
            self._in_play[asked] = [
                rule
                for rule in self.content.rules
                if rule.in_force(flight.date) and self._speaks(rule, flight)
            ]
        return self._in_play[asked]

    def _speaks(self, rule: Rule, flight: Flight) -> bool:
        airline = self.airlines.get(flight.leg.airline)
        if rule.airline is not None or airline is None:
            return airline is not None and rule.airline == airline.airline
        if rule.jurisdiction == "INTL":
            return True

        def inside(country: str) -> bool:
            return rule.jurisdiction == country or rule.jurisdiction in self.regions.get(country, ())

        ends = inside(flight.origin), inside(flight.destination)
        return (
            ("departure" in rule.applies and ends[0])
            or ("arrival" in rule.applies and ends[1])
            or ("domestic" in rule.applies and all(ends))
            or ("operator" in rule.applies and inside(airline.country))
        )


class Said:
    """What the rules say of a unit with one figure, in a bag whose units have these figures."""

    def __init__(
        self,
        rules: list[Rule],
        item: Item,
        device: Device,
        status: str,
        figure: Decimal | None,
        bag: Bag,
        figures: dict[int, Interval],
    ) -> None:
        self.bans: set[str] = set()
        self.open: set[str] = set()
        self.demanding: set[str] = set()
        self.permits: set[str] = set()
        unit, intent = item.unit, item.compartment_intent
        for rule in rules:
            when = rule.when
            count = sum(number for place, number in bag if _meets(rule, figures[place]))
            if not (
                _holds(rule, figure)
                and (when.compartment is None or intent in when.compartment)
                and (when.recall_status is None or status in when.recall_status)
                and (when.condition is None or unit.condition in when.condition)
                and (when.quantity_over is None or count > when.quantity_over)
                and (when.model is None or device.model_id in when.model)
            ):
                continue
            if rule.code == "ccc_mark_required":
                self.demanding.add(rule.rule_id)
            if when.certification_missing is not None and unit.ccc_mark == "present":
                continue
            if rule.effect == "permit":
                self.permits.add(
                    "airline" if rule.airline else "baseline" if rule.jurisdiction == "INTL" else "authority"
                )
            if rule.effect == "prohibit" or _fails(rule, item, count):
                self.bans.add(rule.rule_id)
            elif rule.code == "airline_approval_required" or (
                rule.code == "ccc_mark_required" and unit.ccc_mark == "unknown"
            ):
                self.open.add(rule.rule_id)

    def has_permits(self, flight: Flight) -> bool:
        domestic = flight.origin == flight.destination
        return "airline" in self.permits and (
            "authority" in self.permits or ("baseline" in self.permits and not domestic)
        )


def _fails(rule: Rule, item: Item, count: int) -> bool:
    return (
        (rule.code == "carry_on_only" and item.compartment_intent == "checked")
        or (rule.code == "max_units" and rule.effect == "require" and count > (rule.params.max_units or 0))
        or (rule.code == "ccc_mark_required" and item.unit.ccc_mark == "absent")
        or (rule.code == "label_required" and item.unit.capacity_label == "missing")
    )


def _holds(rule: Rule, figure: Decimal | None) -> bool:
    when = rule.when
    bounds = (when.watt_hour_over, when.watt_hour_at_least, when.watt_hour_up_to)
    if figure is None:
        return bounds == (None, None, None)
    return (
        (when.watt_hour_over is None or figure > when.watt_hour_over)
        and (when.watt_hour_at_least is None or figure >= when.watt_hour_at_least)
        and (when.watt_hour_up_to is None or figure <= when.watt_hour_up_to)
    )


def _meets(rule: Rule, figures: Interval) -> bool:
    """Return whether a unit can meet the energy conditions of a rule."""
    if figures is None:
        return True
    low, high = figures
    when = rule.when
    return (
        (when.watt_hour_over is None or high > when.watt_hour_over)
        and (when.watt_hour_at_least is None or high >= when.watt_hour_at_least)
        and (when.watt_hour_up_to is None or low <= when.watt_hour_up_to)
    )


def distributions(question: ItineraryQuestion) -> Iterator[tuple[Bag, ...]]:
    """Yield every way to give each unit to a passenger."""
    people = range(1, question.passengers + 1)
    units = [
        (place, [item.carried_by] if item.carried_by else people)
        for place, item in enumerate(question.items)
        for _ in range(item.unit.quantity)
    ]
    seen = set()
    for carriers in itertools.product(*[people for _, people in units]):
        bags: dict[int, Counter[int]] = {}
        for (place, _), carrier in zip(units, carriers, strict=True):
            bags.setdefault(carrier, Counter())[place] += 1
        distribution = tuple(sorted(tuple(sorted(bag.items())) for bag in bags.values()))
        if distribution not in seen:
            seen.add(distribution)
            yield distribution
