"""Who carries what: bags for passengers, so that as many units as possible are in accepted bags.

Pure combinatorics, without rules. Units of equal facts are one *kind*; a *bag* is how many units of each kind
one passenger carries. The caller says which bags are accepted. Called by `rules.engine.itinerary`.

The search rests on one promise of the caller: whatever is accepted is also accepted with fewer units. It has
two consequences.

- Only bags to which nothing can be added need to be tried. If some distribution gives a passenger less than
  such a bag, let that passenger take the rest of it from the passengers after him: his bag is accepted, the
  other bags only get smaller, and all units are still carried.
- What the passengers after someone can carry depends only on what is left. So each remainder is solved once.

The sizes are small: numbers are limited to a few units, and most units are of one or two kinds. Some
questions are made to be hard, so the search has a bound: after so many bags were tried, each passenger takes
the first such bag. The result still is a distribution into accepted bags, but perhaps not the best one. So a
question beyond the bound can get a verdict that is too strict, but never one that is too mild.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

Bag = tuple[int, ...]
"""How many units of each kind."""

MOST_TRIED = 10_000
"""How many bags are tried before each passenger takes the first full one."""


class Packed(NamedTuple):
    """The bags of the passengers, in order, and the units that are in none of them."""

    bags: tuple[Bag, ...]
    left: Bag


def pack(
    supply: Bag,
    owners: Sequence[int | None],
    passengers: int,
    accepts: Callable[[Bag], bool],
    preference: Callable[[Bag], tuple[int, ...]],
    *,
    most_tried: int = MOST_TRIED,
) -> Packed:
    """Distribute units so that as few as possible are left.

    Args:
        supply: The units to distribute.
        owners: The number of the passenger who alone carries units of a kind; none if anyone does.
        passengers: How many passengers there are; they are numbered from 1.
        accepts: Says whether a bag is accepted. Fewer units are never less accepted.
        preference: The order of remainders with equally many units: the lowest is chosen.
        most_tried: How many bags are tried before each passenger takes the first full one.

    """
    return _Packing(owners, passengers, accepts, preference, most_tried).best(1, supply)


class _Packing:
    def __init__(
        self,
        owners: Sequence[int | None],
        passengers: int,
        accepts: Callable[[Bag], bool],
        preference: Callable[[Bag], tuple[int, ...]],
        most_tried: int,
    ) -> None:
        self._owners = owners
        self._passengers = passengers
        self._ask = accepts
        self._preference = preference
        self._tries_left = most_tried
        self._solved: dict[tuple[int, Bag], Packed] = {}

    def best(self, passenger: int, supply: Bag) -> Packed:
        """Return the best bags of this passenger and all later ones."""
        if passenger > self._passengers:
            return Packed((), supply)
        if (known := self._solved.get((passenger, supply))) is not None:
            return known
        best: Packed | None = None
        for bag in self._full_bags(self._available(passenger, supply)):
            later = self.best(passenger + 1, _without(supply, bag))
            found = Packed((bag, *later.bags), later.left)
            if best is None or self._is_better(found.left, best.left):
                best = found
            if not any(best.left):
                break
        if best is None:
            raise AssertionError("the empty bag is accepted")
        self._solved[passenger, supply] = best
        return best

    def _accepts(self, bag: Bag) -> bool:
        self._tries_left -= 1
        return self._ask(bag)

    def _is_better(self, left: Bag, other: Bag) -> bool:
        """Return whether fewer units are left than others, or as many that are preferred."""
        units, others = sum(left), sum(other)
        if units != others or left == other:
            return units < others
        return self._preference(left) < self._preference(other)

    def _available(self, passenger: int, supply: Bag) -> Bag:
        owned = zip(supply, self._owners, strict=True)
        return tuple([units if owner in {None, passenger} else 0 for units, owner in owned])

    def _full_bags(self, available: Bag) -> Iterator[Bag]:
        """Yield the accepted bags to which nothing that is available can be added, early kinds first.

        There is always one: the first that is grown. The others are tried until the search has to end.
        """
        empty = (0,) * len(available)
        for number, bag in enumerate(self._grown(empty, 0, available)):
            if number and self._tries_left <= 0:
                return
            if not any(self._accepts(more) for more in _one_more(bag, available)):
                yield bag

    def _grown(self, bag: Bag, kind: int, available: Bag) -> Iterator[Bag]:
        """Yield a bag with accepted numbers of this kind and of later ones, high numbers first."""
        if kind == len(available):
            yield bag
            return
        for units in range(available[kind], -1, -1):
            grown = (*bag[:kind], units, *bag[kind + 1 :])
            if not self._accepts(grown):
                continue
            first = True
            for whole in self._grown(grown, kind + 1, available):
                yield whole
                # With all of the later kinds in it, a smaller number of this kind gives no full bag.
                if first and whole[kind + 1 :] == available[kind + 1 :]:
                    return
                first = False


def _without(supply: Bag, bag: Bag) -> Bag:
    return tuple([units - taken for units, taken in zip(supply, bag, strict=True)])


def _one_more(bag: Bag, available: Bag) -> Iterator[Bag]:
    for kind, units in enumerate(bag):
        if units < available[kind]:
            yield (*bag[:kind], units + 1, *bag[kind + 1 :])
