"""Answers many questions about one release, for a program that compares: JSON lines in, JSON lines out.

Each line is one object, and so is its answer. `ask` says what it asks:

    catalog    `days`, `units` → what is known of countries, airlines, models, and of units by their serials
    selection  `whose`, `flights`, `days` → the rules in force on each flight and day, in path order
    leg        `leg`, `day`, `units` → the verdict on each unit, with its gaps and its rules

A flight is `[origin, destination, airline]`; the fields of a unit are `UNIT`. Rules are numbers: their places
in the list `rules` of the answer. The day of travel may be any day: nothing here depends on the day of
asking.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from battery_travel_reference.deciding import NotCovered, decide, in_doubt
from battery_travel_reference.questions import Leg, Question, Unit, UnreadableQuestion
from battery_travel_reference.recalls import recall_of
from battery_travel_reference.records import Release, Rule
from battery_travel_reference.speaking import rules_in_play

UNIT = (
    "model_id",
    "serial",
    "serial_hash",
    "recall_check",
    "quantity",
    "condition",
    "capacity_label",
    "ccc_mark",
    "compartment",
)
"""The fields of a unit in a line about a leg, in this order."""

Json = dict[str, Any]


class Judge:
    """A release that answers lines. What it finds about models is kept for the next line."""

    def __init__(self, release: Release) -> None:
        self._release = release
        self._of_model: dict[str, Release] = {}
        self._whose = {
            "all": release,
            "authorities": replace(release, rules=tuple(one for one in release.rules if one.airline is None)),
            "airlines": replace(
                release, rules=tuple(one for one in release.rules if one.airline is not None)
            ),
        }

    def answers(self, lines: Iterable[str]) -> Iterator[str]:
        """Return the answer to each line. Raises `UnreadableQuestion`."""
        asked: dict[str, Callable[[Json], Json]] = {
            "catalog": self._catalog,
            "selection": self._selection,
            "leg": self._leg,
        }
        for line in lines:
            try:
                body = json.loads(line)
                yield json.dumps(asked[body["ask"]](body), separators=(",", ":"))
            except (ValueError, KeyError, TypeError) as error:
                raise UnreadableQuestion(f"a line cannot be read: {error!r}") from error

    def _catalog(self, body: Json) -> Json:
        release, days = self._release, [date.fromisoformat(day) for day in body["days"]]
        with_rules = {rule.jurisdiction for rule in release.rules if rule.airline is None}
        return {
            "sha256": release.sha256,
            "places": {
                country: sorted({country, *release.regions.get(country, ())} & with_rules)
                for country in release.countries
            },
            "airlines": {one.code: [one.country, one.confidence] for one in release.airlines.values()},
            "models": {
                one.model_id: [
                    None if one.watt_hour is None else str(one.watt_hour),
                    one.basis,
                    [bool(in_doubt(one.certificates, day)) for day in days],
                ]
                for one in release.devices.values()
            },
            "units": [
                recall_of(
                    self._narrowed(model_id).recalls, Unit(model_id, serial=serial, serial_hash=serial_hash)
                )[0]
                for model_id, serial, serial_hash in body["units"]
            ],
        }

    def _selection(self, body: Json) -> Json:
        release = self._whose[body["whose"]]
        days = [date.fromisoformat(day) for day in body["days"]]
        numbers = _Numbers()
        found = []
        for flight in body["flights"]:
            in_play = rules_in_play(release, Leg(*flight))
            found.append([numbers.of(rule for rule in in_play if rule.in_force(day)) for day in days])
        return {"rules": numbers.rules, "found": found}

    def _leg(self, body: Json) -> Json:
        leg, day = Leg(*body["leg"]), date.fromisoformat(body["day"])
        in_play = rules_in_play(self._release, leg)
        numbers = _Numbers()
        return {
            "rules": numbers.rules,
            "found": [self._unit(leg, day, in_play, numbers, *one) for one in body["units"]],
        }

    def _unit(self, leg: Leg, day: date, in_play: list[Rule], numbers: "_Numbers", *fields: Any) -> list[Any]:
        *of_unit, compartment = fields
        question = Question(Unit(*of_unit), (leg,), day, compartment)
        try:
            found = decide(self._narrowed(question.unit.model_id), question, leg, in_play, day)
        except NotCovered as error:
            return [error.code]
        return [
            found.verdict,
            found.found.gaps,
            numbers.of(found.found.applied),
            found.recall_status,
            found.recalled,
            found.confirm,
            bool(found.doubts),
        ]

    def _narrowed(self, model_id: str) -> Release:
        """Return the release with the recalls of one model only: no other recall can matter."""
        if model_id not in self._of_model:
            recalls = tuple(one for one in self._release.recalls if one.model_id == model_id)
            self._of_model[model_id] = replace(self._release, recalls=recalls)
        return self._of_model[model_id]


class _Numbers:
    """Numbers rules in the order of first appearance."""

    def __init__(self) -> None:
        self.rules: list[str] = []
        self._numbers: dict[str, int] = {}

    def of(self, rules: Iterable[Rule]) -> list[int]:
        return [self._number(rule.rule_id) for rule in rules]

    def _number(self, rule_id: str) -> int:
        if rule_id not in self._numbers:
            self._numbers[rule_id] = len(self.rules)
            self.rules.append(rule_id)
        return self._numbers[rule_id]
