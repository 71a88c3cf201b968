"""Figures keep their order on the scale, and a limit can be told from what is just beyond it."""

from decimal import Decimal
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from aeo.drawing.energy_scale import Scale

FIGURES = st.decimals(Decimal("0.01"), Decimal(2000), places=2)
LIMITS = st.lists(
    st.sampled_from(["30", "99.99", "100", "101", "160", "200", "300"]).map(Decimal), max_size=5
)


def scale(limits: list[Decimal], figures: list[Decimal]) -> Scale:
    return Scale(limits, figures, left=6, right=354, room=5)


@given(LIMITS, st.lists(FIGURES, min_size=1))
def test_higher_figures_are_further_to_the_right_and_equal_ones_at_the_same_place(
    limits: list[Decimal], figures: list[Decimal]
) -> None:
    drawn = scale(limits, figures)
    for low, high in pairwise(sorted([*figures, *limits])):
        assert (drawn.place(low) < drawn.place(high)) == (low < high)
        assert (drawn.place(low) == drawn.place(high)) == (low == high)
    assert all(6 < drawn.place(figure) < 354 for figure in figures)


@given(LIMITS, st.lists(FIGURES))
def test_the_known_limits_are_at_the_same_place_in_every_picture(
    limits: list[Decimal], figures: list[Decimal]
) -> None:
    drawn = scale(limits, figures)
    assert (drawn.place(Decimal(100)), drawn.place(Decimal(160))) == (180, 6 + 348 * 0.8)


@given(LIMITS, FIGURES, st.sampled_from([Decimal(100), Decimal(160)]), st.booleans())
def test_a_limit_ends_between_the_figures_that_it_separates(
    limits: list[Decimal], figure: Decimal, limit: Decimal, inclusive: bool
) -> None:
    drawn = scale(limits, [figure])
    is_within = figure < limit or (inclusive and figure == limit)
    assert (drawn.place(figure) < drawn.edge(limit, inclusive=inclusive)) == is_within


def test_a_hundredth_beyond_a_limit_can_be_seen() -> None:
    drawn = scale([], [])
    below, at, beyond = (drawn.place(Decimal(figure)) for figure in ("99.99", "100", "100.01"))
    assert at - below >= 4.9
    assert beyond - at >= 4.9
