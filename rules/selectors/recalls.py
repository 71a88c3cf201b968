"""Active recalls of exact models, newest first, and what they say about one unit.

The engine's own evaluation is used, so a list and a verdict cannot disagree about a serial. Called by the
views of the API, by the tools of agents and by the replay of an audit export.
"""

from collections.abc import Iterable

import msgspec

from recalls.serials import RecallStatus, SerialEvaluation, evaluate
from rules.corpus import Published
from rules.engine.corpus import CatalogEntry
from rules.engine.evaluate import recall_impact
from rules.engine.facts import Recall, Unit
from rules.engine.outcomes import RecallImpact

_TOGETHER: dict[RecallStatus, SerialEvaluation] = {
    "affected": SerialEvaluation("affected", "pattern"),
    "external_check_required": SerialEvaluation("unknown", "external_list_required"),
    "serial_unknown": SerialEvaluation("unknown", "none"),
    "not_affected": SerialEvaluation("not_affected", "pattern"),
}
"""A unit's recall status in the words of a single recall."""


def find(
    published: Published, *, model_id: str | None = None, jurisdiction: str | None = None
) -> list[Recall]:
    """Return the recalls that meet all that is asked for, the newest announcement first."""
    shelf = published.shelf
    found: Iterable[Recall] = shelf.recalls.values() if model_id is None else shelf.recalls_of(model_id)
    return newest_first(
        recall for recall in found if jurisdiction is None or recall.jurisdiction == jurisdiction
    )


def newest_first(recalls: Iterable[Recall]) -> list[Recall]:
    """Return recalls by their announcements; those of one day keep their order."""
    return sorted(recalls, key=lambda recall: recall.announced_on, reverse=True)


def of_all_units(found: Iterable[Recall]) -> bool:
    """Tell whether recalls concern every unit of their model, whatever is printed on it."""
    return any(recall.affected_serials.scope == "all_units" for recall in found)


def impact(published: Published, unit: Unit) -> RecallImpact:
    """Return what the recalls of an exact model mean for one unit. Raises `ModelNotFound`."""
    return recall_impact(published.corpus.device(unit.model_id), unit)


class UnitFindings(msgspec.Struct, frozen=True):
    """What the recalls of a model say about one unit: all of them together, and each by its recall id.

    `together` is None if the model has no recall.
    """

    together: SerialEvaluation | None
    each: dict[str, SerialEvaluation]


def of_recalls(found: Iterable[Recall], unit: Unit) -> dict[str, SerialEvaluation]:
    """Return by recall id what each recall says about a unit, if it is one of the recalled model."""
    return {
        recall.recall_id: evaluate(recall.affected_serials, serial=unit.serial, serial_hash=unit.serial_hash)
        for recall in found
    }


def of_unit(entry: CatalogEntry, unit: Unit) -> UnitFindings:
    """Compare the serial of a unit, or its hash, with the recalls of its model, as a verdict does."""
    found = recall_impact(entry, unit)
    return UnitFindings(
        together=_TOGETHER[found.status] if found.findings else None,
        each={finding.recall.recall_id: finding.evaluation for finding in found.findings},
    )
