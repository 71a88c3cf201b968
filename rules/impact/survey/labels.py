"""Labels of units that no catalog lists, by which the classes of two surveys can be compared.

Each survey has its own classes of such units (`models.unlisted_classes`). Two classes of two surveys have a
unit in common exactly if they have one of these labels in common: a class is a span of energies, and where
two spans overlap, the lowest energy is the lowest one of one of them.
"""

from collections.abc import Collection, Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from catalog.energy import WattHourBasis
from rules.impact.survey.models import ModelClass, seen_by, unlisted_unit
from rules.impact.survey.survey import Survey


class Label(NamedTuple):
    """What the label of a unit says: its watt-hours, and whether they are rated, computed or unknown."""

    watt_hour: Decimal | None
    basis: WattHourBasis


def labels_to_compare(surveys: Iterable[Survey]) -> frozenset[Label]:
    """Return labels of which each class of some surveys, and each common part of two classes, has one."""
    figures = {
        model.unlisted.watt_hour
        for survey in surveys
        for model in survey.unlisted
        if model.unlisted is not None
    }
    bases: tuple[WattHourBasis, ...] = ("rated", "computed")
    rated = {Label(one, basis) for one in figures if one is not None for basis in bases}
    return frozenset(rated | {Label(None, "unknown")})


def labels_of(survey: Survey, model: ModelClass, labels: Collection[Label]) -> Iterator[Label]:
    """Yield the labels of a class of units."""
    for label in labels:
        if seen_by(unlisted_unit(*label), survey.signatures) == model.seen[0]:
            yield label
