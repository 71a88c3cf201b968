"""What a part of a survey counts, compact: counts, the records behind lenient flips, and some samples.

A `Tally` is one part of the work, so that parts can be measured separately, kept as JSON and added up. All
counts but `kinds_of_flips` are of questions: see `Survey.questions`. Units that no catalog lists are counted
separately, as questions about one unit of each kind.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import chain

import msgspec

from rules.impact.survey.cells import Where
from rules.impact.survey.changes import Changed
from rules.impact.survey.comparison import Flip
from rules.impact.survey.outcomes import milder
from rules.impact.survey.samples import Candidate, Sample, picked, sample_of
from rules.impact.survey.survey import Found, Survey

MOST_SAMPLES = 300
"""How many samples a result keeps: of each way, then of each set of causes, of each airline, and so on."""

MOST_SAMPLES_OF_A_PART = 30

Ways = dict[str, int]
"""How many answers go each way, by `before after`: JSON has no pairs as keys."""


class Cause(msgspec.Struct, frozen=True):
    """A record that makes `count` answers less strict, and `unlisted` about units that no catalog lists.

    If no single question shows it, both are 0, and `beyond` says what it does.
    """

    record: Changed
    count: int
    unlisted: int
    beyond: str = ""


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """What some airlines contribute. Models and countries of one class are counted under the first of them.

    `evaluated` is how many classes of models and flights were compared, `kinds_of_flips` how many classes of
    questions flip.
    """

    questions: int = 0
    evaluated: int = 0
    kinds_of_flips: int = 0
    airlines: dict[str, Ways] = {}
    countries: dict[str, Ways] = {}
    models: dict[str, Ways] = {}
    unlisted: Ways = {}
    causes: tuple[Cause, ...] = ()
    samples: tuple[Sample, ...] = ()


def tally(survey: Survey, airline: str) -> Tally:
    """Measure one airline."""
    count = _Counting(survey, airline)
    candidates = [candidate for found in survey.part(airline) for candidate in count.add(found)]
    return Tally(
        questions=survey.questions,
        evaluated=survey.size(airline),
        kinds_of_flips=count.kinds,
        airlines={airline: dict(count.ways)} if count.ways else {},
        countries=count.countries(),
        models=_plain(count.models),
        unlisted=dict(count.unlisted),
        causes=count.causes(),
        samples=tuple(
            sample_of(one, survey) for one in picked(candidates, MOST_SAMPLES_OF_A_PART, OF_CANDIDATES)
        ),
    )


class _Counting:
    """Adds up what flips for one airline."""

    def __init__(self, survey: Survey, airline: str) -> None:
        self._survey, self._airline = survey, airline
        self.kinds = 0
        self.ways: Ways = Counter()
        self.unlisted: Ways = Counter()
        self.models: dict[str, Ways] = {}
        self._units: dict[int, tuple[Mapping[str, int], Ways]] = {}
        self._causes: Counter[tuple[Changed, bool]] = Counter()
        self._own_shown: set[Changed] = set()
        self._known: dict[Hashable, tuple[Iterable[Where], set[Changed]]] = {}

    def add(self, found: Found) -> Iterator[Candidate]:
        """Count how answers about some models flip, and return what could be shown."""
        model, extent = found.model, found.extent
        unlisted = model.unlisted is not None
        for flip in found.flips:
            self.kinds += flip.kinds
            way = f"{flip.before} {flip.after}"
            each = flip.units * extent.flights
            for record in self._of_flights(found, flip):
                self._causes[record, unlisted] += each * len(model.names)
            shown = []
            for name in model.names:
                own = self._survey.records_of_model(flip.causes, name)
                for record in own:
                    self._causes[record, unlisted] += each
                if name == model.names[0] or not own <= self._own_shown:
                    shown.append(name)
                self._own_shown |= own
            if unlisted:
                self.unlisted[way] += each
            else:
                self.ways[way] += each * len(model.names)
                self.models.setdefault(model.names[0], Counter())[way] += each
                _, units = self._units.setdefault(id(extent.countries), (extent.countries, Counter()))
                units[way] += flip.units * len(model.names)
            for name in shown:
                yield Candidate(self._airline, found, flip, name, each * len(model.names))

    def _of_flights(self, found: Found, flip: Flip) -> set[Changed]:
        """Return the records behind a flip but those of models. Many flips share their flights and causes."""
        key = id(found.where), flip.causes
        if key not in self._known:
            records = self._survey.records_of_flights(self._airline, found, flip.causes)
            self._known[key] = found.where, records
        return self._known[key][1]

    def countries(self) -> dict[str, Ways]:
        """Return how answers flip in each country."""
        found: dict[str, Ways] = {}
        for countries, units in self._units.values():
            for country, flights in countries.items():
                ways = found.setdefault(country, Counter())
                for way, count in units.items():
                    ways[way] += flights * count
        return _plain(found)

    def causes(self) -> tuple[Cause, ...]:
        """Return the records that make answers less strict."""
        records = {record for record, _ in self._causes}
        return ordered(
            Cause(record, self._causes[record, False], self._causes[record, True]) for record in records
        )


def add(tallies: Iterable[Tally]) -> Tally:
    """Add up parts."""
    parts = list(tallies)
    causes: dict[Changed, Cause] = {}
    for cause in chain.from_iterable(part.causes for part in parts):
        known = causes.get(cause.record, Cause(cause.record, 0, 0))
        causes[cause.record] = Cause(cause.record, known.count + cause.count, known.unlisted + cause.unlisted)
    samples = list(chain.from_iterable(part.samples for part in parts))
    return Tally(
        questions=sum(part.questions for part in parts),
        evaluated=sum(part.evaluated for part in parts),
        kinds_of_flips=sum(part.kinds_of_flips for part in parts),
        airlines=_added(part.airlines for part in parts),
        countries=_added(part.countries for part in parts),
        models=_added(part.models for part in parts),
        unlisted=_added({"": part.unlisted} for part in parts).get("", {}),
        causes=ordered(causes.values()),
        samples=tuple(picked(samples, MOST_SAMPLES, OF_SAMPLES)),
    )


def ordered(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Return causes, those of most answers first."""
    return tuple(sorted(causes, key=lambda one: (-one.count, -one.unlisted, one.record)))


def is_lenient(ways: Ways) -> bool:
    """Return whether any answer becomes less strict."""
    return any(milder(*way.split(" ")) for way in ways)  # type: ignore[arg-type]


def _plain(groups: Mapping[str, Ways]) -> dict[str, Ways]:
    return {name: dict(ways) for name, ways in groups.items()}


def _added(parts: Iterable[Mapping[str, Ways]]) -> dict[str, Ways]:
    total: dict[str, Ways] = {}
    for part in parts:
        for name, ways in part.items():
            known = total.setdefault(name, {})
            for way, count in ways.items():
                known[way] = known.get(way, 0) + count
    return total


OF_CANDIDATES: tuple[Callable[[Candidate], Hashable], ...] = (
    lambda one: (one.flip.before, one.flip.after),
    lambda one: one.flip.causes,
    lambda one: (one.found.model.names, one.flip.before, one.flip.after),
    lambda one: (one.flip.causes, one.name),
    lambda one: one.flip.example,
)
"""By what samples of one airline differ, what matters most first."""

OF_SAMPLES: tuple[Callable[[Sample], Hashable], ...] = (
    lambda one: (one.before, one.after),
    lambda one: one.causes,
    lambda one: one.airline,
    lambda one: (one.airline, one.before, one.after),
    lambda one: (one.models[0], one.before, one.after),
    lambda one: (one.origins[0], one.destinations[0], one.before, one.after),
)
"""By what samples of all airlines differ, what matters most first."""
