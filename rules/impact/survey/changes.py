"""Which records differ between two rulesets so that verdicts can change, and which verdicts can."""

import datetime
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Literal, NamedTuple

from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.facts import INTERNATIONAL, Device, Leg, Rule

Kind = Literal["countries", "jurisdictions", "airlines", "devices", "rules", "recalls"]
"""The kinds of records that can change a verdict, by their names in a document. Sources cannot."""

ID_FIELD: dict[Kind, str] = {
    "countries": "code",
    "jurisdictions": "code",
    "airlines": "airline",
    "devices": "model_id",
    "rules": "rule_id",
    "recalls": "recall_id",
}

DECIDES: dict[Kind, Callable[[Any], Any]] = {
    "countries": lambda country: country.code,
    "jurisdictions": lambda place: frozenset(place.member_of),
    "airlines": lambda airline: (airline.country, airline.confidence),
    "devices": lambda device: (device.watt_hour, device.watt_hour_basis, doubted(device)),
    "rules": lambda rule: (
        *(rule.issuer, rule.jurisdiction, rule.airline, rule.applies),
        *(rule.when, rule.effect, rule.code, rule.params),
        *(rule.effective_from, rule.effective_until),
    ),
    "recalls": lambda recall: (recall.model_id, recall.affected_serials),
}
"""The fields of a record that verdicts depend on. Names, summaries and evidence decide nothing."""


def doubted(device: Device) -> frozenset[tuple[datetime.date | None, datetime.date | None]]:
    """Return the days on which a certificate of a model is suspended or revoked: first and last of each."""
    return frozenset((one.since, one.until) for one in device.certificates if one.status != "valid")


class Changed(NamedTuple):
    """One record that is in one ruleset only, or differs in the fields that verdicts depend on."""

    kind: Kind
    record_id: str


Versions = tuple[Any, Any]
"""A record before and after; None if it is absent."""


def changed_records(before: Content, after: Content) -> dict[Changed, Versions]:
    """Return every record that differs in the fields that verdicts depend on, in the order of a document."""
    found: dict[Changed, Versions] = {}
    for kind, id_field in ID_FIELD.items():
        old = {getattr(row, id_field): row for row in getattr(before, kind)}
        new = {getattr(row, id_field): row for row in getattr(after, kind)}
        decides = DECIDES[kind]
        for name in sorted(old.keys() | new.keys()):
            was, will_be = old.get(name), new.get(name)
            # Most records are equal, and comparing them is the fastest check.
            if was != will_be and (was is None or will_be is None or decides(was) != decides(will_be)):
                found[Changed(kind, name)] = was, will_be
    return found


class Changes:
    """What differs between two rulesets, queried leg by leg."""

    def __init__(self, before: Corpus, after: Corpus) -> None:
        self._before, self._after = before, after
        self.records = changed_records(before.content, after.content)
        self.rules = self._versions("rules")
        self.models = {row.model_id for row in (*self._versions("devices"), *self._versions("recalls"))}
        self.airlines = {row.airline for row in self._versions("airlines")}
        of_any_model = [rule for rule in self.rules if rule.when.model is None]
        self._rules_of_airlines = {rule.airline for rule in of_any_model if rule.airline is not None}
        self._jurisdictions = {rule.jurisdiction for rule in of_any_model if rule.airline is None}
        self._naming = [(rule, frozenset(rule.when.model)) for rule in self.rules if rule.when.model]

    def _versions(self, kind: Kind) -> list[Any]:
        """Return both versions of the records of a kind that differ."""
        return [
            row
            for key, versions in self.records.items()
            if key.kind == kind
            for row in versions
            if row is not None
        ]

    @cached_property
    def everywhere(self) -> bool:
        """Return whether every leg can change: the baseline, or the place of countries, has changed."""
        old, new = self._before.content, self._after.content
        return INTERNATIONAL in self._jurisdictions or _regions(old) != _regions(new)

    def touch(self, leg: Leg, home: str) -> bool:
        """Return whether any model can have another verdict on a leg of an airline based in `home`."""
        if self.everywhere or leg.airline in self.airlines or leg.airline in self._rules_of_airlines:
            return True
        return not self._jurisdictions.isdisjoint(self._places_of(leg, home))

    @property
    def named(self) -> set[str]:
        """The models that a changed rule names."""
        return {model for _, models in self._naming for model in models}

    def named_on(self, leg: Leg, home: str) -> set[str]:
        """Return those of them for which such a rule can speak on a leg."""
        if not self._naming:
            return set()
        places = {INTERNATIONAL, *self._places_of(leg, home)}
        return {
            model
            for rule, models in self._naming
            if rule.airline == leg.airline or (rule.airline is None and rule.jurisdiction in places)
            for model in models
        }

    def _places_of(self, leg: Leg, home: str) -> set[str]:
        """Return the jurisdictions that can contain a leg of an airline based in `home`."""
        return set().union(*map(self.places, (leg.origin, leg.destination, home)))

    def places(self, country: str) -> set[str]:
        """Return the jurisdictions that contain a country, before or after."""
        return {
            country,
            *(
                region
                for content in (self._before.content, self._after.content)
                for region in _regions(content).get(country, frozenset())
            ),
        }

    def days(self, today: datetime.date) -> list[datetime.date]:
        """Return today and the later days on which something that differs starts or no longer holds.

        That is a rule, or the suspension or revocation of a certificate.
        """
        spans = {(rule.effective_from, rule.effective_until) for rule in self.rules}
        spans |= {span for device in self._versions("devices") for span in doubted(device)}
        days = {today}
        for first_day, last_day in spans:
            if first_day is not None and first_day > today:
                days.add(first_day)
            if last_day is not None and today <= last_day < datetime.date.max:
                days.add(last_day + datetime.timedelta(days=1))
        return sorted(days)


def quantities(rules: Iterable[Rule], most: int) -> list[int]:
    """Return the numbers of units that some rules distinguish: the smallest of each kind."""
    edges = {1}
    for rule in rules:
        for figure in (rule.params.max_units, rule.when.quantity_over):
            if figure is not None and figure < most:
                edges.add(figure + 1)
    return sorted(edges)


def _regions(content: Content) -> dict[str, frozenset[str]]:
    return {place.code: frozenset(place.member_of) for place in content.jurisdictions if place.member_of}
