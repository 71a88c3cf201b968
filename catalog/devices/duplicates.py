"""Models that may be recorded twice: two records of one brand share what only one model should have.

Pure: no Django, no clock, no I/O. Called by the admin when a model is saved, and for the whole catalog. Names
are compared as the search compares them (`catalog.search.words`), so case, hyphens and `10K` for `10000` make
no difference.

Two models of one brand are alike if

- they have the same model number, or
- an alias of one is the number, the name or an alias of the other, or
- they have the same name, and their model numbers and capacities do not differ. Makers give one name to many
  models, so a name alone says nothing.

An editor decides whether they are one model.
"""

import functools
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from catalog.search.words import joined, words


class Named(NamedTuple):
    """The names of a model."""

    model_id: str
    brand: str
    model_name: str
    model_number: str | None
    aliases: tuple[str, ...]
    capacity_mah: int | None


class Likeness(NamedTuple):
    """Two models that may be one, by id, and what they share."""

    first: str
    second: str
    reason: str


def likenesses(models: Iterable[Named]) -> list[Likeness]:
    """Return every pair of models that may be one, in the order of their ids."""
    bearers: defaultdict[tuple[str, str, str], list[_Names]] = defaultdict(list)
    for model in sorted(models):
        names = _Names.of(model)
        for kind, name in names.kinds():
            bearers[model.brand, kind, name].append(names)
    found: defaultdict[tuple[str, str], list[_Reason]] = defaultdict(list)
    for (_, kind, name), alike in bearers.items():
        for one, other in combinations(alike, 2):
            if reason := _reason(one, other, kind, name):
                found[one.model.model_id, other.model.model_id].append(reason)
    return [Likeness(*pair, min(reasons).text) for pair, reasons in sorted(found.items())]


def like(model: Named, others: Iterable[Named]) -> list[Likeness]:
    """Return the pairs of one model with others that may be the same."""
    names = _Names.of(model).kinds()
    near = [
        other for other in others if other.model_id != model.model_id and names & _Names.of(other).kinds()
    ]
    return [pair for pair in likenesses([model, *near]) if model.model_id in pair[:2]]


class _Reason(NamedTuple):
    """What two models share; 1 is the best reason to think that they are one."""

    rank: int
    text: str


class _Names(NamedTuple):
    """The names of a model, each in one piece. Its own words are those of its name without the brand's."""

    model: Named
    number: str
    name: str
    own_words: str
    aliases: dict[str, str]

    @classmethod
    def of(cls, model: Named) -> "_Names":
        brand = _words_of_brand(model.brand)
        own_words = sorted(word for word in words(model.model_name) if word not in brand)
        aliases = {joined(alias): alias for alias in model.aliases}
        return cls(
            model, joined(model.model_number or ""), joined(model.model_name), " ".join(own_words), aliases
        )

    def kinds(self) -> set[tuple[str, str]]:
        """Return all of them, each with the kind of names that it is compared with."""
        names = {("number or alias", name) for name in (self.number, *self.aliases)}
        names |= {("name or alias", name) for name in (self.name, *self.aliases)}
        names.add(("name", self.own_words))
        return {(kind, name) for kind, name in names if name}


def _reason(one: _Names, other: _Names, kind: str, name: str) -> _Reason | None:
    """Return what two models with a shared name have in common, or None if the name alone proves nothing."""
    alias = one.aliases.get(name) or other.aliases.get(name)
    if kind == "number or alias" and one.number == other.number == name:
        return _Reason(1, f"the same model number, {one.model.model_number}")
    if kind != "name":
        return _Reason(2, f"an alias that is also a name of the other, {alias}") if alias else None
    distinct = _differ(one.number, other.number) or _differ(one.model.capacity_mah, other.model.capacity_mah)
    return None if distinct else _Reason(3, f"the same name, {one.model.model_name}")


def _differ(one: object, other: object) -> bool:
    """Return whether two facts are known and differ."""
    return bool(one) and bool(other) and one != other


@functools.lru_cache(maxsize=10_000)
def _words_of_brand(brand: str) -> frozenset[str]:
    return frozenset(words(brand))
