"""All flights between two countries, in classes that no rule can tell apart.

A rule sees of a country only the places with rules that contain it. So countries with the same places in both
rulesets form a class, and flights between two classes get the same answers, for airlines of one home. Between
two countries of one class a flight is not domestic, but the same rules speak as on a domestic flight.

What speaks on a class of flights is a *timeline*: for each period, the rules of authorities in play. Most
classes share their timeline with others.

If countries or regions change, or the home of an airline, there are two states of *places*, before and after,
and the rules of each side can meet the places of the other: what one change alone does is asked of such
worlds.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from rules.engine.corpus import Corpus
from rules.impact.survey.changes import Changed
from rules.impact.survey.periods import Runs, at
from rules.impact.survey.rulebook import Rulebook, Said, together


class FlightClass(NamedTuple):
    """Flights from each country of one class to each of another, or domestic ones in each of one class."""

    origins: tuple[str, ...]
    destinations: tuple[str, ...]
    domestic: bool

    @property
    def total(self) -> int:
        """Return how many flights of one airline there are."""
        return len(self.origins) * self.each

    @property
    def each(self) -> int:
        """Return how many flights depart from each country of origin."""
        if self.domestic:
            return 1
        return len(self.destinations) - (self.origins == self.destinations)

    def ends(self) -> tuple[str, str]:
        """Return the two countries of one of the flights."""
        origin = self.origins[0]
        within = self.origins == self.destinations and not self.domestic
        return origin, self.destinations[1] if within else self.destinations[0]


class InPlay(NamedTuple):
    """The rules in play on a flight and day, for one state of places: see `Said`."""

    unchanged: int
    before: int
    after: int


class Timeline(NamedTuple):
    """The rules of authorities on a class of flights over all periods.

    Each run has one value for each state of places. It is None if a country or the airline is not covered.
    """

    domestic: bool
    in_play: Runs[tuple[InPlay | None, ...]]


Home = tuple[str | None, str | None]
"""The country of an airline before and after; None if the ruleset does not cover the airline."""


class Flights:
    """The classes of countries and flights of two rulesets."""

    def __init__(
        self, corpora: tuple[Corpus, Corpus], changed: Iterable[Changed], rulebook: Rulebook
    ) -> None:
        self._rulebook = rulebook
        self._moved = {key for key in changed if key.kind in {"countries", "jurisdictions"}}
        before, after = corpora
        self._worlds = (corpora, corpora)
        if self._moved:
            self._worlds = (before, _in_places_of(before, after)), (_in_places_of(after, before), after)
        countries = sorted(before.countries.keys() | after.countries.keys())
        groups: dict[Hashable, list[str]] = defaultdict(list)
        for country in countries:
            groups[self._seen(country)].append(country)
        self._moving = {country for country in countries if self._moves(country)}
        self.total = len(countries) ** 2
        """How many flights an airline can have."""
        self.countries = [tuple(group) for group in groups.values()]
        """The classes of countries."""
        self.classes = list(_flight_classes(self.countries))
        self._by_home: dict[Hashable, dict[Timeline, list[FlightClass]]] = {}
        self._by_groups: dict[Hashable, Runs[InPlay]] = {}

    def of(self, home: Home) -> dict[Timeline, list[FlightClass]]:
        """Return all flights of an airline by what authorities say on them."""
        seen = tuple(None if country is None else self._seen(country) for country in home)
        if seen not in self._by_home:
            found: dict[Timeline, list[FlightClass]] = defaultdict(list)
            states = self._states(home)
            for flights in self.classes:
                found[Timeline(flights.domestic, self._in_play(flights, states))].append(flights)
            self._by_home[seen] = found
        return self._by_home[seen]

    def moves(self, flights: FlightClass, home: Home) -> set[Changed]:
        """Return the countries and regions whose change can matter on some flights."""
        groups = [flights.origins, flights.destinations, *((country,) for country in home if country)]
        names = {country for group in groups if group[0] in self._moving for country in group}
        return {key for key in self._moved if key.record_id in names}

    def _moves(self, country: str) -> bool:
        """Return whether a country has other places before than after."""
        before, after = self._worlds
        return _seen_in(before, country) != _seen_in(after, country)

    def _states(self, home: Home) -> list[tuple[str | None, tuple[Corpus, Corpus]]]:
        """Return the home and the rulesets in each state of places: one state if nothing moves."""
        states = list(zip(home, self._worlds, strict=True))
        return states if self._moved or home[0] != home[1] else states[:1]

    def _in_play(
        self, flights: FlightClass, states: Sequence[tuple[str | None, tuple[Corpus, Corpus]]]
    ) -> Runs[tuple[InPlay | None, ...]]:
        origin, destination = flights.ends()
        found = [self._of_authorities(corpora, origin, destination, home) for home, corpora in states]
        starts = {0}.union(*({start for start, _ in track} for track in found if track))
        return tuple(
            (start, tuple(at(track, start) if track else None for track in found)) for start in sorted(starts)
        )

    def _of_authorities(
        self, corpora: tuple[Corpus, Corpus], origin: str, destination: str, home: str | None
    ) -> Runs[InPlay] | None:
        if home is None or not all(one.countries.keys() >= {origin, destination} for one in corpora):
            return None
        groups = [corpus.authorities(origin, destination, home)[0] for corpus in corpora]
        # Many flights have the same groups of rules, and each group lives as long as its ruleset.
        same = tuple([tuple(map(id, of_side)) for of_side in groups])
        if same not in self._by_groups:
            self._by_groups[same] = over_time(
                [[self._rulebook.track(side, group) for group in some] for side, some in enumerate(groups)]
            )
        return self._by_groups[same]

    def _seen(self, country: str) -> Hashable:
        return tuple(_seen_in(corpora, country) for corpora in self._worlds)


def over_time(tracks: Sequence[Sequence[Runs[Said]]]) -> Runs[InPlay]:
    """Return what tracks of both sides say together."""
    starts = sorted({0, *(start for side in tracks for track in side for start, _ in track)})
    found = []
    for start in starts:
        before, after = (together([at(track, start) for track in side]) for side in tracks)
        found.append((start, InPlay(before.unchanged, before.changed, after.changed)))
    return tuple(found)


def _seen_in(corpora: tuple[Corpus, Corpus], country: str) -> Hashable:
    return tuple((country in one.countries, one.places(country)) for one in corpora)


def _in_places_of(places: Corpus, rules: Corpus) -> Corpus:
    """Return the rules of one ruleset with the countries and regions of another."""
    sources = {source.id: source for one in (places, rules) for source in one.content.sources}
    return Corpus(
        replace(
            rules.content,
            countries=places.content.countries,
            jurisdictions=places.content.jurisdictions,
            sources=tuple(sources.values()),
        )
    )


def _flight_classes(countries: Sequence[tuple[str, ...]]) -> Iterator[FlightClass]:
    for origins, destinations in product(countries, repeat=2):
        if origins is not destinations:
            yield FlightClass(origins, destinations, domestic=False)
            continue
        yield FlightClass(origins, origins, domestic=True)
        if len(origins) > 1:
            yield FlightClass(origins, origins, domestic=False)
