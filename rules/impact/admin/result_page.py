"""What the page of a measurement shows: counts, tables to sort and filter, and samples with both paths.

Presents a result and decides nothing. Called by `rules.impact.admin.measurements`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import admin
from django.urls import reverse

from catalog.models import Airline, Country, Device
from recalls.editing.models import Recall
from rules.editing.admin.panels import names_for
from rules.editing.models import Rule
from rules.editing.rule_sentence import Names, step_reads
from rules.engine.facts import Rule as RuleRecord
from rules.impact.matrix import WORDS, matrix
from rules.impact.models import ImpactMeasurement
from rules.impact.sample_words import asked_in_words
from rules.impact.survey import Changed, Count, Result, Row, Rows, Sample

MOST_SAMPLES_SHOWN = 25
MOST_ROWS_SHOWN = 50

FACETS = ("airline", "country", "model")
SORTS = {"flips": "changed", "lenient": "less strict", "name": "name"}
"""How the tables can be sorted, and the words for it."""


class Link(NamedTuple):
    """A text, and its link; an empty `address` means no link."""

    words: str
    address: str


def shown(measurement: ImpactMeasurement, result: Result, asked: Mapping[str, str]) -> dict[str, Any]:
    """Return what the page of a result shows, given what its address asks for."""
    facet = next((name for name in FACETS if asked.get(name)), None)
    value = asked[facet] if facet else ""
    sort = asked["sort"] if asked.get("sort") in SORTS else "flips"
    samples = [sample for sample in result.samples if facet is None or _is_about(sample, facet, value)]
    some = sorted(samples[:MOST_SAMPLES_SHOWN], key=lambda sample: not sample.lenient)
    words = _Words(result, some)
    rows = _rows_of(result)
    ways = result.ways if facet is None else _ways(rows[facet], value)
    return {
        "result": result,
        "matrix": matrix(ways),
        "flipped": sum(way.count for way in ways),
        "lenient": sum(way.count for way in ways if way.lenient),
        "narrowed": facet and f"{facet} {value}",
        "not_kept": facet is not None and not ways and rows[facet].total > len(rows[facet].rows),
        "tables": [_table(name, of_facet, sort) for name, of_facet in rows.items()],
        "sorts": [(words, f"?{urlencode({'sort': name})}", name == sort) for name, words in SORTS.items()],
        "unlisted": [shown_way(way) for way in result.unlisted],
        "causes": [
            (words.link(cause.record), cause.count, cause.unlisted, cause.beyond)
            for cause in result.causes[:MOST_ROWS_SHOWN]
        ],
        "more_causes": len(result.causes) - MOST_ROWS_SHOWN,
        "changed": [words.link(record) for record in result.changed[:MOST_ROWS_SHOWN]],
        "more_changed": result.changed_total - min(len(result.changed), MOST_ROWS_SHOWN),
        "samples": [_sample(sample, facet, value, words) for sample in some],
        "samples_kept": len(samples),
        "samples_all": result.kinds_of_flips,
    }


def _is_about(sample: Sample, facet: str, value: str) -> bool:
    match facet:
        case "airline":
            return sample.airline == value
        case "country":
            return value in sample.origins or value in sample.destinations
        case _:
            return sample.label is None and value in sample.models


def _rows_of(result: Result) -> dict[str, Rows]:
    return dict(zip(FACETS, (result.airlines, result.countries, result.models), strict=True))


def _ways(rows: Rows, value: str) -> tuple[Count, ...]:
    return next((row.ways for row in rows.rows if row.name == value), ())


def shown_way(way: Count) -> dict[str, Any]:
    """Return how many answers go one way, in words."""
    return {
        "before": WORDS[way.before],
        "after": WORDS[way.after],
        "count": way.count,
        "lenient": way.lenient,
    }


def _table(facet: str, rows: Rows, sort: str) -> dict[str, Any]:
    """Return a table of airlines, countries or models."""
    keys = {
        "flips": lambda row: (-row.flipped, row.name),
        "lenient": lambda row: (-row.lenient, -row.flipped, row.name),
        "name": lambda row: row.name,
    }
    ordered: list[Row] = sorted(rows.rows, key=keys[sort])
    some = ordered[:MOST_ROWS_SHOWN]
    return {
        "facet": facet,
        "total": rows.total,
        "more": rows.total - len(some),
        "rows": [
            {
                "name": row.name,
                "address": f"?{urlencode({facet: row.name, 'sort': sort})}",
                "flipped": row.flipped,
                "lenient": row.lenient,
            }
            for row in some
        ],
    }


def _sample(sample: Sample, facet: str | None, value: str, words: "_Words") -> dict[str, Any]:
    """Return a sample with its question in words, about the country or model that the page is about."""
    model = value if facet == "model" else sample.models[0]
    origin, destination = _ends(sample, value if facet == "country" else None)
    paths = (sample.before_path, sample.after_path)
    return {
        "question": asked_in_words(
            sample,
            model=words.model(model),
            origin=words.country(origin),
            destination=words.country(destination),
            airline=words.airline(sample.airline),
        ),
        "serial_unknown": sample.serial_unknown,
        "count": sample.questions,
        "models": sample.model_count,
        "lenient": sample.lenient,
        "causes": [words.link(cause) for cause in sample.causes],
        "sides": [
            {
                "title": title,
                "verdict": WORDS[verdict],
                "steps": [
                    {
                        "link": words.step(step),
                        "words": words.says(step, after=side == 1),
                        "only_here": step not in paths[1 - side],
                    }
                    for step in paths[side]
                ],
            }
            for side, (title, verdict) in enumerate((("Now", sample.before), ("Then", sample.after)))
        ],
    }


def _ends(sample: Sample, country: str | None) -> tuple[str, str]:
    """Return where the flight of a sample starts and ends; in a country if the same is true there."""
    leg = sample.question.leg
    if leg.domestic:
        found = country if country in sample.origins and country else leg.origin
        return found, found
    if country in sample.origins and country != leg.destination:
        return str(country), leg.destination
    if country in sample.destinations and country != leg.origin:
        return leg.origin, str(country)
    return leg.origin, leg.destination


class _Words:
    """The names of rules, models, airlines and countries, and their links. Only a few queries."""

    def __init__(self, result: Result, samples: Iterable[Sample]) -> None:
        self._before = result.rules_before
        self._after = {**result.rules_before, **result.rules_after}
        steps = {step for sample in samples for step in (*sample.before_path, *sample.after_path)}
        rules: list[RuleRecord] = [
            rule for side in (self._before, self._after) for name, rule in side.items() if name in steps
        ]
        self._names: Names = names_for(rules)
        changed = [*result.changed, *(cause.record for cause in result.causes)]
        self._pages = {
            "rules": _pages(Rule, {*steps, *(one.record_id for one in changed if one.kind == "rules")}),
            "recalls": _pages(Recall, {one.record_id for one in changed if one.kind == "recalls"}),
        }
        self._airlines = _called(Airline, {sample.airline for sample in samples}, "name")
        self._countries = _called(
            Country, {name for sample in samples for name in (*sample.origins, *sample.destinations)}, "name"
        )
        models = {name for sample in samples for name in sample.models}
        self._models = dict(
            Device.objects.filter(pk__in=models).order_by().values_list("model_id", "model_name")
        )

    def says(self, step: str, *, after: bool) -> str:
        """Return what a step says."""
        return step_reads(step, self._after if after else self._before, self._names)

    def step(self, step: str) -> Link:
        """Return a step with the link to its rule."""
        return Link(step, self._pages["rules"].get(step, ""))

    def link(self, record: Changed) -> Link:
        """Return a record with its link."""
        if record.kind in self._pages:
            return Link(record.record_id, self._pages[record.kind].get(record.record_id, ""))
        model = {
            "airlines": "airline",
            "devices": "device",
            "jurisdictions": "jurisdiction",
            "countries": "country",
        }[record.kind]
        return Link(record.record_id, reverse(f"admin:catalog_{model}_change", args=[record.record_id]))

    def model(self, name: str) -> str:
        """Return the name of a model, with its id."""
        return f"{self._models[name]} ({name})" if name in self._models else name

    def airline(self, code: str) -> str:
        """Return the name of an airline, with its code."""
        return f"{self._airlines[code]} ({code})" if code in self._airlines else code

    def country(self, code: str) -> str:
        """Return the name of a country."""
        return self._countries.get(code, code)


def _pages(model: Any, record_ids: set[str]) -> dict[str, str]:
    """Return the link to the newest revision of each record; empty if the desk has no screen for it."""
    if not admin.site.is_registered(model):
        return {}
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_change"
    rows = model._default_manager.identified(record_ids).values_list(model.id_field, "pk")
    return {record_id: reverse(name, args=[key]) for record_id, key in rows}


def _called(model: Any, keys: set[str], column: str) -> dict[str, str]:
    return dict(model._default_manager.filter(pk__in=keys).order_by().values_list("pk", column))
