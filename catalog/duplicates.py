"""Models that may be recorded twice: what two records of one brand have in common that no two models should.

Pure: no Django, no clock, no I/O. Called by the admin, for one model that is saved and for the whole catalog.
Names are compared as the search compares them (`catalog.search.words`), so case, hyphens and `10K` for
`10000` make no difference.

Two models of one brand are alike where

- they have the same model number, or
- an alias of one is the number, the name or an alias of the other, or
- they have the same name, and neither their model numbers nor their capacities tell them apart. Makers give
  one name to many models, so a name alone says nothing.

Being alike is a question for an editor, never an answer.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from catalog.search.words import joined, words


class Named(NamedTuple):
    """What a model is called."""

    model_id: str
    brand: str
    model_name: str
    model_number: str | None
    aliases: tuple[str, ...]
    capacity_mah: int | None


class Likeness(NamedTuple):
    """Two models that may be one, by id, and what they have in common."""

    first: str
    second: str
    reason: str


def likenesses(models: Iterable[Named]) -> list[Likeness]:
    """Return every pair of models that may be one, in the order of their ids."""
    bearers: defaultdict[tuple[str, str, str], list[Named]] = defaultdict(list)
    for model in models:
        for kind, name in _names(model):
            bearers[model.brand, kind, name].append(model)
    found: dict[tuple[str, str], str] = {}
    for (_, kind, name), alike in bearers.items():
        for one, other in combinations(sorted(alike), 2):
            reason = _reason(one, other, kind, name)
            if reason:
                found.setdefault((one.model_id, other.model_id), reason)
    return [Likeness(*pair, reason) for pair, reason in sorted(found.items())]


def like(model: Named, others: Iterable[Named]) -> list[Likeness]:
    """Return the pairs of one model with those of others that may be the same."""
    names = _names(model)
    near = [other for other in others if other.model_id != model.model_id and names & _names(other)]
    return [pair for pair in likenesses([model, *near]) if model.model_id in pair[:2]]


def _names(model: Named) -> set[tuple[str, str]]:
    """Return what a model goes by, each with the kind of names that it is compared with."""
    aliases = {joined(alias) for alias in model.aliases}
    brand = set(words(model.brand))
    own_words = sorted(word for word in words(model.model_name) if word not in brand)
    names = {("number or alias", name) for name in {joined(model.model_number or ""), *aliases}}
    names |= {("name or alias", name) for name in {joined(model.model_name), *aliases}}
    names.add(("name", " ".join(own_words)))
    return {(kind, name) for kind, name in names if name}


def _reason(one: Named, other: Named, kind: str, name: str) -> str:
    """Return in words what two models that share a name have in common; empty where it says nothing."""
    alias = _alias(one, name) or _alias(other, name)
    match kind:
        case "number or alias":
            if joined(one.model_number or "") == joined(other.model_number or "") == name:
                return f"the same model number, {one.model_number}"
            return f"an alias that is a name of the other, {alias}"
        case "name or alias":
            return f"an alias that is a name of the other, {alias}" if alias else ""
    told_apart = _differ(joined(one.model_number or ""), joined(other.model_number or "")) or _differ(
        one.capacity_mah, other.capacity_mah
    )
    return "" if told_apart else f"the same name, {one.model_name}"


def _alias(model: Named, name: str) -> str:
    """Return how a model writes a name that it has as an alias; empty where it has none such."""
    return next((alias for alias in model.aliases if joined(alias) == name), "")


def _differ(one: object, other: object) -> bool:
    """Tell whether two facts are known and differ."""
    return bool(one) and bool(other) and one != other
