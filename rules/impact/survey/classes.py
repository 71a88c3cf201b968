"""Models and countries that no rule can tell apart: one verdict is valid for a whole class.

A rule sees of a model its band of watt-hours, its recall status and, if the rule names models, which one it
is; of a country it sees the jurisdictions that contain it. So two models of one band without recalls that no
rule names, or two countries without rules of their own, get the same verdict on the same leg. Models whose
certificates are suspended or revoked on other days form other classes. Classes are made over both rulesets at
once.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable

from rules.engine.corpus import Corpus
from rules.engine.errors import ModelNotFound
from rules.engine.evaluate import recall_impact
from rules.engine.facts import Unit
from rules.impact.survey.changes import doubted


def model_classes(corpora: tuple[Corpus, Corpus], models: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the models, grouped by getting the same verdicts from both rulesets."""
    return _classes(models, lambda model: tuple(_seen_of_model(corpus, model) for corpus in corpora))


def country_classes(
    corpora: tuple[Corpus, Corpus], countries: Iterable[str], homes: Iterable[str]
) -> list[tuple[str, ...]]:
    """Return the countries, grouped by the authorities that speak there; a home country is its own group."""
    apart = set(homes)

    def seen(country: str) -> Hashable:
        places = tuple(corpus.places(country) for corpus in corpora)
        return (places, country if country in apart else None)

    return _classes(countries, seen)


def _seen_of_model(corpus: Corpus, model: str) -> Hashable:
    try:
        entry = corpus.device(model)
    except ModelNotFound:
        return None
    status = recall_impact(entry, Unit(model_id=model)).status
    unknown = entry.device.watt_hour is None
    return (entry.band, entry.band_beyond, entry.named, unknown, status, doubted(entry.device))


def _classes(names: Iterable[str], seen: Callable[[str], Hashable]) -> list[tuple[str, ...]]:
    groups: dict[Hashable, list[str]] = defaultdict(list)
    for name in sorted(names):
        groups[seen(name)].append(name)
    return [tuple(group) for group in groups.values()]
