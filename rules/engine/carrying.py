"""One flight of an itinerary: the units that passengers carry on it, bag by bag.

A rule that limits numbers counts what one passenger carries on one flight, over all items. So a unit is
judged by its own facts, together with the bag that it is in. A leg's verdict of one model is that of a bag
with one item. Called by `rules.engine.itinerary`.
"""

import datetime
from collections.abc import Iterable, Mapping
from functools import cached_property

import msgspec
from msgspec.structs import replace

from rules.engine.corpus import CatalogEntry, Corpus
from rules.engine.evaluate import answer_of_another, case_in, evaluate_case, recall_impact
from rules.engine.facts import Item, Leg, Question
from rules.engine.matching import Compared, Energies, Entry, Statement, compared, with_number
from rules.engine.outcomes import UPCOMING_DAYS, LegVerdict, RecallImpact
from rules.engine.vocabulary import MAX_DAYS_AHEAD, STRICTNESS, Verdict, strictest
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
    shown: dict[int, int] = {}
    possible: dict[int, int] = {}
    for place, number in units.items():
        as_shown, as_possible = items[place].bands
        shown[as_shown] = shown.get(as_shown, 0) + number
        possible[as_possible] = possible.get(as_possible, 0) + number
    uniform = len({items[place].bands for place in units}) == 1
    together = Together(_energies(shown), _energies(possible))
    return Bag(tuple(sorted(units.items())), sum(units.values()), together, uniform)


def _energies(units: dict[int, int]) -> Energies:
    return tuple(sorted(units.items()))


Reading = tuple[tuple[Compared, ...], tuple[Compared, ...]]
"""How a bag, as shown and as possible, compares with the rules that count, on each day of an answer."""


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
        self._cases = {
            place: replace(
                case_in(corpus, one.entry, _question(one.item, leg, date), one.impact, in_play, today),
                unsettled=unsettled if one.entry.exact else (*unsettled, _EXACT_MODEL),
            )
            for place, one in enumerate(items)
            if one.like == place
        }
        self._readings: dict[Together, int] = {}
        self._numbers: dict[Reading, int] = {}
        self._rules_of_bags: dict[Together, RulesOfBag] = {}
        # By item and reading: bags with one reading are judged alike.
        self._judged: dict[tuple[int, int], Verdict] = {}
        self._weighed: dict[tuple[int, int], Weighed] = {}
        self._answers: dict[tuple[int, int], LegVerdict] = {}

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

    def judge(self, place: int, bag: Bag) -> Verdict:
        """Return the verdict of the units of one item in a bag."""
        asked = self._items[place].like, self._reading(bag)
        if (weighed := self._weighed.get(asked)) is not None:
            return weighed.verdict
        if (known := self._judged.get(asked)) is None:
            known = self._judged[asked] = judge(self._in(asked[0], bag), self._day)[0]
        return known

    def judge_bag(self, bag: Bag) -> Verdict:
        """Return the verdict of a bag: the strictest of its units."""
        return strictest([self.judge(place, bag) for place, _ in bag.units])

    def weigh(self, place: int, bag: Bag) -> Weighed:
        """Return the verdict of the units of one item in a bag, with what is to be said of it."""
        asked = self._items[place].like, self._reading(bag)
        if (known := self._weighed.get(asked)) is None:
            known = self._weighed[asked] = weigh(self._in(asked[0], bag), self._day)
        return known

    def evaluate(self, place: int, bag: Bag, *, connecting: bool) -> LegVerdict:
        """Return the verdict of the units of one item in a bag, with everything it rests on."""
        one, weighed = self._items[place], self.weigh(place, bag)
        asked = one.like, self._reading(bag)
        if (answer := self._answers.get(asked)) is None:
            first = self._items[one.like]
            answer = self._answers[asked] = evaluate_case(
                self._in(one.like, bag), weighed, first.impact, today=self._today, connecting=connecting
            )
        if one.like == place:
            return answer
        return answer_of_another(answer, weighed, self._corpus, one.entry, one.impact)

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

    @cached_property
    def _counting(self) -> list[list[Entry]]:
        """The rules that count units, on the day and on the days of the changes that an answer announces."""
        upcoming = self._in_play.starts_between(self._day, self._day + UPCOMING_DAYS)
        return [
            [entry for entry in self._in_play.on(day) if entry[1].counts] for day in (self._day, *upcoming)
        ]

    def _reading(self, bag: Bag) -> int:
        """Return the number of a bag's reading."""
        together = bag.together
        if (known := self._readings.get(together)) is None:
            shown = tuple([compared(entries, together.shown) for entries in self._counting])
            possible = shown
            if together.possible != together.shown:
                possible = tuple([compared(entries, together.possible) for entries in self._counting])
            reading = shown, possible
            known = self._readings[together] = self._numbers.setdefault(reading, len(self._numbers))
        return known

    def _in(self, like: int, bag: Bag) -> Case:
        case = self._cases[like]
        of_bag = None if bag.uniform else self._rules_of(bag.together)
        return replace(case, facts=with_number(case.facts, bag.total), of_bag=of_bag)

    def _rules_of(self, together: Together) -> RulesOfBag:
        if (known := self._rules_of_bags.get(together)) is None:
            known = self._rules_of_bags[together] = RulesOfBag(self._in_play, together)
        return known


def _changes(case: Case, day: int, last: int) -> Iterable[int]:
    """Return the later days on which a rule or a certificate can change the verdict of a case."""
    return [*case.in_play.changes_between(day, last), *case.entry.certificates.doubts_starting(day, last)]


def _question(item: Item, leg: Leg, date: datetime.date) -> Question:
    return Question(unit=item.unit, leg=leg, travel_date=date, compartment_intent=item.compartment_intent)
