"""The bar of a unit and its limits: what is drawn is what is known, in order, and the unknown is no point."""

import re
from decimal import Decimal
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from aeo.drawing.gauge import LEFT, RIGHT, Amount, Stretch, Track, gauge, wide, wrapped
from tests.aeo.drawing.test_svg import SVG, read

FIGURES = st.decimals(Decimal("0.01"), Decimal(1000), places=2)
ORDINARY = Track(
    ("Everyone",),
    (Stretch("free", Decimal(100)), Stretch("approval", Decimal(160)), Stretch("refused")),
    "within",
)
UNDER = Track(("Someone",), (Stretch("free", Decimal(100), inclusive=False), Stretch("refused")))


def drawn(amounts: list[Amount], *tracks: Track) -> dict[str, list[tuple[float, float]]]:
    """The lines of a picture by their class, each with the places where it begins and ends."""
    markup = gauge(amounts, tracks, label="A unit", figure=lambda figure: f"{figure} Wh")
    found: dict[str, list[tuple[float, float]]] = {}
    for path in read(markup).iter(f"{SVG}path"):
        shape = re.fullmatch(r"M([\d.]+) [\d.]+(?:H([\d.]+)|v[\d.]+)", path.attrib["d"])
        if shape is not None:
            ends = float(shape[1]), float(shape[2] or shape[1])
            found.setdefault(path.attrib["class"], []).append(ends)
    return found


def exact(figure: str | Decimal) -> Amount:
    return Amount("It", Decimal(figure), Decimal(figure))


@given(st.lists(FIGURES, min_size=2, max_size=4))
def test_bars_are_as_long_as_their_figures_are_high(figures: list[Decimal]) -> None:
    bars = [end for _, end in drawn([exact(figure) for figure in figures], ORDINARY)["amount"]]
    for (one, first), (other, second) in pairwise(sorted(zip(figures, bars, strict=True))):
        assert first <= second
        assert one != other or first == second


def test_a_unit_at_a_limit_is_at_its_line_and_within_it() -> None:
    lines = drawn([exact("100.0")], ORDINARY, UNDER)
    assert {start for start, _ in lines["unit"]} == {180}
    assert lines["amount"] == [(LEFT, 180)]
    including, excluding = (end for _, end in lines["free"])
    assert excluding < 180 < including


def test_a_unit_just_over_a_limit_is_drawn_beyond_it() -> None:
    lines = drawn([exact("100.01")], ORDINARY)
    (approval,) = lines["approval"]
    assert all(approval[0] < start < approval[1] for start, _ in lines["unit"])


def test_what_is_not_known_is_a_band_over_the_whole_scale_and_never_a_point() -> None:
    lines = drawn([Amount("It", None, None)], ORDINARY)
    assert lines["unknown"] == [(LEFT, RIGHT)]
    assert not {"unit", "unit perhaps", "amount", "perhaps"} & lines.keys()


@given(FIGURES, st.decimals(Decimal("0.01"), Decimal(50), places=2))
def test_a_figure_that_can_be_higher_is_a_band_from_what_is_shown(low: Decimal, more: Decimal) -> None:
    lines = drawn([Amount("It", low, low + more)], ORDINARY)
    ((start, end),) = lines["perhaps"]
    assert lines["amount"] == [(LEFT, start)]
    assert start <= end
    assert {x for x, _ in lines["unit perhaps"]} == {end}


def test_stretches_cover_the_scale_without_gaps() -> None:
    lines = drawn([exact("37")], ORDINARY)
    ends = [lines[kind][0] for kind in ("free", "approval", "refused")]
    assert ends[0][0] == LEFT
    assert ends[-1][1] == RIGHT
    assert all(one[1] == other[0] for one, other in pairwise(ends))


NAMES = st.lists(st.text(st.characters(codec="ascii", categories=["L"]), min_size=1, max_size=60), min_size=1)


@given(NAMES, st.sampled_from([", ", "、"]))
def test_names_are_broken_into_lines_that_fit_and_nothing_is_lost(names: list[str], comma: str) -> None:
    lines = wrapped(names, 200, comma)
    assert "".join(lines).replace(" ", "") == comma.strip().join(names)
    assert all(wide(line) <= 200 + wide(comma) for line in lines)


def test_a_picture_of_one_unit_is_small() -> None:
    markup = gauge([exact("74")], [ORDINARY], label="A unit", figure=lambda figure: f"{figure} Wh")
    assert len(markup) < 1500
