"""What rests on a page: the sources that cite it, and the records that rest on these. Reads only.

Rules, recalls and disagreements count if they are approved: those of the current release, or of the next one.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from catalog.models import AirlinePolicyEvidence, Source
from recalls.editing.models import Recall
from rules.disagreements.models import Disagreement
from rules.editing.models import Rule


@dataclass(frozen=True)
class Dependents:
    """The ids of what rests on one page, each list in order. `airlines` are those whose policy does."""

    sources: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    airlines: list[str] = field(default_factory=list)
    recalls: list[str] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)


def dependents_of(urls: Iterable[str]) -> Mapping[str, Dependents]:
    """Return what rests on each of some pages, by their addresses. Five queries for any number of pages."""
    found = {url: Dependents() for url in urls}
    pages: dict[str, str] = {}
    for source_id, url in Source.objects.filter(url__in=found).order_by("id").values_list("id", "url"):
        found[url].sources.append(source_id)
        pages[source_id] = url
    for name, record, source_id in _resting_on(pages):
        names: list[str] = getattr(found[pages[source_id]], name)
        if record not in names:
            names.append(record)
    return found


def _resting_on(sources: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    rules = Rule.objects.to_publish().filter(evidence__source__in=sources).order_by("rule_id")
    for record, source in rules.values_list("rule_id", "evidence__source_id"):
        yield "rules", record, source
    policies = AirlinePolicyEvidence.objects.filter(source__in=sources).order_by("policy__airline")
    for record, source in policies.values_list("policy__airline_id", "source_id"):
        yield "airlines", record, source
    recalls = Recall.objects.to_publish().filter(evidence__source__in=sources).order_by("recall_id")
    for record, source in recalls.values_list("recall_id", "evidence__source_id"):
        yield "recalls", record, source
    disagreements = (
        Disagreement.objects.to_publish().filter(evidence__source__in=sources).order_by("disagreement_id")
    )
    for record, source in disagreements.values_list("disagreement_id", "evidence__source_id"):
        yield "disagreements", record, source
