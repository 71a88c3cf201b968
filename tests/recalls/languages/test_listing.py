"""A traveler reads the numbers of a recall, never a pattern."""

import pytest
from hypothesis import given

from recalls.languages.listing import identifiers
from recalls.serials import compile_pattern

from .drawing import patterns


@pytest.mark.parametrize(
    ("pattern", "numbers"),
    [
        ("^000[GHIL]21$", "000G21 000H21 000I21 000L21"),
        ("^(2318|2319|2322)$", "2318 2319 2322"),
        ("^M20-(P8|Q1)$", "M20-P8 M20-Q1"),
        ("^(C13|M14)-P[67]$|^M20-Q[12]$", "C13-P6 C13-P7 M14-P6 M14-P7 M20-Q1 M20-Q2"),
        ("^PO-PP0(0[1-3]|10)$", "PO-PP001 PO-PP002 PO-PP003 PO-PP010"),
        ("^A?B{2}$", "ABB BB"),
        ("^35S.{11}$", ""),
        ("^.*A$", ""),
        ("^[^A]$", ""),
        ("^A+$", ""),
        (r"^\d{3}$", ""),
        ("^(?i)a$", ""),
    ],
)
def test_a_simple_pattern_is_listed_in_full(pattern: str, numbers: str) -> None:
    assert identifiers(pattern, 40) == tuple(numbers.split())


@given(patterns())
def test_everything_that_is_listed_is_matched(pattern: str) -> None:
    compiled = compile_pattern(pattern)
    assert all(compiled.fullmatch(number) for number in identifiers(pattern, 40))


def test_a_large_pattern_is_given_up_at_once() -> None:
    assert identifiers("^" + "[A-Z0-9]" * 30 + "$", 40) == ()
    assert identifiers("^(A{0,1000}){0,1000}$", 40) == ()
    assert identifiers("^(A|B){0,900}$", 40) == ()
