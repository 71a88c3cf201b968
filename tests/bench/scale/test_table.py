"""The tables of `make scale` show how each cost grows."""

import pytest

from bench.scale.kept import BUSY
from bench.scale.table import exponent, table


@pytest.mark.parametrize(("power", "named"), [(0, "the same cost"), (1, "the size"), (2, "its square")])
def test_the_exponent_of_a_cost_says_how_it_grows(power: int, named: str) -> None:
    assert exponent([(size, 3.0 * size**power) for size in (10, 40, 160)]) == pytest.approx(power)


def test_nothing_is_said_about_the_growth_of_one_size_or_of_zero() -> None:
    assert exponent([(10, 3.0)]) is None
    assert exponent([(10, 3.0), (20, 0.0)]) is None


def test_a_table_has_a_row_for_each_figure_and_a_column_for_each_size() -> None:
    found = {
        1_000: [{BUSY: 0.5, "search, ms": 0.25, "lost": 0.0}],
        10_000: [{BUSY: 1.5, "search, ms": 2.5, "lost": 0.0, "pages": 1234.5}],
    }
    assert table("models", found).splitlines() == [
        "| models | 1,000 | 10,000 | exponent |",
        "| --- | --- | --- | --- |",
        f"| {BUSY} | 0.500 | 1.50 | — |",
        "| search, ms | 0.250 | 2.50 | 1.00 |",
        "| lost | 0 | 0 | — |",
        "| pages | — | 1,234 | — |",
    ]


def test_a_size_that_was_measured_several_times_has_their_median_and_between_what_they_lie() -> None:
    found = {10: [{"s": 1.0}, {"s": 3.0}, {"s": 2.0}], 100: [{"s": 20.0}, {"s": 20.0}]}
    assert table("rows", found).splitlines()[2:] == ["| s | 2.00 (1.00 to 3.00) | 20.0 | 1.00 |"]
