"""What rests on a page, as its screens show it: the rules with their sentences, and all other records.

Reads only. The number of queries does not depend on how much rests on the page.
"""

from collections.abc import Sequence
from typing import NamedTuple

from catalog.editorial.workflow import AGREED, OPEN
from catalog.models import Airline, Source
from catalog.records import POINTER
from recalls.editing.models import Recall
from rules.disagreements.models import Disagreement
from rules.editing.admin.panels import names_for
from rules.editing.models import Rule
from rules.engine import facts
from rules.watch.dependents import Dependents, dependents_of


class RestingRule(NamedTuple):
    """A rule that rests on a page: what it says, and its open revision, if there is one."""

    row: Rule
    record: facts.Rule
    sentence: str
    open_revision: Rule | None


class Resting(NamedTuple):
    """All that rests on a page. `read` are the sources that a person has read."""

    dependents: Dependents
    sources: list[Source]
    rules: list[RestingRule]
    airlines: list[Airline]
    recalls: list[Recall]
    disagreements: list[Disagreement]

    @property
    def read(self) -> list[Source]:
        """The sources that can be read again."""
        return [source for source in self.sources if source.basis != POINTER]


def resting_on(url: str) -> Resting:
    """Return what rests on a page, by its address."""
    dependents = dependents_of([url])[url]
    return Resting(
        dependents=dependents,
        sources=list(Source.objects.filter(pk__in=dependents.sources).order_by("pk")),
        rules=_rules(dependents.rules),
        airlines=list(Airline.objects.filter(pk__in=dependents.airlines).order_by("name")),
        recalls=list(
            Recall.objects.to_publish().filter(recall_id__in=dependents.recalls).order_by("recall_id")
        ),
        disagreements=list(
            Disagreement.objects.to_publish()
            .filter(disagreement_id__in=dependents.disagreements)
            .order_by("disagreement_id")
        ),
    )


def _rules(ids: Sequence[str]) -> list[RestingRule]:
    revisions = Rule.objects.filter(rule_id__in=ids, state__in=(*OPEN, *AGREED))
    agreed: dict[str, Rule] = {}
    being_revised: dict[str, Rule] = {}
    for row in revisions.order_by("rule_id", "revision").prefetch_related(*Rule.record_parts):
        (being_revised if row.state in OPEN else agreed)[row.rule_id] = row
    records = {row: row.to_record() for row in agreed.values()}
    names = names_for(list(records.values()))
    return [
        RestingRule(row, record, names.read(record), being_revised.get(row.rule_id))
        for row, record in records.items()
    ]
