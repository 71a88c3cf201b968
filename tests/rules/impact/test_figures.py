"""Counts of answers as people read them: exact while they are small, then rounded, with their share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.impact.figures import answers, rounded, share, short


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "1 answer"),
        (3672, "3,672 answers"),
        (999_999, "999,999 answers"),
        (1_000_000, "about 1 million answers"),
        (12_345_678, "about 12.3 million answers"),
        (999_949_999, "about 1,000 million answers"),
        (999_950_000, "about 1 billion answers"),
        (1_525_355_360, "about 1.5 billion answers"),
        (423_000_000_000, "about 423 billion answers"),
    ],
)
def test_a_large_count_is_rounded_and_a_small_one_is_exact(count: int, words: str) -> None:
    assert answers(count) == words


@pytest.mark.parametrize(
    ("count", "total", "words"),
    [(0, 9, ""), (1, 1_000_000, "less than 0.01%"), (5, 10_000, "0.05%"), (1, 8, "12%")],
)
def test_a_share_is_in_percent(count: int, total: int, words: str) -> None:
    assert share(count, total) == words


@given(st.integers(1, 10**13), st.integers(1, 10**13))
def test_no_share_looks_like_nothing_or_like_all_if_it_is_not(count: int, more: int) -> None:
    words = share(count, count + more)
    assert words not in ("0%", "0.00%", "100%")
    assert share(count, count) == "100%"
    assert rounded(count)


def test_in_a_table_a_rounded_count_needs_no_about() -> None:
    assert (short(999_999), short(16_600_000_000)) == ("999,999", "16.6 billion")
