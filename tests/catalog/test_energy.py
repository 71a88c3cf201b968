"""Watt-hours: exact at the edges, careful where they are computed."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.energy import HUNDREDTH, bound, computed_watt_hour, highest_plausible, hundredths


@pytest.mark.parametrize(
    ("capacity_mah", "nominal_voltage", "watt_hour"),
    [
        (10_000, "3.7", "37.00"),
        (27_000, "3.7", "99.90"),
        (26_250, "3.7", "97.13"),  # 97.125: the careful side is up.
        (1460, "7.62", "11.13"),
    ],
)
def test_watt_hours_are_milliampere_hours_times_volts(capacity_mah, nominal_voltage, watt_hour):
    assert computed_watt_hour(capacity_mah, Decimal(nominal_voltage)) == Decimal(watt_hour)


@given(st.integers(1, 100_000), st.decimals("2.5", "20", places=3))
def test_rounding_never_hides_energy(capacity_mah, nominal_voltage):
    exact = capacity_mah * nominal_voltage / 1000
    assert exact <= computed_watt_hour(capacity_mah, nominal_voltage) < exact + Decimal("0.01")


@pytest.mark.parametrize(
    ("computed", "beyond"),
    [("94.99", "99.99"), ("95", "100.01"), ("100", "105.27"), ("152", "160.01"), ("151.99", "159.99")],
)
def test_a_computed_figure_from_95_to_100_and_from_152_to_160_cannot_prove_its_limit(computed, beyond):
    assert highest_plausible(hundredths(Decimal(computed))) == hundredths(Decimal(beyond))


@pytest.mark.parametrize(
    ("highest", "watt_hour", "inclusive"),
    [
        ("99.99", "100", False),
        ("159.99", "160", False),
        ("99.49", "99.5", False),
        ("100", "100", True),
        ("100.00", "100", True),
        ("99.5", "99.5", True),
        ("37.37", "37.37", True),
    ],
)
def test_a_limit_is_the_rounder_of_its_two_names(highest: str, watt_hour: str, inclusive: bool) -> None:
    said = bound(Decimal(highest))
    assert (str(said.watt_hour), said.inclusive) == (watt_hour, inclusive)


@given(st.decimals("0.01", "1000", places=2))
def test_a_limit_holds_the_same_figures_by_either_name(highest: Decimal) -> None:
    said = bound(highest)
    for figure in (highest - HUNDREDTH, highest, highest + HUNDREDTH):
        within = figure <= said.watt_hour if said.inclusive else figure < said.watt_hour
        assert within == (figure <= highest)
