"""Stacked bars and columns: what is drawn is as large as its number, and every number is said."""

from collections.abc import Sequence
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aeo.drawing.columns import Column, columns
from aeo.drawing.fillings import LEAST, sizes
from aeo.drawing.stacked import WIDTH, Bar, stacked
from tests.aeo.drawing.test_svg import SVG, TEXTS, read

PARTS = ["Fresh", "Due", "Overdue"]
VALUES = st.lists(st.integers(0, 10**6), min_size=3, max_size=3)


def rects(whole: ElementTree.Element) -> list[dict[str, str]]:
    """Return what is drawn of values, without the key: each is in a group with its title."""
    return [group.find(f"{SVG}rect").attrib for group in whole.iter(f"{SVG}g")]  # type: ignore[union-attr]


def titles(whole: ElementTree.Element) -> list[str | None]:
    return [one.text for one in whole.iter(f"{SVG}title")]


@given(st.lists(VALUES, min_size=1, max_size=8))
def test_bars_are_as_long_as_their_numbers_and_say_them(rows: list[list[int]]) -> None:
    bars = [Bar(f"row {place}", values) for place, values in enumerate(rows)]
    whole = read(stacked("Evidence", PARTS, bars, number=str))
    expected = [
        f"{part}: {value}" for bar in bars for part, value in zip(PARTS, bar.values, strict=True) if value
    ]
    assert titles(whole) == expected
    longest = max(map(sum, rows))
    drawn = iter(rects(whole))
    for values in rows:
        widths = [float(next(drawn)["width"]) for value in values if value]
        assert sum(widths) == pytest.approx(sum(values) * WIDTH / longest if longest else 0, abs=0.1)


@given(VALUES, st.integers(1, 4))
def test_a_part_that_is_not_zero_can_be_seen_and_none_is_out_of_order(values: list[int], more: int) -> None:
    whole = sum(values) * more
    found = sizes(values, whole, WIDTH)
    assert sum(found) == pytest.approx(sum(values) * WIDTH / whole if whole else 0)
    for value, size in zip(values, found, strict=True):
        assert (size > 0) == (value > 0)
        assert not value or size >= LEAST - 1e-9 or sum(found) < 3 * LEAST


@given(st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 50)), max_size=12))
def test_columns_stand_on_one_floor_and_the_highest_value_is_at_the_axis(rows: list[tuple[int, int]]) -> None:
    drawn = [Column(f"2026-11-{place + 1:02}", values, "yes") for place, values in enumerate(rows)]
    whole = read(columns("Releases", ["As expected", "Differently"], drawn, {"yes": "Proved"}, number=str))
    assert titles(whole) == [
        f"{one.name}, As expected: {one.values[0]}, Differently: {one.values[1]}" for one in drawn
    ]
    texts = [one.text for one in whole.iter(f"{SVG}text")]
    assert str(max(map(sum, rows), default=0)) in texts
    highest = 0.0
    for group in whole.iter(f"{SVG}g"):
        heights = [float(rect.attrib["height"]) for rect in group.iter(f"{SVG}rect")]
        lowest = max(
            (float(rect.attrib["y"]) + float(rect.attrib["height"]) for rect in group.iter(f"{SVG}rect")),
            default=132,
        )
        assert lowest == pytest.approx(132, abs=0.03)
        highest = max(highest, sum(heights))
    assert highest == pytest.approx(120 if any(map(sum, rows)) else 0, abs=0.1)


@pytest.mark.parametrize(
    ("names", "named"),
    [
        ([], []),
        (["a"], ["a"]),
        (["a", "b", "c"], ["a", "b", "c"]),
        (["a", "b", "c", "d", "e"], ["a", "e"]),
    ],
)
def test_a_few_columns_are_all_named_and_of_many_the_ends(names: list[str], named: Sequence[str]) -> None:
    drawn = [Column(name, (1, 0), "unknown") for name in names]
    whole = read(columns("", ["x", "y"], drawn, {"unknown": "Not proved"}, number=str))
    texts = [one.text for one in whole.iter(f"{SVG}text")]
    assert [text for text in texts if text in names] == named
    assert ("Not proved" in texts) == bool(names)


@given(TEXTS)
def test_no_word_becomes_markup(said: str) -> None:
    bars = read(stacked(said, [said], [Bar(said, [1])], number=str))
    plot = read(columns(said, [said], [Column(said, [1], "no")], {"no": said}, number=str))
    assert {one.tag for one in (*bars.iter(), *plot.iter())} == {
        f"{SVG}{name}" for name in ("svg", "g", "title", "rect", "path", "text")
    }
