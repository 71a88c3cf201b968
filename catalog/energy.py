"""Watt-hours of a battery: how they are computed and compared, and how exact a computed figure is.

Pure: no Django, no clock, no I/O. Called by the engine, by the seed and by the admin.

Watt-hours are `Decimal` wherever people see them. The engine compares them as whole hundredths of a
watt-hour, because 100.00 and 160.00 are legal limits and a float is not exact there.
"""

from decimal import ROUND_CEILING, Decimal
from typing import Literal, NamedTuple

WattHourBasis = Literal["rated", "computed", "unknown"]
"""How a watt-hour figure is known: printed or stated by the maker, computed from mAh and volts, or not at
all.
"""

HUNDREDTH = Decimal("0.01")

COMPUTED_SHORTFALL_PERCENT = 5
"""A computed figure may fall this far short of the rated one.

Makers compute with the cell's nominal voltage (3.6 to 3.85 V) while catalogs mostly assume 3.7 V, so the
rated figure on the label can be up to about 4 % higher than a computed one; 5 % leaves a margin.
"""


RATED_DEVIATION_PERCENT = 20
"""A rated figure that differs more than this from mAh times volts is probably a slip: it needs a reason."""


MOST_DIGITS = 30
"""The digits that a figure may have, and the zeros between them and its point. No record has so many."""


def check_figures(**figures: Decimal | None) -> None:
    """Refuse figures that are not plain numbers: `1E+999999999` would be written with a billion digits.

    Raises `ValueError`, which msgspec reports as a `ValidationError` with its place.
    """
    for name, figure in figures.items():
        if figure is not None and not is_plain(figure):
            raise ValueError(f"`{name}` is a number of at most {MOST_DIGITS} digits")


def is_plain(figure: Decimal) -> bool:
    """Return whether a figure is finite and has no more digits than `MOST_DIGITS`, however it is written."""
    _, digits, exponent = figure.as_tuple()
    return isinstance(exponent, int) and len(digits) <= MOST_DIGITS and abs(exponent) <= MOST_DIGITS


class Bound(NamedTuple):
    """A limit in common words: `inclusive` says whether `watt_hour` itself is within it."""

    watt_hour: Decimal
    inclusive: bool


def bound(highest: Decimal) -> Bound:
    """Return the limit for the highest figure within it.

    Figures are whole hundredths, so a limit of up to 99.99 Wh is the same as under 100 Wh. The rounder of the
    two is used: up to 160 Wh, and not under 160.01 Wh.
    """
    beyond = highest + HUNDREDTH
    if _decimals(beyond) < _decimals(highest):
        return Bound(_plain(beyond), inclusive=False)
    return Bound(_plain(highest), inclusive=True)


def _plain(figure: Decimal) -> Decimal:
    """Return a figure without zeros at its end: 100, not 100.00 or 1E+2."""
    return Decimal(f"{figure.normalize():f}")


def _decimals(figure: Decimal) -> int:
    return max(0, -int(figure.normalize().as_tuple().exponent))


def computed_watt_hour(capacity_mah: int, nominal_voltage: Decimal) -> Decimal:
    """Return milliampere-hours times volts as watt-hours, rounded up to a hundredth.

    Rounding up is the careful side: 99.996 Wh must not be read as proof of staying under 100 Wh.
    """
    return (capacity_mah * nominal_voltage / 1000).quantize(HUNDREDTH, rounding=ROUND_CEILING)


def rated_deviates(watt_hour: Decimal, capacity_mah: int, nominal_voltage: Decimal) -> bool:
    """Return whether a rated figure differs too much from mAh times volts to be saved without a reason."""
    computed = capacity_mah * nominal_voltage / 1000
    return abs(watt_hour - computed) * 100 > computed * RATED_DEVIATION_PERCENT


def hundredths(watt_hour: Decimal) -> int:
    """Return a watt-hour figure as whole hundredths, rounded up."""
    return int((watt_hour * 100).to_integral_value(rounding=ROUND_CEILING))


def highest_plausible(computed_hundredths: int) -> int:
    """Return the first hundredth above the highest rated figure of a computed one.

    A figure of 95.00 Wh gives 100.01 Wh: 95 Wh is the lowest computed figure that cannot prove a 100 Wh
    limit.
    """
    return computed_hundredths * 100 // (100 - COMPUTED_SHORTFALL_PERCENT) + 1
