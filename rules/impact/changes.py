"""Which records differ between two rulesets, and so which verdicts can."""

import datetime
from collections.abc import Iterable
from functools import cached_property
from typing import TypeVar

from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.facts import INTERNATIONAL, Leg, Record, Rule

AnyRecord = TypeVar("AnyRecord", bound=Record)


class Changes:
    """What differs between two rulesets, asked leg by leg. Sources are left out: they change no verdict."""

    def __init__(self, before: Corpus, after: Corpus) -> None:
        self._before, self._after = before, after
        old, new = before.content, after.content
        self.rules = _changed(old.rules, new.rules, "rule_id")
        self.models = {row.model_id for row in _changed(old.devices, new.devices, "model_id")}
        self.models |= {row.model_id for row in _changed(old.recalls, new.recalls, "recall_id")}
        self.airlines = {row.airline for row in _changed(old.airlines, new.airlines, "airline")}
        self._rules_of_airlines = {rule.airline for rule in self.rules if rule.airline is not None}
        self._jurisdictions = {rule.jurisdiction for rule in self.rules if rule.airline is None}

    @cached_property
    def everywhere(self) -> bool:
        """Tell whether every leg can be another one: the baseline, or where countries lie, has changed."""
        old, new = self._before.content, self._after.content
        return INTERNATIONAL in self._jurisdictions or _regions(old) != _regions(new)

    def touch(self, leg: Leg, home: str) -> bool:
        """Tell whether a leg of an airline that is based in `home` can have another verdict."""
        if self.everywhere or leg.airline in self.airlines or leg.airline in self._rules_of_airlines:
            return True
        return any(
            place in self._jurisdictions
            for country in (leg.origin, leg.destination, home)
            for place in self.places(country)
        )

    def places(self, country: str) -> set[str]:
        """Return the jurisdictions that a country lies inside of, before or after."""
        return {
            country,
            *(
                region
                for content in (self._before.content, self._after.content)
                for region in _regions(content).get(country, frozenset())
            ),
        }

    def days(self, today: datetime.date) -> list[datetime.date]:
        """Return today and the later days on which a rule that differs starts or no longer holds."""
        days = {today}
        for rule in self.rules:
            if rule.effective_from is not None and rule.effective_from > today:
                days.add(rule.effective_from)
            if rule.effective_until is not None and today <= rule.effective_until < datetime.date.max:
                days.add(rule.effective_until + datetime.timedelta(days=1))
        return sorted(days)


def quantities(rules: Iterable[Rule], most: int) -> list[int]:
    """Return the numbers of units that some rules tell apart: the least of each kind."""
    edges = {1}
    for rule in rules:
        for figure in (rule.params.max_units, rule.when.quantity_over):
            if figure is not None and figure < most:
                edges.add(figure + 1)
    return sorted(edges)


def _changed(before: Iterable[AnyRecord], after: Iterable[AnyRecord], key: str) -> list[AnyRecord]:
    """Return the records that are in one of two lists alone, or say something else in the other."""
    old = {getattr(row, key): row for row in before}
    new = {getattr(row, key): row for row in after}
    return [
        row
        for name in old.keys() | new.keys()
        if old.get(name) != new.get(name)
        for row in (old.get(name), new.get(name))
        if row is not None
    ]


def _regions(content: Content) -> dict[str, frozenset[str]]:
    return {place.code: frozenset(place.member_of) for place in content.jurisdictions if place.member_of}
