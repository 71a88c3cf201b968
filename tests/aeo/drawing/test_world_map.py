"""Maps as pictures: a country with a mark is a link, one without is only drawn."""

import re

from aeo.drawing.world_map import MARKS, Area, Dot, legend, overview, region

SHAPES = {"AA": "M0,0l9,0 0,9z", "BB": "M20,0l9,0 0,9z"}
DOTS = {"CC": Dot(50, 50, 10, 10), "DD": Dot(80, 80, 80, 80), "BB": Dot(24, 24, 22, 22)}


def test_a_country_with_a_mark_is_a_link_and_dots_come_last() -> None:
    areas = {
        code: Area(number, f"/{code}", f"{code} & more") for number, code in enumerate(("BB", "AA", "CC"))
    }
    svg = region((100, 100), SHAPES, DOTS, areas, label="all")
    assert re.findall(r'<a href="/(\w+)"', svg) == ["AA", "BB", "CC"]
    assert 'aria-label="AA &amp; more"' in svg
    # Far from its place, a dot has a line to it.
    assert svg.count("leader") == 1
    assert svg.count('class="land"') == 1


def test_the_overview_is_one_image_with_the_patterns_of_all_marks() -> None:
    svg = overview((100, 50), SHAPES, {"CC": (1, 2), "DD": (3, 4)}, {"AA": 1, "CC": 0}, label="all")
    assert 'role="img"' in svg
    assert set(re.findall(r'id="mark-(\d)"', svg)) == {str(number) for number in range(1, MARKS)}
    assert svg.count("<circle") == 1


def test_the_legend_has_a_row_for_each_mark() -> None:
    long = " ".join(["unknown"] * 9)
    svg = legend([(0, "up to 100 Wh: 3"), (None, long)], label="all")
    first, *others = re.findall(r">([^<]+)</tspan>", svg)
    assert (first, " ".join(others)) == ("up to 100 Wh: 3", long)
    assert len(others) == 2
    assert 'class="land"' in svg
