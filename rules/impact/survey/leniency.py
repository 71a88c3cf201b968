"""Which of the changed records make an answer less strict.

A record is a cause of a flip if the answer becomes less strict by this change alone, or would be stricter
without this change. If that is true of no record, the changes do it together, and each that can touch the
question is a cause. The search repeats with the remaining changes until none of them makes the answer less
strict: so without all causes no flip would be lenient. If only one change can touch a flip, it is the cause.
"""

from collections import defaultdict
from collections.abc import Set
from itertools import chain
from typing import Any

import msgspec

from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.facts import INTERNATIONAL, Leg, Question, Recall, Rule
from rules.impact.survey.changes import ID_FIELD, Changed, Kind
from rules.impact.survey.flips import Flip, Outcome, Survey, answer, strictness


class Leniency:
    """The causes of the lenient flips of a survey. Queries are fast if they go leg by leg."""

    def __init__(self, survey: Survey) -> None:
        before, after = (corpus.content for corpus in survey.corpora)
        self.changed = survey.changes.records
        self._sides = (_Side(before), _Side(after))
        self._sources = {row.id: row for content in (before, after) for row in content.sources}
        self._models = {alike[0] for alike in survey.models}
        self._by_place: dict[str, set[Changed]] = defaultdict(set)
        self._by_airline: dict[str, set[Changed]] = defaultdict(set)
        self._by_model: dict[str, set[Changed]] = defaultdict(set)
        for key, versions in self.changed.items():
            for row in versions:
                if row is not None:
                    index, name = self._reach(key.kind, row)
                    index[name].add(key)
        self._places_of: dict[tuple[str, ...], frozenset[str]] = {}
        self._leg: Leg | None = None
        self._worlds: dict[tuple[int, frozenset[Changed]], Corpus] = {}

    def causes(self, flip: Flip) -> frozenset[Changed]:
        """Return the records that make the answers of a lenient flip less strict."""
        places = self._places(flip)
        of_leg = set(self._by_airline.get(flip.airline, ()))
        of_leg |= set(chain.from_iterable(self._by_place.get(place, ()) for place in places))
        # Models of one class get the same answers, but not always for the same reason.
        of_models = {self._touching(model, of_leg): model for model in reversed(flip.models)}
        found: set[Changed] = set()
        for touching, model in of_models.items():
            found |= touching if len(touching) == 1 else self._of_several(flip, model, touching, places)
        return frozenset(found)

    def _touching(self, model: str, of_leg: Set[Changed]) -> frozenset[Changed]:
        """Return what can touch a model on a leg: its records, and rules that do not name only others."""
        own = self._by_model.get(model, set())
        return frozenset(own | {key for key in of_leg if self._concerns(key, model)})

    def _concerns(self, key: Changed, model: str) -> bool:
        return key.kind != "rules" or any(
            row is not None and (row.when.model is None or model in row.when.model)
            for row in self.changed[key]
        )

    def _reach(self, kind: Kind, row: Any) -> tuple[dict[str, set[Changed]], str]:
        """Return what a record can touch: the legs of an airline, those at a place, or a model."""
        match kind:
            case "rules" if row.airline is None:
                return self._by_place, row.jurisdiction
            case "rules" | "airlines":
                return self._by_airline, row.airline
            case "devices" | "recalls":
                return self._by_model, row.model_id
            case _:
                return self._by_place, row.code

    def _places(self, flip: Flip) -> frozenset[str]:
        """Return every jurisdiction that can contain the flights of a flip, by either ruleset."""
        homes = filter(None, (side.home(flip.airline) for side in self._sides))
        countries = (*flip.countries, flip.home, *homes)
        if countries not in self._places_of:
            self._places_of[countries] = frozenset({INTERNATIONAL}).union(
                *(side.places(country) for side in self._sides for country in countries)
            )
        return self._places_of[countries]

    def _of_several(
        self, flip: Flip, model: str, touching: frozenset[Changed], places: frozenset[str]
    ) -> set[Changed]:
        question = flip.sample
        unit = msgspec.structs.replace(question.unit, model_id=model)
        question = msgspec.structs.replace(question, unit=unit)
        found: set[Changed] = set()
        # The remaining changes must make nothing less strict: two changes may each do what a third one does
        # alone.
        while touching - found:
            now = strictness(self._answer(1, found, question, places))
            if now >= strictness(flip.before):
                break
            found |= {
                key
                for key in touching - found
                if strictness(self._answer(0, {key}, question, places)) < strictness(flip.before)
                or strictness(self._answer(1, {*found, key}, question, places)) > now
            } or touching
        return found

    def _answer(self, side: int, keys: Set[Changed], question: Question, places: frozenset[str]) -> Outcome:
        """Query the ruleset before with some of the changes, or the one after without some of them."""
        if question.leg != self._leg:
            self._leg, self._worlds = question.leg, {}
        model, asked = question.unit.model_id, (side, frozenset(keys))
        if model not in self._models:
            return answer(self._world(side, keys, question.leg, places, {model}), question)
        if asked not in self._worlds:
            self._worlds[asked] = self._world(side, keys, question.leg, places, self._models)
        return answer(self._worlds[asked], question)

    def _world(
        self, side: int, keys: Set[Changed], leg: Leg, places: frozenset[str], models: set[str]
    ) -> Corpus:
        content = self._sides[side].around(leg, places, models)
        for key in keys:
            id_field, other = ID_FIELD[key.kind], self.changed[key][1 - side]
            others = [row for row in getattr(content, key.kind) if getattr(row, id_field) != key.record_id]
            changed = others if other is None else [*others, other]
            content = msgspec.structs.replace(content, **{key.kind: tuple(changed)})
        rows: list[Any] = [*content.rules, *content.devices, *content.recalls]
        cited = {name for row in rows for name in row.sources}
        sources = tuple(self._sources[name] for name in sorted(cited) if name in self._sources)
        return Corpus(msgspec.structs.replace(content, sources=sources))


class _Side:
    """One ruleset, from which the parts are taken that speak on one leg."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._members = {place.code: {place.code, *place.member_of} for place in content.jurisdictions}
        self._airlines = {airline.airline: airline for airline in content.airlines}
        self._devices = {device.model_id: device for device in content.devices}
        self._rules_of_airline: dict[str, list[Rule]] = defaultdict(list)
        self._rules_at: dict[str, list[Rule]] = defaultdict(list)
        self._recalls: dict[str, list[Recall]] = defaultdict(list)
        for rule in content.rules:
            if rule.airline is None:
                self._rules_at[rule.jurisdiction].append(rule)
            else:
                self._rules_of_airline[rule.airline].append(rule)
        for recall in content.recalls:
            self._recalls[recall.model_id].append(recall)

    def places(self, country: str) -> set[str]:
        """Return a country and the regions that contain it."""
        return self._members.get(country, {country})

    def home(self, airline: str) -> str | None:
        """Return where an airline is based."""
        record = self._airlines.get(airline)
        return None if record is None else record.country

    def around(self, leg: Leg, places: frozenset[str], models: set[str]) -> Content:
        """Return the part of the ruleset that can speak on a leg about some models."""
        content = self._content
        return msgspec.structs.replace(
            content,
            countries=tuple(row for row in content.countries if row.code in places),
            jurisdictions=tuple(row for row in content.jurisdictions if row.code in places),
            airlines=(self._airlines[leg.airline],) if leg.airline in self._airlines else (),
            devices=tuple(self._devices[model] for model in models if model in self._devices),
            rules=(
                *self._rules_of_airline.get(leg.airline, ()),
                *chain.from_iterable(self._rules_at.get(place, ()) for place in sorted(places)),
            ),
            recalls=tuple(chain.from_iterable(self._recalls.get(model, ()) for model in models)),
        )
