"""What can be in play for an airline: cells, on which all flights and days get the same answers.

A cell is all that a verdict can depend on apart from the unit. Its changed rules keep their identity, so that
it also says which of them could be the cause of a milder answer.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rules.engine.corpus import Corpus
from rules.impact.survey.changes import Changed
from rules.impact.survey.flights import FlightClass, Flights, Home, InPlay, over_time
from rules.impact.survey.periods import Runs, at, spans
from rules.impact.survey.rulebook import Rulebook


class Cell(NamedTuple):
    """The rules in play and the confidence in the airline, before and after.

    `worlds` has one element, or two if places change: before and after. One is None where nothing is covered.
    """

    domestic: bool
    unverified: tuple[bool, bool]
    worlds: tuple[InPlay | None, ...]


class Where(NamedTuple):
    """Flights of a cell, and the set of periods in which they are in it."""

    flights: Sequence[FlightClass]
    periods: int


Cells = dict[Cell, list[Where]]


class Airlines:
    """The airlines of two rulesets, and the cells of each."""

    def __init__(self, corpora: tuple[Corpus, Corpus], flights: Flights, rulebook: Rulebook) -> None:
        self._corpora, self._flights, self._rulebook = corpora, flights, rulebook
        self.codes = sorted(corpora[0].airlines.keys() | corpora[1].airlines.keys())

    def home(self, airline: str) -> Home:
        """Return the country of an airline before and after."""
        before, after = (corpus.airlines.get(airline) for corpus in self._corpora)
        return (before.country if before else None), (after.country if after else None)

    def moved(self, airline: str, cell: Cell, where: Iterable[Where]) -> set[Changed]:
        """Return the records whose change moves some flights of an airline from one place to another."""
        home = self.home(airline)
        found = set[Changed]()
        for flights in {flights for one in where for flights in one.flights}:
            found |= self._flights.moves(flights, home)
        if home[0] != home[1] or cell.unverified[0] != cell.unverified[1]:
            found.add(Changed("airlines", airline))
        return found

    def cells(self, airline: str) -> Cells:
        """Return what can be in play for an airline, and where."""
        records = [corpus.airlines.get(airline) for corpus in self._corpora]
        unverified = [record is not None and record.confidence == "unverified" for record in records]
        own = self._own(airline)
        found: Cells = defaultdict(list)
        for timeline, flights in self._flights.of(self.home(airline)).items():
            starts = (start for track in (timeline.in_play, own) for start, _ in track)
            for first, periods in spans(starts, len(self._rulebook.days)):
                rules = at(own, first)
                worlds = tuple(
                    None if of_authorities is None else both(of_authorities, rules)
                    for of_authorities in at(timeline.in_play, first)
                )
                cell = Cell(timeline.domestic, (unverified[0], unverified[1]), worlds)
                found[cell].append(Where(flights, periods))
        return found

    def _own(self, airline: str) -> Runs[InPlay]:
        """Return the airline's own rules over all periods."""
        tracks = [
            [] if own is None else [self._rulebook.track(side, own)]
            for side, own in enumerate(corpus.own(airline) for corpus in self._corpora)
        ]
        return over_time(tracks)


def both(some: InPlay, others: InPlay) -> InPlay:
    """Return the rules of two origins together."""
    return InPlay(*(one | other for one, other in zip(some, others, strict=True)))


class Extent(NamedTuple):
    """How many flights there are, each once for each of some periods, and how many each country has.

    Countries of one class have the same number each: they are counted under the first of them.
    """

    flights: int
    countries: dict[str, int]


def extent(where: Iterable[Where]) -> Extent:
    """Count some flights and periods. A flight counts for both of its countries, a domestic one once."""
    total = 0
    countries: Counter[str] = Counter()
    for some, periods in where:
        times = periods.bit_count()
        for flights in some:
            total += times * flights.total
            countries[flights.origins[0]] += times * flights.each
            if not flights.domestic:
                countries[flights.destinations[0]] += times * flights.total // len(flights.destinations)
    return Extent(total, countries)


def within(where: Iterable[Where], periods: int) -> Iterator[Where]:
    """Return the part of some flights and periods that is within other periods."""
    for one in where:
        if one.periods & periods:
            yield Where(one.flights, one.periods & periods)
