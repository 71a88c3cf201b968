"""What a choice leaves behind, although the chosen changes are less strict without it.

Two people may have approved a higher limit because a cap was approved with it. So what is chosen is also
compared with all that is approved: no answer may become less strict that stays as strict if all goes out. The
two comparisons meet where both make an answer about the same model, on the same flights and days, less
strict. What keeps those answers strict has to come along, and nothing else.

A new model changes no rule. Where it alone makes an answer less strict, because there was none before, the
answer is what the rules in force say of such a unit. So only what is about that very model has to come along:
its recalls, and rules that name it. Pure.
"""

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from catalog.energy import highest_plausible
from rules.engine.corpus import Corpus
from rules.engine.document import ID_FIELD, Content
from rules.engine.facts import Rule
from rules.engine.matching import watt_hour_span
from rules.impact.measurements import SMALL
from rules.impact.survey import Changed, Result, Survey
from rules.impact.survey.cells import Where
from rules.impact.survey.comparison import Flip
from rules.impact.survey.labels import Label, labels_of, labels_to_compare
from rules.impact.survey.models import ModelClass
from rules.impact.survey.outcomes import milder
from rules.impact.survey.survey import Found
from rules.impact.survey.worlds import DEVICE, RECALLS
from rules.publishing.named import lenient, name_of
from rules.publishing.selection import Key, closed, differing, mixed

Whose = tuple[str, str]
"""An airline, a place or a model."""

Flight = tuple[str, str, bool]
"""Flights between two groups of countries that neither comparison tells apart, and whether it is domestic."""

Subject = str | Label
"""Models that neither comparison tells apart, by the first of them, or the label of a unit in no catalog."""

PATIENCE = 4 * SMALL
"""How much is compared to find the smallest set. Beyond, the set may name more than is needed."""


class Companions(NamedTuple):
    """The records that have to come along; `too_large` if finding them takes too long."""

    names: list[str]
    too_large: bool = False


class _TooLarge(Exception):
    """Comparing takes too long."""


def companions(
    before: Content, chosen: Content, everything: Content, result: Result, *, today: datetime.date
) -> Companions:
    """Return what stays behind and has to come along: the smallest set, with which nothing else has to.

    `before` is what the current release says, `result` what the chosen changes do.
    """
    if not result.causes and not result.lenient:
        return Companions([])
    sides = Corpus(before), Corpus(everything)
    first = _Meeting(sides[0], chosen, sides[1], today=today)
    try:
        found = first.needed(result)
        if found and first.size * (len(found) + 2) <= PATIENCE:
            found = _smallest(found, sides, chosen, today)
    except _TooLarge:
        return Companions([], too_large=True)
    return Companions([name_of(one) for one in sorted(found)])


def _smallest(
    found: set[Changed], sides: tuple[Corpus, Corpus], chosen: Content, today: datetime.date
) -> set[Changed]:
    """Return records with which nothing has to come along any more, and not without any of them."""
    before, everything = (side.content for side in sides)
    own = differing(before, chosen).keys()

    def lacks(records: Collection[Changed]) -> set[Changed]:
        keys: set[Key] = {*own, *((one.kind, one.record_id) for one in records)}
        content = mixed(before, everything, closed(before, everything, keys))
        return _Meeting(sides[0], content, sides[1], today=today).needed()

    while more := lacks(found) - found:
        found |= more
    for one in sorted(found):
        if not lacks(found - {one}):
            found = found - {one}
    return found


class _Milder(NamedTuple):
    """Answers about one model or label that become less strict in one way, and where."""

    found: Found
    flip: Flip


class _Meeting:
    """Both comparisons: what the choice changes, and what is lost because something stays behind."""

    def __init__(self, before: Corpus, chosen: Content, everything: Corpus, *, today: datetime.date) -> None:
        self._contents = chosen, everything.content
        after = Corpus(chosen)
        self._choice, self._without = (Survey(one, after, today=today) for one in (before, everything))
        surveys = self._choice, self._without
        self._labels = labels_to_compare(surveys)
        self._days = sorted({day for survey in surveys for day in survey.days})
        self._where: dict[int, tuple[object, dict[Flight, int]]] = {}
        self._subjects: dict[tuple[int, int], frozenset[Subject]] = {}
        self._first = _first_alike(model.names for survey in surveys for model in survey.models)
        self._groups = _first_alike(group for survey in surveys for group in survey.flights.countries)
        self._members: defaultdict[Subject, list[str]] = defaultdict(list)
        for name, first in self._first.items():
            self._members[first].append(name)
        self._rules = {
            rule.rule_id: rule.when.model or () for content in self._contents for rule in content.rules
        }

    @property
    def size(self) -> int:
        """Return how much is compared: classes of questions, and models to find these classes."""
        models = sum(len(content.devices) for content in self._contents)
        return self._choice.size_of_all + self._without.size_of_all + models

    def needed(self, result: Result | None = None) -> set[Changed]:
        """Return what stays behind and keeps answers strict that the choice makes less strict.

        `result` is what the choice does, if it is known. Raises `_TooLarge`.
        """
        airlines = [one for one in self._airlines(result) if one in self._without.airlines]
        if sum(map(self._without.size, airlines)) > SMALL:
            raise _TooLarge
        lost = {one: found for one in airlines if (found := self._milder(self._without, one))}
        if sum(map(self._choice.size, lost)) > SMALL:
            raise _TooLarge
        kept: set[Changed] = set()
        causes = set[Changed]() if result is None else {cause.record for cause in result.causes}
        for airline in airlines if result is None else lost:
            gained = self._milder(self._choice, airline)
            if result is None:
                causes |= {
                    record
                    for subject, some in gained.items()
                    for one in some
                    for record in self._records(self._choice, airline, one, subject)
                }
            for subject in gained.keys() & lost.get(airline, {}).keys():
                kept |= self._kept(airline, subject, gained[subject], lost[airline][subject])
        if result is None:
            causes |= self._choice.beyond_questions().keys()
        if not causes:
            return set()
        about = list(_about(causes, self._contents))
        hidden = _about(self._without.beyond_questions(), self._contents)
        return kept | {one.changed for one in hidden if any(one.touches(other) for other in about)}

    def _airlines(self, result: Result | None) -> Iterator[str]:
        """Yield the airlines with answers which the chosen changes make less strict, or some more."""
        about = None if result is None or self._choice.size_of_all <= SMALL else lenient(result.airlines)
        unlisted = result is not None and any(way.lenient for way in result.unlisted)
        if result is None and self._choice.size_of_all > SMALL:
            raise _TooLarge
        yield from (one for one in self._choice.airlines if about is None or unlisted or one in about)

    def _milder(self, survey: Survey, airline: str) -> Mapping[Subject, list[_Milder]]:
        """Return how answers of an airline become less strict, by the model or the label."""
        milder_ones: defaultdict[Subject, list[_Milder]] = defaultdict(list)
        for found in survey.part(airline):
            for flip in found.flips:
                if milder(flip.before, flip.after):
                    for subject in self._subjects_of(survey, found.model):
                        milder_ones[subject].append(_Milder(found, flip))
        return milder_ones

    def _subjects_of(self, survey: Survey, model: ModelClass) -> frozenset[Subject]:
        key = id(survey), id(model)
        if key not in self._subjects:
            self._subjects[key] = frozenset(
                (self._first[name] for name in model.names)
                if model.unlisted is None
                else labels_of(survey, model, self._labels)
            )
        return self._subjects[key]

    def _kept(
        self, airline: str, subject: Subject, gained: Iterable[_Milder], lost: Collection[_Milder]
    ) -> set[Changed]:
        """Return what keeps answers about a model strict that the choice makes less strict."""
        kept: set[Changed] = set()
        for one in gained:
            is_new = one.found.model.seen[0] is None and one.flip.causes == {DEVICE}
            for other in lost:
                if not self._meet(one.found, other.found):
                    continue
                records = self._records(self._without, airline, other, subject)
                if is_new:
                    records = {record for record in records if self._is_about(record, subject)}
                kept |= records
        return kept

    def _records(self, survey: Survey, airline: str, one: _Milder, subject: Subject) -> set[Changed]:
        """Return the records behind a milder answer about models or a label."""
        found = survey.records_of_flights(airline, one.found, one.flip.causes)
        if not one.flip.causes.isdisjoint((DEVICE, RECALLS)):
            for name in self._members.get(subject, ()):
                found |= survey.records_of_model(one.flip.causes, name)
        return found

    def _is_about(self, record: Changed, subject: Subject) -> bool:
        """Return whether a record is about some models, and not only about their airline or place."""
        if record.kind == "rules":
            return not set(self._members.get(subject, ())).isdisjoint(self._rules.get(record.record_id, ()))
        return record.kind in ("devices", "recalls")

    def _meet(self, one: Found, other: Found) -> bool:
        """Return whether both are about the same flight on the same day."""
        some, others = self._flights(self._choice, one.where), self._flights(self._without, other.where)
        return any(days & others.get(flight, 0) for flight, days in some.items())

    def _flights(self, survey: Survey, where: tuple[Where, ...]) -> dict[Flight, int]:
        """Return flights and the days on which they are meant, in the terms of both comparisons."""
        if id(where) not in self._where:
            found: dict[Flight, int] = {}
            for flights, periods in where:
                days = self._days_in(survey, periods)
                for some in flights:
                    for origin in self._groups_of(some.origins):
                        for destination in self._groups_of(some.destinations):
                            if not some.domestic or origin == destination:
                                key = origin, destination, some.domestic
                                found[key] = found.get(key, 0) | days
            # The second value keeps the first one's id from being given to another one.
            self._where[id(where)] = where, found
        return self._where[id(where)][1]

    def _days_in(self, survey: Survey, periods: int) -> int:
        """Return which of all first days are in some periods of a survey."""
        found, period = 0, -1
        for number, day in enumerate(self._days):
            if period + 1 < len(survey.days) and survey.days[period + 1] <= day:
                period += 1
            if period >= 0 and periods >> period & 1:
                found |= 1 << number
        return found

    def _groups_of(self, countries: Iterable[str]) -> set[str]:
        return {self._groups[country] for country in countries}


def _first_alike(groups: Iterable[Iterable[str]]) -> dict[str, str]:
    """Return, for each name, the first one of those that are in the same groups."""
    seen: defaultdict[str, list[int]] = defaultdict(list)
    for number, group in enumerate(groups):
        for name in group:
            seen[name].append(number)
    alike: dict[tuple[int, ...], str] = {}
    return {name: alike.setdefault(tuple(of), name) for name, of in seen.items()}


class _About(NamedTuple):
    """A changed record as one side says it, and whose it is."""

    changed: Changed
    record: Any
    whose: Whose

    def touches(self, other: "_About") -> bool:
        """Return whether both are of the same issuer or model, and rules can speak of the same unit."""
        rules = self.changed.kind == other.changed.kind == "rules"
        return self.whose == other.whose and (not rules or _speak_of_same(self.record, other.record))


def _about(records: Collection[Changed], contents: Iterable[Content]) -> Iterator[_About]:
    """Yield some records, each as every side says it."""
    names = {(record.kind, record.record_id): record for record in records}
    for content in contents:
        for kind in {kind for kind, _ in names}:
            for one in getattr(content, kind):
                if (record := names.get((kind, getattr(one, ID_FIELD[kind])))) is not None:
                    yield _About(record, one, _whose(kind, one))


def _whose(kind: str, record: Any) -> Whose:
    match kind:
        case "rules":
            return ("airline", record.airline) if record.airline else ("place", record.jurisdiction)
        case "recalls" | "devices":
            return "model", record.model_id
        case "airlines":
            return "airline", record.airline
    return "place", record.code


def _speak_of_same(one: Rule, other: Rule) -> bool:
    """Return whether two rules can speak of the same flight, day and unit."""
    models = [rule.when.model for rule in (one, other) if rule.when.model is not None]
    days = [
        (rule.effective_from or datetime.date.min, rule.effective_until or datetime.date.max)
        for rule in (one, other)
    ]
    (low, high), (other_low, other_high) = map(watt_hour_span, (one, other))
    return (
        not set(one.applies).isdisjoint(other.applies)
        and (len(models) < 2 or not set(models[0]).isdisjoint(models[1]))
        and max(first for first, _ in days) <= min(last for _, last in days)
        # A computed figure can hide one that is a little higher.
        and low <= highest_plausible(other_high)
        and other_low <= highest_plausible(high)
    )
