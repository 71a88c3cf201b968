"""Models that no rule can tell apart, and units that no catalog lists.

A rule sees of a model its band of watt-hours, whether the figure is computed and close to a limit, and
whether it is one that rules name. Its recalls and its certificates in doubt decide too. Models that are the
same in all of this, before and after, form a class.

A unit that no catalog lists is judged by its label. There is one class for each band of watt-hours and each
way in which a computed figure can be close to a limit, so that a change for energies without a model in the
catalog is seen too.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import msgspec

from catalog.energy import COMPUTED_SHORTFALL_PERCENT, HUNDREDTH, WattHourBasis
from rules.engine.corpus import CatalogEntry, Corpus, figure, highest_figure
from rules.engine.document import MAX_AMOUNT
from rules.engine.errors import ModelNotFound
from rules.engine.facts import Device
from rules.impact.survey.recalls import PLAIN, Pair, Shown, recall_pairs
from rules.impact.survey.signatures import Signatures

UNLISTED = "unlisted"
"""The model of a unit that no catalog lists. No rule names it."""

NO_RECALLS: dict[Pair, Shown] = {("not_affected", "not_affected"): PLAIN}


class Seen(NamedTuple):
    """What rules see of a model: see `CatalogEntry`. The bits are those of `Signatures`."""

    band: int
    band_beyond: int
    named: int
    unknown: bool
    """Whether its watt-hours are unknown."""


class ModelClass(msgspec.Struct, frozen=True, eq=False):
    """Models that are the same for all rules: one of the catalog or more, or one that no catalog lists.

    `seen` is None in a ruleset without these models. `doubts` are the periods in which a certificate is in
    doubt, before and after. `pairs_of_each` are the statuses that recalls can give to a unit of each model:
    the same for all, shown by serials of its own.
    """

    names: tuple[str, ...]
    seen: tuple[Seen | None, Seen | None]
    doubts: tuple[int, int]
    pairs_of_each: tuple[dict[Pair, Shown], ...]
    unlisted: Device | None = None

    @property
    def pairs(self) -> dict[Pair, Shown]:
        """Return the statuses that recalls can give to a unit, with serials of the first model."""
        return self.pairs_of_each[0]

    def pairs_of(self, name: str) -> dict[Pair, Shown]:
        """Return the statuses that recalls can give to a unit, with serials of a model of the class."""
        return self.pairs_of_each[self.names.index(name)]

    @property
    def same_recalls(self) -> bool:
        """Return whether recalls say the same of every unit before and after."""
        return all(before == after for before, after in self.pairs)

    def reach(self, signatures: Signatures) -> int:
        """Return all signatures that can matter for the models."""
        seen = [one for one in self.seen if one is not None]
        bands = [bit for one in seen for bit in (one.band, one.band_beyond)]
        return signatures.for_model(any_of(bands), any_of(one.named for one in seen))

    def states(self, all_periods: int) -> Iterator["State"]:
        """Return the models as they are in some periods: with or without a certificate in doubt."""
        in_one, in_other = self.doubts
        for in_doubt, periods in (
            (InDoubt(True, True), in_one & in_other),
            (InDoubt(True, False), in_one & ~in_other),
            (InDoubt(False, True), in_other & ~in_one),
            (InDoubt(False, False), all_periods & ~(in_one | in_other)),
        ):
            if periods:
                same = self.seen[0] == self.seen[1] and in_doubt.before == in_doubt.after
                yield State(self, in_doubt, periods, changed=not (same and self.same_recalls))


class InDoubt(NamedTuple):
    """Whether a certificate of a model is suspended or revoked."""

    before: bool
    after: bool


class State(NamedTuple):
    """A class of models in some periods. If it is changed, answers can change under the same rules."""

    model: ModelClass
    in_doubt: InDoubt
    periods: int
    changed: bool


def classes_of_models(
    corpora: tuple[Corpus, Corpus], signatures: Signatures, days: tuple[int, ...]
) -> list[ModelClass]:
    """Return all models of two catalogs in classes."""
    groups: dict[Any, list[tuple[str, dict[Pair, Shown]]]] = defaultdict(list)
    for name in sorted({device.model_id for corpus in corpora for device in corpus.content.devices}):
        before, after = (entry_in(corpus, name) for corpus in corpora)
        seen = tuple(
            None if entry is None else seen_by(entry.device, signatures) for entry in (before, after)
        )
        doubts = tuple(_doubts(entry, days) for entry in (before, after))
        recalls = [entry.affected_serials for entry in (before, after) if entry is not None]
        pairs = recall_pairs(recalls[0], recalls[-1]) if any(recalls) else NO_RECALLS
        groups[seen, doubts, frozenset(pairs)].append((name, pairs))
    return [
        ModelClass(tuple(name for name, _ in group), seen, doubts, tuple(pairs for _, pairs in group))
        for (seen, doubts, _), group in groups.items()
    ]


def unlisted_classes(signatures: Signatures) -> list[ModelClass]:
    """Return the kinds of units that no catalog lists: every band, rated, computed or unknown."""
    figures = {1}
    for edge in signatures.bands.edges:
        # The lowest figures of another band, and the lowest that can hide a figure of another band.
        hiding = -(-(edge - 1) * (100 - COMPUTED_SHORTFALL_PERCENT) // 100)
        figures |= {edge, hiding}
    labels: list[tuple[Decimal | None, WattHourBasis]] = [(None, "unknown")]
    for one in sorted(figures):
        if 0 < one <= MAX_AMOUNT * 100:
            labels += [(one * HUNDREDTH, "rated"), (one * HUNDREDTH, "computed")]
    found: dict[Seen, ModelClass] = {}
    for watt_hour, basis in labels:
        unit = unlisted_unit(watt_hour, basis)
        seen = seen_by(unit, signatures)
        found.setdefault(seen, ModelClass((unit.model_id,), (seen, seen), (0, 0), (NO_RECALLS,), unit))
    return list(found.values())


def unlisted_unit(watt_hour: Decimal | None, basis: WattHourBasis) -> Device:
    """Return a unit as its label says, for `Corpus.unlisted`."""
    return Device(model_id=UNLISTED, brand="", model_name="", watt_hour=watt_hour, watt_hour_basis=basis)


def any_of(bits: Iterable[int]) -> int:
    """Return all of some bits."""
    return reduce(or_, bits, 0)


def entry_in(corpus: Corpus, name: str) -> CatalogEntry | None:
    """Return a model of a ruleset; None if it has no such model."""
    try:
        return corpus.device(name)
    except ModelNotFound:
        return None


def seen_by(device: Device, signatures: Signatures) -> Seen:
    """Return what rules see of a model."""
    return Seen(
        band=signatures.bands.of(figure(device)),
        band_beyond=signatures.bands.of(highest_figure(device)),
        named=signatures.models.of(device.model_id),
        unknown=device.watt_hour is None,
    )


def _doubts(entry: CatalogEntry | None, days: tuple[int, ...]) -> int:
    """Return the periods in which a certificate of a model is in doubt."""
    if entry is None:
        return 0
    return sum(1 << period for period, day in enumerate(days) if entry.certificates.doubts_on(day))
