"""One flight of an itinerary: the units that passengers carry on it, bag by bag.

A rule that limits numbers counts what one passenger carries on one flight, over all items. So a unit is
judged by its own facts, together with the bag that it is in. A leg's verdict of one model is that of a bag
with one item. Called by `rules.engine.itinerary`.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from rules.engine.corpus import CatalogEntry, Corpus, InPlay
from rules.engine.evaluate import answer_of_another, case_in, evaluate_case, recall_impact
from rules.engine.facts import Item, Leg, Question
from rules.engine.matching import Energies, Entry, Statement, compared, concerned, in_cabin, with_number
from rules.engine.outcomes import LegVerdict, RecallImpact
from rules.engine.outlook import outlook
from rules.engine.vocabulary import MAX_DAYS_AHEAD, STRICTNESS, Verdict, stricter
from rules.engine.weighing import Case, RulesOfBag, Together, Weighed, judge, notice, weigh

Kind = tuple[object, ...]
"""What decides about a unit, and nothing else: units of one kind are interchangeable."""

_EXACT_MODEL = notice("exact_model_unknown")


class Carried(msgspec.Struct, frozen=True):
    """An item with what the corpus says about one of its units, whatever the flight.

    `like` is the place of the first item whose units are weighed alike: only their devices, recalls and
    sources differ. `bands` are the bands in which a unit is counted, as shown and as possible.
    """

    item: Item
    entry: CatalogEntry
    impact: RecallImpact
    like: int
    bands: tuple[int, int]

    @property
    def hides(self) -> bool:
        """Whether the figure of a unit is computed and can hide a higher one that counts."""
        shown, possible = self.bands
        return shown != possible


class Bag(msgspec.Struct, frozen=True, cache_hash=True):
    """What one passenger carries: how many units of each item, by the place of the item in the question.

    `uniform` says that all units are counted alike, so that `total` is the right number for all rules.
    """

    units: tuple[tuple[int, int], ...]
    total: int
    together: Together
    uniform: bool


def carried(corpus: Corpus, items: Iterable[Item]) -> list[Carried]:
    """Look items up in the release. Raises `ModelNotFound`."""
    found: list[Carried] = []
    first: dict[Kind, int] = {}
    for place, item in enumerate(items):
        entry = corpus.device(item.unit.model_id) if item.label is None else corpus.by_label(item.label)
        impact = recall_impact(entry, item.unit)
        like = first.setdefault(_likeness(item, entry, impact), place)
        found.append(Carried(item, entry, impact, like, (entry.bands_shown, entry.bands_possible)))
    return found


def _likeness(item: Item, entry: CatalogEntry, impact: RecallImpact) -> Kind:
    """Return all that the weighing of a unit reads of the item and of the corpus."""
    unit = item.unit
    return (
        item.compartment_intent,
        unit.condition,
        unit.ccc_mark,
        unit.capacity_label,
        unit.recall_check,
        impact.status,
        entry.bands_shown,
        entry.bands_possible,
        entry.named,
        entry.exact,
        entry.confirmed,
        entry.certificates,
    )


def bag_of(items: list[Carried], units: Mapping[int, int]) -> Bag:
    """Return a bag of some units of each item. The order of the items does not matter."""
    numbers: dict[tuple[int, int], int] = {}
    for place, number in units.items():
        bands = items[place].bands
        numbers[bands] = numbers.get(bands, 0) + number
    together = Together(_energies(numbers, 0), _energies(numbers, 1))
    return Bag(tuple(sorted(units.items())), sum(units.values()), together, uniform=len(numbers) == 1)


def _energies(numbers: Mapping[tuple[int, int], int], which: int) -> Energies:
    """Return the units of a bag by their bands as shown (0) or as possible (1)."""
    if len(numbers) == 1:
        return tuple([(bands[which], number) for bands, number in numbers.items()])
    units: dict[int, int] = {}
    for bands, number in numbers.items():
        units[bands[which]] = units.get(bands[which], 0) + number
    return tuple(sorted(units.items()))


Reading = tuple[int, int, int]
"""What decides about the units of an item in a bag.

The item that they are `like`, and how the bag, as shown and as possible, compares with the rules that count
and may speak for them.
"""


class OnFlight:
    """The items on one flight, under the rules of one airline. They may be judged in any bag.

    Raises `AirlineNotCovered` or `UnknownCountry` when it is made.
    """

    def __init__(
        self,
        corpus: Corpus,
        leg: Leg,
        date: datetime.date,
        items: list[Carried],
        *,
        today: datetime.date,
        unsettled: tuple[Statement, ...] = (),
    ) -> None:
        self._corpus, self._items, self._today = corpus, items, today
        self._day = date.toordinal()
        self._in_play = in_play = corpus.in_play(leg)
        self._ahead = outlook(in_play, self._day, today.toordinal())
        self._cases: dict[int, Case] = {}
        for place, one in enumerate(items):
            if one.like == place:
                question = _question(one.item, leg, date)
                case = case_in(corpus, one.entry, question, one.impact, in_play, today)
                still_open = unsettled if one.entry.exact else (*unsettled, _EXACT_MODEL)
                self._cases[place] = replace(case, unsettled=still_open) if still_open else case
        days = self._day, *[change.day for change in self._ahead.upcoming]
        self._counting = counting = _counting(in_play, days)
        """The rules that count units, on the day and on the days of the changes that an answer announces."""
        self._concerned = {
            place: concerned(counting, case.facts | case.entry.named, case.entry.bands_weighed)
            for place, case in self._cases.items()
        }
        self._compared: dict[Together, tuple[int, int]] = {}
        self._rules_of_bags: dict[Together, RulesOfBag] = {}
        self._readings: dict[Bag, list[Reading]] = {}
        self._judged: dict[Reading, Verdict] = {}
        self._weighed: dict[Reading, tuple[Case, Weighed]] = {}
        self._answers: dict[Reading, LegVerdict] = {}

    def kind(self, place: int) -> Kind:
        """Return the kind of the units of an item. It is the same on all flights."""
        case = self._cases[self._items[place].like]
        entry = case.entry
        return (
            with_number(case.facts, 1),
            entry.bands_shown,
            entry.bands_possible,
            entry.named,
            case.recalled,
            case.recall_open,
            entry.exact,
            entry.certificates,
        )

    def judge_bag(self, bag: Bag) -> Verdict:
        """Return the verdict of a bag: the strictest of its units."""
        found: Verdict = "allowed"
        for reading in self._read(bag):
            if (verdict := self._judged.get(reading)) is None:
                verdict = self._judged[reading] = judge(self._in(reading[0], bag), self._day)[0]
            found = stricter(found, verdict)
            if found == "banned":
                break
        return found

    def weigh_bag(self, bag: Bag) -> None:
        """Judge a bag, and keep what is to be said of it."""
        for reading in self._read(bag):
            self._weigh(reading, bag)

    def bans(self, bag: Bag) -> Iterator[Statement]:
        """Yield what bans the units of a bag."""
        for reading in self._read(bag):
            _, weighed = self._weigh(reading, bag)
            yield from weighed.constraints[: weighed.bans]

    def bans_in_cabin(self, place: int) -> bool:
        """Return whether one unit of an item, alone in a bag, is banned in the cabin."""
        case = self._cases[self._items[place].like]
        question = replace(case.question, compartment_intent="carry_on")
        moved = replace(case, question=question, facts=in_cabin(with_number(case.facts, 1)))
        return judge(moved, self._day)[0] == "banned"

    def evaluate(self, bag: Bag, *, connecting: bool) -> list[tuple[Reading, LegVerdict]]:
        """Return the verdict of the units of each item in a bag, with everything it rests on.

        Where the reading is the same, the same is said.
        """
        return [
            (reading, self._evaluate(place, reading, bag, connecting=connecting))
            for (place, _), reading in zip(bag.units, self._read(bag), strict=True)
        ]

    def _evaluate(self, place: int, reading: Reading, bag: Bag, *, connecting: bool) -> LegVerdict:
        one, like = self._items[place], reading[0]
        case, weighed = self._weigh(reading, bag)
        if (answer := self._answers.get(reading)) is None:
            impact = self._items[like].impact
            answer = self._answers[reading] = evaluate_case(
                case, weighed, impact, self._ahead, today=self._today, connecting=connecting
            )
        if like == place:
            return answer
        return answer_of_another(answer, weighed, self._corpus, one.entry, one.impact)

    def _weigh(self, reading: Reading, bag: Bag) -> tuple[Case, Weighed]:
        if (known := self._weighed.get(reading)) is None:
            case = self._in(reading[0], bag)
            weighed = weigh(case, self._day)
            known = self._weighed[reading] = case, weighed
            self._judged[reading] = weighed.verdict
        return known

    def stricter_from(self, bag: Bag) -> datetime.date | None:
        """Return the first later day on which the same bag gets a stricter verdict; none if none is known."""
        last = self._today.toordinal() + MAX_DAYS_AHEAD
        now = STRICTNESS[self.judge_bag(bag)]
        cases = [self._in(like, bag) for like in {self._items[place].like for place, _ in bag.units}]
        days = {day for case in cases for day in _changes(case, self._day, last)}
        for day in sorted(days):
            if not self._in_play.own.on(day):
                then = STRICTNESS["insufficient"]
            else:
                then = max(STRICTNESS[judge(case, day)[0]] for case in cases)
            if then > now:
                return datetime.date.fromordinal(day)
        return None

    def _read(self, bag: Bag) -> list[Reading]:
        """Return the readings of the items in a bag, in the order of its units."""
        if (known := self._readings.get(bag)) is None:
            shown, possible = self._compare(bag.together)
            known = self._readings[bag] = []
            for place, _ in bag.units:
                like = self._items[place].like
                own = self._concerned[like]
                known.append((like, shown & own, possible & own))
        return known

    def _compare(self, together: Together) -> tuple[int, int]:
        """Compare a bag, as shown and as possible, with the rules that count."""
        if (known := self._compared.get(together)) is None:
            shown = possible = compared(self._counting, together.shown)
            if together.possible != together.shown:
                possible = compared(self._counting, together.possible)
            known = self._compared[together] = shown, possible
        return known

    def _in(self, like: int, bag: Bag) -> Case:
        case = self._cases[like]
        of_bag = None if bag.uniform else self._rules_of(bag.together)
        return replace(case, facts=with_number(case.facts, bag.total), of_bag=of_bag)

    def _rules_of(self, together: Together) -> RulesOfBag:
        if (known := self._rules_of_bags.get(together)) is None:
            known = self._rules_of_bags[together] = RulesOfBag(self._in_play, together)
        return known


def _counting(in_play: InPlay, days: Iterable[int]) -> list[Entry]:
    """Return the rules that count units on any of some days, each once."""
    found = {entry[1].rule_id: entry for day in days for entry in in_play.on(day) if entry[1].counts}
    return list(found.values())


def _changes(case: Case, day: int, last: int) -> Iterable[int]:
    """Return the later days on which a rule or a certificate can change the verdict of a case."""
    return [*case.in_play.changes_between(day, last), *case.entry.certificates.doubts_starting(day, last)]


def _question(item: Item, leg: Leg, date: datetime.date) -> Question:
    return Question(unit=item.unit, leg=leg, travel_date=date, compartment_intent=item.compartment_intent)
