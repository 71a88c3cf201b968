"""Bags for passengers: no distribution leaves fewer units, and the search always ends."""

import itertools
import random
from collections.abc import Callable

import pytest

from rules.engine.packing import MOST_TRIED, Bag, Packed, pack
from tests.support.thoroughness import examples

PROBLEMS = examples(300, thorough=5_000)


def caps(chance: random.Random, kinds: int) -> Callable[[Bag], bool]:
    """Return a test of bags: each cap counts some kinds, if the bag has a unit of some other kinds."""
    drawn = [
        (
            {kind for kind in range(kinds) if chance.random() < 0.6},
            {kind for kind in range(kinds) if chance.random() < 0.6},
            chance.randint(0, 3),
        )
        for _ in range(chance.randint(1, 3))
    ]
    return lambda bag: all(
        sum(bag[kind] for kind in counted) <= most or not any(bag[kind] for kind in bound)
        for counted, bound, most in drawn
    )


def every_left(
    supply: Bag, owners: list[int | None], passengers: int, accepts: Callable[[Bag], bool]
) -> set[Bag]:
    """Return what is left by every distribution into accepted bags, tried one by one."""
    lefts = {supply}
    for passenger in range(1, passengers + 1):
        found = set()
        for left in lefts:
            takes = [
                range(units + 1) if owner in {None, passenger} else (0,)
                for units, owner in zip(left, owners, strict=True)
            ]
            for bag in itertools.product(*takes):
                if accepts(bag):
                    found.add(tuple(units - taken for units, taken in zip(left, bag, strict=True)))
        lefts = found
    return lefts


def sound(packed: Packed, supply: Bag, accepts: Callable[[Bag], bool]) -> bool:
    """Return whether every unit is in one accepted bag or left."""
    whole = tuple(map(sum, zip(*packed.bags, packed.left, strict=True)))
    return whole == supply and all(map(accepts, packed.bags))


def test_no_distribution_leaves_fewer_units_or_units_that_are_preferred() -> None:
    chance = random.Random(1)
    some_left = 0
    for _ in range(PROBLEMS):
        kinds, passengers = chance.randint(1, 4), chance.randint(1, 3)
        supply = tuple(chance.randint(0, 3) for _ in range(kinds))
        owners = [chance.choice((None, None, None, chance.randint(1, passengers))) for _ in range(kinds)]
        accepts = caps(chance, kinds)
        packed = pack(supply, owners, passengers, accepts, preference=lambda left: left)
        assert sound(packed, supply, accepts)
        best = min(every_left(supply, owners, passengers, accepts), key=lambda left: (sum(left), left))
        assert packed.left == best
        some_left += any(best)
    assert some_left > PROBLEMS / 10


def test_a_passenger_carries_nothing_that_belongs_to_another() -> None:
    packed = pack((2, 3), [2, None], 2, lambda bag: sum(bag) <= 3, preference=lambda left: left)
    assert packed == Packed(((0, 3), (2, 0)), (0, 0))


def test_beyond_its_bound_the_search_still_gives_a_distribution() -> None:
    chance = random.Random(2)
    for _ in range(50):
        supply = tuple(chance.randint(0, 3) for _ in range(6))
        accepts = caps(chance, 6)
        packed = pack(supply, [None] * 6, 4, accepts, preference=lambda left: left, most_tried=3)
        assert sound(packed, supply, accepts)


@pytest.mark.parametrize("units", [1, 20])
def test_a_question_made_to_be_hard_ends_after_a_bounded_number_of_bags(units: int) -> None:
    """Twenty items that are all different, and each can travel with some others."""
    tried = 0
    accepted = caps(random.Random(3), 20)

    def accepts(bag: Bag) -> bool:
        nonlocal tried
        tried += 1
        return sum(bag) <= 8 and accepted(bag)

    supply = (units,) * 20
    packed = pack(supply, [None] * 20, 9, accepts, preference=lambda left: left)
    assert tried <= MOST_TRIED + 9 * 2 * sum(supply)
    assert sound(packed, supply, accepts)
