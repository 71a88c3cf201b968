"""The verdict of an itinerary: several units, several passengers, several flights.

The strictest of its flights; a flight is the strictest of its bags, and a bag of its units. Who carries the
units that no passenger is named for is searched so that the verdict is the mildest that any distribution
reaches. If that is still banned, `Packing` says which units may travel and which must stay. Called by the
door (`rules/verdicts.py`).
"""

import datetime
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import attrgetter

from catalog.cadence import stalest
from rules.engine.carrying import Bag, Kind, OnFlight, Reading, bag_of, carried
from rules.engine.corpus import Corpus
from rules.engine.deciding import deciding_statements
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Flight, Item, ItineraryQuestion
from rules.engine.matching import BAN, RANK_OF_NATURE, Statement
from rules.engine.outcomes import (
    Because,
    FlightVerdict,
    ItemVerdict,
    ItineraryItem,
    ItineraryVerdict,
    LegVerdict,
    MayTravel,
    Packing,
    PassengerVerdict,
    Said,
    Share,
    Staying,
)
from rules.engine.packing import Bag as KindBag
from rules.engine.packing import Packed, pack
from rules.engine.vocabulary import SEVERITY_ORDER, STRICTNESS, Verdict, stricter, strictest
from rules.engine.weighing import notice

Units = Mapping[int, int]
"""How many units of each item, by the place of the item in the question."""

_OPERATOR_UNCONFIRMED = notice("operating_airline_unconfirmed")
_OTHER_SPARES = notice("other_spares_count_too")

_LARGE_WATT_HOUR = 100
"""Many authorities count units over so many watt-hours together with all other spare batteries."""

_ABOUT_COMPUTED_FIGURES = frozenset({"confirm_rated_watt_hour", "watt_hour_unconfirmed"})
_WRONG_WITH_THE_UNIT = frozenset(
    {"recalled_not_permitted", "damaged_not_permitted", "label_required", "over_watt_hour_limit"}
)
"""The bans that follow from the unit itself. Others follow from the route, such as a required mark."""


def evaluate_itinerary(
    corpus: Corpus, question: ItineraryQuestion, *, today: datetime.date
) -> ItineraryVerdict:
    """Decide an itinerary; an uncovered airline stays in its flight.

    `today` is the day of asking (UTC). Raises `ModelNotFound` or `UnknownCountry`.
    """
    return _Itinerary(corpus, question, today).verdict()


class _Itinerary:
    """The work on one itinerary."""

    def __init__(self, corpus: Corpus, question: ItineraryQuestion, today: datetime.date) -> None:
        self._corpus, self.question, self._today = corpus, question, today
        self._items = carried(corpus, question.items)
        self._flights = [self._on(flight) for flight in question.flights]
        self._sellers = [self._at_the_seller(flight) for flight in question.flights]
        self._alone: dict[int, Verdict] = {}
        self._kinds: dict[tuple[int, ...], _Kinds] = {}
        self._answers: list[LegVerdict] = []

    def verdict(self) -> ItineraryVerdict:
        """Return the whole verdict."""
        distributed = self._mildest()
        bags = [(number, self._bag(units)) for number, units in enumerate(distributed, start=1) if units]
        different = list(dict.fromkeys(bag for _, bag in bags))
        flights = tuple(self._flight(index, different) for index in range(len(self._flights)))
        verdict = strictest(flight.verdict for flight in flights)
        answers = self._answers
        changes = [answer.next_change for answer in answers]
        changes += [flight.error.next_change for flight in flights if flight.error is not None]
        return ItineraryVerdict(
            verdict=verdict,
            items=tuple(self._item(place, flights) for place in range(len(self._items))),
            flights=flights,
            packing=self._packing(bags, verdict),
            citations=tuple(dict.fromkeys(chain.from_iterable(answer.citations for answer in answers))),
            next_change=min(filter(None, changes), default=None),
            freshness=stalest(answer.freshness for answer in answers),
            staler_on=min((day for answer in answers if (day := answer.staler_on)), default=None),
        )

    # --- Judging ------------------------------------------------------------------------------------------

    def item(self, place: int) -> Item:
        """Return the item at a place."""
        return self._items[place].item

    def kind(self, place: int) -> Kind:
        """Return what decides about the units of an item, and who carries them."""
        covered = (flight for flight in self._flights if isinstance(flight, OnFlight))
        return self.item(place).carried_by, *[flight.kind(place) for flight in islice(covered, 1)]

    def _on(self, flight: Flight) -> OnFlight | AirlineNotCovered:
        unsettled = () if flight.operating_airline is not None else (_OPERATOR_UNCONFIRMED,)
        try:
            return OnFlight(
                self._corpus, flight.leg, flight.date, self._items, today=self._today, unsettled=unsettled
            )
        except AirlineNotCovered as error:
            return error

    def _at_the_seller(self, flight: Flight) -> OnFlight | None:
        """Return the flight under the rules of the airline that sold it; none if there are no others."""
        leg = flight.seller_leg
        if leg is None:
            return None
        try:
            return OnFlight(self._corpus, leg, flight.date, self._items, today=self._today)
        except AirlineNotCovered:
            return None

    def _bag(self, units: Units) -> Bag:
        return bag_of(self._items, {place: number for place, number in units.items() if number})

    def judge(self, units: Units) -> Verdict:
        """Return the verdict of one passenger's units over all flights."""
        return self._judge(self._bag(units))

    def _judge(self, bag: Bag) -> Verdict:
        found: Verdict = "allowed"
        for flight in self._flights if bag.units else ():
            on_flight = "insufficient" if isinstance(flight, AirlineNotCovered) else flight.judge_bag(bag)
            found = stricter(found, on_flight)
            if found == "banned":
                break
        return found

    def _weigh(self, bag: Bag) -> Verdict:
        """Judge a bag that will most likely be answered for, and keep what is to be said of it."""
        for flight in self._flights:
            if isinstance(flight, OnFlight):
                flight.weigh_bag(bag)
        return self._judge(bag)

    def _judge_alone(self, place: int) -> Verdict:
        """Return the verdict of one unit of an item, with nothing else in the bag."""
        like = self._items[place].like
        if (known := self._alone.get(like)) is None:
            known = self._alone[like] = self.judge({like: 1})
        return known

    # --- Distributing -------------------------------------------------------------------------------------

    def _mildest(self) -> list[Units]:
        """Return what each passenger carries by the mildest distribution.

        No distribution is milder than the strictest unit by itself. Most often one round of dealing is that
        mild; only if it is not, milder ones are searched.
        """
        dealt = self._dealt()
        reached = STRICTNESS[strictest(map(self._weigh, map(self._bag, dealt)))]
        places, bound = range(len(self._items)), STRICTNESS["allowed"]
        for place in places:
            if bound == reached:
                return dealt
            bound = max(bound, STRICTNESS[self._judge_alone(place)])
        kinds = self._kinds_of(places)
        for verdict in sorted(STRICTNESS, key=STRICTNESS.__getitem__)[bound:reached]:
            packed = kinds.packed(verdict)
            if not any(packed.left):
                return kinds.units(packed.bags)
        return dealt

    def _kinds_of(self, places: Sequence[int]) -> "_Kinds":
        """Return some items by the kinds of their units, with the distributions that are known of them."""
        asked = tuple(places)
        if (known := self._kinds.get(asked)) is None:
            known = self._kinds[asked] = _Kinds(self, asked)
        return known

    def _dealt(self) -> list[Units]:
        """Deal units one by one to the passenger with the fewest: large, then unknown, then others."""
        bags: list[Counter[int]] = [Counter() for _ in range(self.question.passengers)]
        free = []
        for place, one in enumerate(self._items):
            if one.item.carried_by is None:
                free += [place] * one.item.unit.quantity
            else:
                bags[one.item.carried_by - 1][place] += one.item.unit.quantity
        totals = [bag.total() for bag in bags]
        for place in sorted(free, key=self._dealing_order):
            fewest = totals.index(min(totals))
            bags[fewest][place] += 1
            totals[fewest] += 1
        return list(bags)

    def _dealing_order(self, place: int) -> int:
        figure = self._items[place].entry.device.watt_hour
        if figure is None:
            return 1
        return 0 if figure > _LARGE_WATT_HOUR else 2

    # --- Answering ----------------------------------------------------------------------------------------

    def _connects(self, index: int) -> bool:
        flights = self.question.flights
        return index > 0 and flights[index - 1].connects_to(flights[index])

    def _flight(self, index: int, bags: Sequence[Bag]) -> FlightVerdict:
        """Return the answer for a flight. `bags` are the bags that differ."""
        asked, flight = self.question.flights[index], self._flights[index]
        if isinstance(flight, AirlineNotCovered):
            return FlightVerdict(flight=asked, verdict="insufficient", error=flight)
        connecting = self._connects(index)
        constraints, warnings = _Statements(), _Statements()
        of_items: dict[int, list[LegVerdict]] = defaultdict(list)
        said: dict[Reading, Collection[_Line]] = {}
        for bag in bags:
            hiding = [self.item(place).ref for place, _ in bag.units if self._items[place].hides]
            answers = flight.evaluate(bag, connecting=connecting)
            for (place, _), (reading, answer) in zip(bag.units, answers, strict=True):
                of_items[place].append(answer)
                self._answers.append(answer)
                if reading not in said:
                    said[reading] = _said(answer, constraints, warnings)
                ref = self.item(place).ref
                for line in said[reading]:
                    if line.statement.name in _ABOUT_COMPUTED_FIGURES:
                        # A number that can be exceeded by a computed figure concerns all such figures.
                        line.refs.update(dict.fromkeys(hiding))
                    else:
                        line.refs[ref] = None
            for statement, refs in self._own_warnings(index, bag):
                warnings.line(_rank_of_warning(statement), statement).refs.update(dict.fromkeys(refs))
        alone = {bag.units[0] for bag in bags if len(bag.units) == 1}
        return FlightVerdict(
            flight=asked,
            verdict=strictest(flight.judge_bag(bag) for bag in bags),
            items=tuple([self._item_on_flight(place, of_items[place], alone) for place in sorted(of_items)]),
            bans=constraints.count(BAN),
            constraints=constraints.in_order(),
            warnings=warnings.in_order(),
        )

    def _own_warnings(self, index: int, bag: Bag) -> Iterator[tuple[Statement, list[str]]]:
        """Return what no single unit warns of: the seller's rules, other spares, an assumed date."""
        asked, flight, seller = self.question.flights[index], self._flights[index], self._sellers[index]
        refs = [self.item(place).ref for place, _ in bag.units]
        if isinstance(flight, AirlineNotCovered):
            return
        if seller is not None and STRICTNESS[seller.judge_bag(bag)] > STRICTNESS[flight.judge_bag(bag)]:
            yield notice("marketing_airline_stricter", airline=asked.marketing_airline or ""), refs
        large = {place: number for place, number in bag.units if self._dealing_order(place) == 0}
        if sum(large.values()) > 1:
            yield _OTHER_SPARES, [self.item(place).ref for place in large]
        if asked.date_assumed and (day := flight.stricter_from(bag)) is not None:
            yield notice("rule_change_upcoming", date=day.isoformat()), refs

    def _item_on_flight(
        self, place: int, answers: Sequence[LegVerdict], alone: Container[tuple[int, int]]
    ) -> ItemVerdict:
        """Return the verdict of the units of an item. `alone` are the units that are all of some bag."""
        item = self.item(place)
        answer = max(answers, key=lambda one: STRICTNESS[one.verdict])
        is_alone = (place, item.unit.quantity) in alone
        return ItemVerdict(item.ref, answer, tuple(_deciding(answer, item)), is_alone)

    def _item(self, place: int, flights: Sequence[FlightVerdict]) -> ItineraryItem:
        one = self._items[place]
        verdict = strictest(
            "insufficient" if flight.error is not None else flight.items[place].verdict for flight in flights
        )
        return ItineraryItem(one.item, one.entry.device, one.impact, verdict)

    # --- Packing ------------------------------------------------------------------------------------------

    def _packing(self, bags: Sequence[tuple[int, Bag]], verdict: Verdict) -> Packing:
        passengers = tuple(
            PassengerVerdict(number, tuple(self._shares({number: dict(bag.units)})), self._judge(bag))
            for number, bag in bags
        )
        if verdict not in {"banned", "insufficient"}:
            return Packing(passengers)
        places = range(len(self._items))
        alone = {place: self._judge_alone(place) for place in places}
        cabin = [place for place in places if alone[place] == "banned" and self._only_in_cabin(place)]
        sound = [place for place in places if STRICTNESS[alone[place]] <= STRICTNESS["conditional"]]
        kept, milder = self._most(sound) if sound else ([], "allowed")
        shares = tuple(self._shares(dict(enumerate(kept, start=1))))
        return Packing(
            passengers,
            move_to_cabin=tuple(self.item(place).ref for place in cabin),
            stays=tuple(self._staying(alone, cabin, kept)),
            undecided=tuple(self.item(place).ref for place in places if alone[place] == "insufficient"),
            may_travel=MayTravel(shares, milder) if shares else None,
        )

    def _most(self, sound: Sequence[int]) -> tuple[list[Units], Verdict]:
        """Return the most of some units that may travel together: the milder ones if there is a choice."""
        kinds = self._kinds_of(sound)
        most = kinds.packed("conditional")
        # A unit that is conditional by itself is in no bag that is allowed.
        never = sum(
            self.item(place).unit.quantity for place in sound if self._judge_alone(place) != "allowed"
        )
        if never <= sum(most.left):
            milder = kinds.packed("allowed")
            if sum(milder.left) == sum(most.left):
                most = milder
        units = kinds.units(most.bags)
        return units, strictest(map(self.judge, units))

    def _staying(
        self, alone: Mapping[int, Verdict], cabin: Sequence[int], kept: Sequence[Units]
    ) -> Iterator[Staying]:
        travels: Counter[int] = Counter()
        for units in kept:
            travels.update(units)
        for place, verdict in alone.items():
            item = self.item(place)
            if verdict == "banned":
                if place not in cabin:
                    yield Staying(item.ref, item.unit.quantity, self._because(place))
            elif verdict != "insufficient" and (left := item.unit.quantity - travels[place]):
                yield Staying(item.ref, left, "numbers")

    def _because(self, place: int) -> Because:
        """Say whether the unit itself is banned, wherever it travels, or refused on this route."""
        bag = self._bag({place: 1})
        covered = [flight for flight in self._flights if isinstance(flight, OnFlight)]
        bans = {ban.name for flight in covered for ban in flight.bans(bag)}
        return "route" if _WRONG_WITH_THE_UNIT.isdisjoint(bans) else "unit"

    def _only_in_cabin(self, place: int) -> bool:
        """Return whether a banned unit in checked baggage would not be banned in the cabin."""
        covered = [flight for flight in self._flights if isinstance(flight, OnFlight)]
        return self.item(place).compartment_intent == "checked" and not any(
            flight.bans_in_cabin(place) for flight in covered
        )

    def _shares(self, bags: Mapping[int, Units]) -> Iterator[Share]:
        for passenger, units in sorted(bags.items()):
            for place, number in sorted(units.items()):
                if number:
                    yield Share(self.item(place).ref, number, passenger)


class _Kinds:
    """Some items of an itinerary by the kinds of their units, as `pack` distributes them."""

    def __init__(self, itinerary: _Itinerary, places: Sequence[int]) -> None:
        grouped: dict[Kind, list[int]] = defaultdict(list)
        for place in places:
            grouped[itinerary.kind(place)].append(place)
        self._itinerary = itinerary
        self._places = list(grouped.values())
        self._order = sorted(places)
        self._judged: dict[KindBag, Verdict] = {}
        self._packed: dict[Verdict, Packed] = {}

    def packed(self, verdict: Verdict) -> Packed:
        """Distribute as many units as bags of this verdict or a milder one can hold."""
        if (known := self._packed.get(verdict)) is None:
            known = self._packed[verdict] = self._pack(STRICTNESS[verdict])
        return known

    def _pack(self, most: int) -> Packed:
        item = self._itinerary.item
        return pack(
            supply=tuple(sum(item(place).unit.quantity for place in places) for places in self._places),
            owners=[item(places[0]).carried_by for places in self._places],
            passengers=self._itinerary.question.passengers,
            accepts=lambda bag: STRICTNESS[self._judge(bag)] <= most,
            preference=self._earlier_items,
        )

    def units(self, bags: Sequence[KindBag]) -> list[Units]:
        """Return bags of kinds as bags of items: lower passengers have earlier items."""
        waiting = [deque(self._each(places)) for places in self._places]
        return [
            Counter(
                units.popleft() for units, number in zip(waiting, bag, strict=True) for _ in range(number)
            )
            for bag in bags
        ]

    def _judge(self, bag: KindBag) -> Verdict:
        if (known := self._judged.get(bag)) is None:
            units = {places[0]: number for places, number in zip(self._places, bag, strict=True)}
            known = self._judged[bag] = self._itinerary.judge(units)
        return known

    def _each(self, places: Sequence[int]) -> Iterator[int]:
        """Yield the item of each unit of a kind, early items first."""
        for place in places:
            yield from [place] * self._itinerary.item(place).unit.quantity

    def _earlier_items(self, left: KindBag) -> tuple[int, ...]:
        """Return how many units of each item are left: of a kind, those of the last items are."""
        staying: dict[int, int] = {}
        for places, number in zip(self._places, left, strict=True):
            for place in reversed(places):
                staying[place] = min(number, self._itinerary.item(place).unit.quantity)
                number -= staying[place]
        return tuple([staying[place] for place in self._order])


class _Line:
    """A statement of a flight, with the rules that say it and the items that it is about."""

    __slots__ = ("rank", "refs", "rule_ids", "statement")

    def __init__(self, rank: int, statement: Statement) -> None:
        self.rank, self.statement = rank, statement
        self.rule_ids: dict[str, None] = {}
        self.refs: dict[str, None] = {}


class _Statements:
    """The constraints or the warnings of a flight, each once."""

    def __init__(self) -> None:
        self._lines: dict[Statement, _Line] = {}

    def line(self, rank: int, statement: Statement) -> _Line:
        """Return the line of a statement. It has the first of its ranks."""
        line = self._lines.get(statement)
        if line is None:
            line = self._lines[statement] = _Line(rank, statement)
        elif rank < line.rank:
            line.rank = rank
        return line

    def count(self, rank: int) -> int:
        return [line.rank for line in self._lines.values()].count(rank)

    def in_order(self) -> tuple[Said, ...]:
        ranked = sorted(self._lines.values(), key=attrgetter("rank"))
        return tuple([Said(line.statement, tuple(line.rule_ids), tuple(line.refs)) for line in ranked])


def _said(answer: LegVerdict, constraints: _Statements, warnings: _Statements) -> Collection[_Line]:
    """Return the lines of what an answer says, with its rules. What the engine itself says has none."""
    lines: dict[Statement, _Line] = {}
    for at, statement in enumerate(answer.constraints):
        rank = BAN if at < answer.bans else RANK_OF_NATURE[statement.nature]
        lines[statement] = constraints.line(rank, statement)
    for statement in answer.warnings:
        lines[statement] = warnings.line(_rank_of_warning(statement), statement)
    for statement, rule_ids in answer.said_by().items():
        if (line := lines.get(statement)) is not None:
            line.rule_ids.update(dict.fromkeys(rule_ids))
    return lines.values()


def _rank_of_warning(statement: Statement) -> int:
    return SEVERITY_ORDER[statement.severity or "advisory"]


def _deciding(answer: LegVerdict, item: Item) -> Iterator[str]:
    """Return the codes that decide: what bans, what is missing, or what must be settled first."""
    if answer.verdict == "insufficient":
        yield from answer.gaps
    for statement in deciding_statements(answer, item.unit):
        yield statement.code
