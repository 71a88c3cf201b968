"""One flight of an itinerary: the units that passengers carry on it, bag by bag.

A rule that limits numbers counts what one passenger carries on one flight, over all items. So a unit is
judged by its own facts, together with the bag that it is in. A leg's verdict of one model is that of a bag
with one item. Called by `rules.engine.itinerary`.
"""

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from rules.engine.corpus import CatalogEntry, Corpus
from rules.engine.evaluate import case_in, evaluate_case, recall_impact
from rules.engine.facts import Item, Leg, Question
from rules.engine.matching import Statement, with_number
from rules.engine.outcomes import LegVerdict, RecallImpact
from rules.engine.vocabulary import MAX_DAYS_AHEAD, STRICTNESS, Verdict, strictest
from rules.engine.weighing import Case, Together, judge, notice

Kind = tuple[object, ...]
"""What decides about a unit, and nothing else: units of one kind are interchangeable."""

_EXACT_MODEL = notice("exact_model_unknown")


class Carried(msgspec.Struct, frozen=True):
    """An item with what the corpus says about one of its units, whatever the flight."""

    item: Item
    entry: CatalogEntry
    impact: RecallImpact

    @property
    def hides(self) -> bool:
        """Whether the figure of a unit is computed and can hide a higher one that counts."""
        return self.entry.bands_possible != self.entry.bands_shown


class Bag(msgspec.Struct, frozen=True):
    """What one passenger carries: how many units of each item, by the place of the item in the question."""

    units: tuple[tuple[int, int], ...]
    total: int
    together: Together | None
    """The energies of the units; none if they are all alike, so that `total` is right for all rules."""


def carried(corpus: Corpus, item: Item) -> Carried:
    """Look an item up in the release. Raises `ModelNotFound`."""
    entry = corpus.device(item.unit.model_id) if item.label is None else corpus.by_label(item.label)
    return Carried(item, entry, recall_impact(entry, item.unit))


def bag_of(items: list[Carried], units: Mapping[int, int]) -> Bag:
    """Return a bag of some units of each item. The order of the items does not matter."""
    shown: Counter[int] = Counter()
    possible: Counter[int] = Counter()
    alike = set()
    for place, number in units.items():
        entry = items[place].entry
        shown[entry.bands_shown] += number
        possible[entry.bands_possible] += number
        alike.add((entry.bands_shown, entry.bands_possible))
    together = Together(tuple(sorted(shown.items())), tuple(sorted(possible.items())))
    return Bag(tuple(sorted(units.items())), sum(units.values()), together if len(alike) > 1 else None)


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
        self._today = today
        self._day = date.toordinal()
        in_play = corpus.in_play(leg)
        self._cases = [
            replace(
                case_in(corpus, one.entry, _question(one.item, leg, date), one.impact, in_play, today),
                unsettled=unsettled if one.entry.exact else (*unsettled, _EXACT_MODEL),
            )
            for one in items
        ]
        self._impacts = [one.impact for one in items]
        self._judged: dict[tuple[int, int, Together | None], Verdict] = {}

    def kind(self, place: int) -> Kind:
        """Return the kind of the units of an item on this flight."""
        case = self._cases[place]
        entry = case.entry
        return (
            with_number(case.facts, 1),
            entry.bands_shown,
            entry.bands_possible,
            entry.named,
            case.recalled,
            case.recall_open,
            case.unsettled,
            entry.certificates,
        )

    def judge(self, place: int, bag: Bag) -> Verdict:
        """Return the verdict of the units of one item in a bag."""
        asked = place, bag.total, bag.together
        if (known := self._judged.get(asked)) is None:
            known = self._judged[asked] = judge(self._in(place, bag), self._day)[0]
        return known

    def judge_bag(self, bag: Bag) -> Verdict:
        """Return the verdict of a bag: the strictest of its units."""
        return strictest(self.judge(place, bag) for place, _ in bag.units)

    def evaluate(self, place: int, bag: Bag, *, connecting: bool) -> LegVerdict:
        """Return the verdict of the units of one item in a bag, with everything it rests on."""
        return evaluate_case(
            self._in(place, bag), self._impacts[place], today=self._today, connecting=connecting
        )

    def stricter_from(self, bag: Bag) -> datetime.date | None:
        """Return the first later day on which the same bag gets a stricter verdict; none if none is known."""
        last = self._today.toordinal() + MAX_DAYS_AHEAD
        now = STRICTNESS[self.judge_bag(bag)]
        cases = [self._in(place, bag) for place, _ in bag.units]
        days = {day for case in cases for day in _changes(case, self._day, last)}
        for day in sorted(days):
            if not cases[0].in_play.own.on(day):
                then = STRICTNESS["insufficient"]
            else:
                then = max(STRICTNESS[judge(case, day)[0]] for case in cases)
            if then > now:
                return datetime.date.fromordinal(day)
        return None

    def _in(self, place: int, bag: Bag) -> Case:
        case = self._cases[place]
        return replace(case, facts=with_number(case.facts, bag.total), together=bag.together)


def _changes(case: Case, day: int, last: int) -> Iterable[int]:
    """Return the later days on which a rule or a certificate can change the verdict of a case."""
    return [*case.in_play.changes_between(day, last), *case.entry.certificates.doubts_starting(day, last)]


def _question(item: Item, leg: Leg, date: datetime.date) -> Question:
    return Question(unit=item.unit, leg=leg, travel_date=date, compartment_intent=item.compartment_intent)
