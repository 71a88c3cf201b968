"""Which rules are in force: the engine's index against the reference program, for every flight and period.

An index sees of a country only the places with rules that contain it. So the places of each country are
compared first, and then one flight for each pair of classes of countries and each class of homes. The rules
of an airline depend on the airline alone. Whole flights are compared for a sample: that is how both parts are
put together.
"""

import datetime
import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from recalls.languages import comparison
from recalls.languages.comparison import Witness
from recalls.serials import PatternError, RecallStatus
from rules.engine.corpus import Corpus
from rules.engine.errors import AirlineNotCovered
from rules.engine.evaluate import recall_impact
from rules.engine.facts import Leg, Unit
from rules.proof.checking.cells import DESCRIPTIONS
from rules.proof.checking.findings import Found, Tally
from rules.proof.checking.records import Json, Records
from rules.proof.checking.reference import Reference

Ids = tuple[str, ...]
"""The ids of rules in force, in the order of the path."""

WHOLE_FLIGHTS = 2_000
"""How many whole flights are compared at least."""


class Flights(NamedTuple):
    """A flight for each pair of two classes of countries, and whether it is domestic."""

    origin: str
    destination: str


class RuleSet(NamedTuple):
    """What rules say together on some flights and days, with one of them as an example.

    `key` names the set among all releases: it is the digest of all that its verdicts depend on.
    """

    key: str
    leg: tuple[str, str, str]
    day: str


class Selection(NamedTuple):
    """What was counted, and each distinct set of rules."""

    tally: Tally
    sets: list[RuleSet]


class _Timeline(NamedTuple):
    """What authorities say on some flights, in each period."""

    domestic: bool
    said: tuple[frozenset[str], ...]


class Selecting:
    """Compares the selection of rules, and collects the sets."""

    def __init__(
        self, corpus: Corpus, records: Records, reference: Reference, since: datetime.date, program: str
    ) -> None:
        self._corpus, self._records, self._reference = corpus, records, reference
        self._program = program
        self._days = records.days(since)
        self._numbers = [day.toordinal() for day in self._days]
        self._statements: dict[Ids, frozenset[str]] = {}
        self.tally = Tally()

    def compare(self) -> Selection:
        """Compare everything. Raises `ReferenceFailed`."""
        statuses = self._statuses()
        known = self._reference.ask(
            ask="catalog",
            days=[str(day) for day in self._days],
            units=[
                [model, witness.serial, witness.serial_hash]
                for model, witnesses in statuses.items()
                for witness in witnesses.values()
            ],
        )
        self._catalog(known, statuses)
        classes = self._countries(known["places"])
        own = self._own_rules()
        timelines = self._timelines(classes, known["places"])
        self._whole_flights(classes, own)
        sets = self._sets(timelines, own, statuses, known)
        covered = sum(bool(ids) for periods in own.values() for ids in periods)
        units = sum(len(witnesses) for witnesses in statuses.values())
        self.tally.questions = covered * len(self._records.countries) ** 2 * units * DESCRIPTIONS
        return Selection(self.tally, list(sets.values()))

    # --- Records ---

    def _statuses(self) -> dict[str, dict[RecallStatus, Witness]]:
        """Return the statuses that recalls can give to the units of each model, with a unit of each."""
        return {name: statuses_of(self._corpus, name) for name in self._records.devices}

    def _catalog(self, known: Json, statuses: dict[str, dict[RecallStatus, Witness]]) -> None:
        """Compare what both programs read of airlines, models and recalls."""
        corpus = self._corpus
        engine_airlines = {one.airline: [one.country, one.confidence] for one in corpus.airlines.values()}
        self._same("catalog", "airline", engine_airlines, known["airlines"])
        engine_models = {}
        for name in self._records.devices:
            entry = corpus.device(name)
            figure = entry.device.watt_hour
            engine_models[name] = [
                None if figure is None else str(figure),
                entry.device.watt_hour_basis,
                [bool(entry.certificates.doubts_on(day)) for day in self._numbers],
            ]
        self._same("catalog", "model", engine_models, known["models"])
        engine_units, reference_units = {}, {}
        answers = iter(known["units"])
        for name, witnesses in statuses.items():
            for witness in witnesses.values():
                unit = _unit(name, witness)
                engine_units[f"{name}, {witness}"] = recall_impact(corpus.device(name), unit).status
                reference_units[f"{name}, {witness}"] = next(answers)
        self._same("catalog", "recall status of", engine_units, reference_units)

    def _countries(self, places: dict[str, list[str]]) -> dict[tuple[str, ...], list[str]]:
        """Return the classes of countries: those with the same places. Compare the places."""
        corpus = self._corpus
        engine = {country: sorted(corpus.places(country)) for country in corpus.countries}
        self._same("catalog", "places of", engine, {name: sorted(found) for name, found in places.items()})
        classes: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for country in self._records.countries:
            # Classes are finer if the two programs differ, so that no country is represented by another one.
            classes[(*places[country], "|", *engine.get(country, ()))].append(country)
        return classes

    def _same(self, sort: Any, about: str, engine: dict[str, Any], reference: dict[str, Any]) -> None:
        for name in sorted(engine.keys() | reference.keys()):
            one, other = engine.get(name), reference.get(name)
            if one != other:
                self.tally.differs(
                    Found(sort=sort, about=f"{about} {name}", engine=f"{one}", reference=f"{other}")
                )

    # --- Rules ---

    def _own_rules(self) -> dict[str, list[Ids]]:
        """Compare the rules of each airline, and return them by period."""
        airlines = list(self._records.airlines)
        homes = [self._records.airlines[code]["country"] for code in airlines]
        flights = [[home, home, code] for code, home in zip(airlines, homes, strict=True)]
        found: dict[str, list[Ids]] = {}
        for flight, expected in zip(flights, self._expected("airlines", flights), strict=True):
            own = self._corpus.own(flight[2])
            said = [
                () if own is None else tuple(rule.rule_id for _, rule in own.on(day)) for day in self._numbers
            ]
            self._compare(flight, said, expected)
            found[flight[2]] = said
            self.tally.classes += 1
        return found

    def _timelines(
        self, classes: dict[tuple[str, ...], list[str]], places: dict[str, list[str]]
    ) -> dict[str, dict[_Timeline, Flights]]:
        """Compare the rules of authorities on each class of flights, and return them by home."""
        pairs = list(_pairs(classes.values()))
        homes = {one["country"] for one in self._records.airlines.values()}
        found: dict[str, dict[_Timeline, Flights]] = {}
        for countries in classes.values():
            of_class = sorted(homes.intersection(countries))
            if not of_class:
                continue
            home = of_class[0]
            airline = min(code for code, one in self._records.airlines.items() if one["country"] == home)
            flights = [[origin, destination, airline] for origin, destination in pairs]
            timelines: dict[_Timeline, Flights] = {}
            for flight, expected in zip(flights, self._expected("authorities", flights), strict=True):
                origin, destination, _ = flight
                groups, _ = self._corpus.authorities(origin, destination, home)
                said = [
                    tuple(rule.rule_id for group in groups for _, rule in group.on(day))
                    for day in self._numbers
                ]
                self._compare(flight, said, expected)
                timeline = _Timeline(origin == destination, tuple(map(self._said, said)))
                timelines.setdefault(timeline, Flights(origin, destination))
                self.tally.classes += 1
            found |= dict.fromkeys(of_class, timelines)
        return found

    def _whole_flights(self, classes: dict[tuple[str, ...], list[str]], own: dict[str, list[Ids]]) -> None:
        """Compare a sample of whole flights, which has each airline and each country."""
        countries = self._records.countries
        airlines = list(own)
        if not airlines or not countries:
            return
        draw = random.Random(json.dumps(self._records.document["content"]["rules"])[:10_000])
        flights = []
        for number in range(max(WHOLE_FLIGHTS, len(airlines), len(countries))):
            airline = airlines[number % len(airlines)]
            origin = countries[number % len(countries)]
            destination = origin if number % 7 == 0 else draw.choice(countries)
            flights.append([origin, destination, airline])
        for flight, expected in zip(flights, self._expected("all", flights), strict=True):
            try:
                in_play = self._corpus.in_play(Leg(*flight))
            except AirlineNotCovered:
                said: list[Ids] = [()] * len(self._days)
                expected = [() if not own[flight[2]][at] else ids for at, ids in enumerate(expected)]
            else:
                said = [tuple(rule.rule_id for _, rule in in_play.on(day)) for day in self._numbers]
            self._compare(flight, said, expected)

    def _expected(self, whose: str, flights: list[list[str]]) -> Iterator[list[Ids]]:
        """Return the rules in force by the reference program: for each flight, by period."""
        answer = self._reference.ask(
            ask="selection", whose=whose, flights=flights, days=[str(day) for day in self._days]
        )
        rules = answer["rules"]
        for periods in answer["found"]:
            yield [tuple(rules[number] for number in numbers) for numbers in periods]

    def _compare(self, flight: Sequence[str], engine: Sequence[Ids], reference: Sequence[Ids]) -> None:
        for day, one, other in zip(self._days, engine, reference, strict=True):
            if one != other:
                origin, destination, airline = flight
                self.tally.differs(
                    Found(
                        sort="selection",
                        about=f"{airline} {origin}-{destination} from {day}",
                        engine=_only(one, other),
                        reference=_only(other, one),
                        question={
                            "trip": {
                                "origin": origin,
                                "destination": destination,
                                "airline": airline,
                                "date": str(day),
                            }
                        },
                    )
                )

    # --- Sets ---

    def _said(self, ids: Ids) -> frozenset[str]:
        if ids not in self._statements:
            said = (self._records.rules[name].statement for name in ids)
            self._statements[ids] = frozenset(one for one in said if one is not None)
        return self._statements[ids]

    def _sets(
        self,
        timelines: dict[str, dict[_Timeline, Flights]],
        own: dict[str, list[Ids]],
        statuses: dict[str, dict[RecallStatus, Witness]],
        known: Json,
    ) -> dict[str, RuleSet]:
        """Return each distinct set of rules that decide, on flights of covered airlines."""
        seen: set[Any] = set()
        sets: dict[str, RuleSet] = {}
        for airline, record in self._records.airlines.items():
            unverified = record["confidence"] == "unverified"
            for timeline, flight in timelines[record["country"]].items():
                for at, day in enumerate(self._days):
                    if not own[airline][at]:
                        continue
                    said = timeline.said[at] | self._said(own[airline][at])
                    named = self._named(said, at, known)
                    distinct = said, timeline.domestic, unverified, named
                    if distinct in seen:
                        continue
                    seen.add(distinct)
                    facts = {name: [one, sorted(statuses[name])] for name, one in named}
                    key = key_of(
                        self._program, said, facts, domestic=timeline.domestic, unverified=unverified
                    )
                    sets.setdefault(key, RuleSet(key, (*flight, airline), str(day)))
        return sets

    def _named(self, said: frozenset[str], at: int, known: Json) -> tuple[tuple[str, Any], ...]:
        """Return the models that some rules name, with their facts in a period."""
        found = []
        for name in self._records.named:
            if any(f'"{name}"' in one for one in said):
                figure, basis, doubts = known["models"][name]
                found.append((name, (figure, basis, doubts[at])))
        return tuple(found)


def key_of(program: str, said: Iterable[str], named: Json, *, domestic: bool, unverified: bool) -> str:
    """Return the digest of a set of rules: of all that its verdicts depend on, and of the programs."""
    text = json.dumps([program, sorted(said), named, domestic, unverified], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def statuses_of(corpus: Corpus, model_id: str) -> dict[RecallStatus, Witness]:
    """Return the statuses that recalls can give to the units of a model, with a unit of each."""
    recalls = corpus.device(model_id).affected_serials
    if not recalls:
        return {"not_affected": Witness()}
    try:
        return dict(comparison.outcomes(recalls))
    except PatternError:
        # Such a pattern could be in an old release. Units without a serial are compared all the same.
        return {one.outcome(recalls): one for one in (Witness(hash_only=True), Witness())}


def _unit(model_id: str, witness: Witness) -> Unit:
    return Unit(model_id=model_id, serial=witness.serial, serial_hash=witness.serial_hash)


def _pairs(classes: Iterable[list[str]]) -> Iterator[tuple[str, str]]:
    for one, other in product(list(classes), repeat=2):
        if one is not other:
            yield one[0], other[0]
            continue
        yield one[0], one[0]
        if len(one) > 1:
            yield one[0], one[1]


def _only(one: Ids, other: Ids) -> str:
    """Return the rules that only one of the programs selects."""
    more = [name for name in one if name not in other]
    return (
        ", ".join(more[:5]) if more else "the same rules, in another order" if set(one) == set(other) else "-"
    )
