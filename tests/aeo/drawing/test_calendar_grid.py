"""A calendar as a picture: years without anything are three dots, and today has its place."""

import datetime
import re
from xml.etree import ElementTree

import pytest

from aeo.drawing.calendar_grid import MINUS, WIDTH, Count, calendar_grid

MONTHS = [str(number) for number in range(1, 13)]


def grid(counts: dict[tuple[int, int], Count], today: datetime.date) -> str:
    return calendar_grid(
        counts, today, label="all", months=MONTHS, today_word="now", year_word=lambda year: f"y{year}"
    )


def count(starts: int, ends: int) -> Count:
    return Count(starts, ends, f"#{starts}-{ends}", f"{starts} and {ends}")


def test_a_month_says_its_counts_and_leads_to_its_rules() -> None:
    svg = grid(
        {(2026, 3): count(3, 0), (2027, 12): count(0, 1), (2027, 1): count(2, 5)}, datetime.date(2026, 11, 28)
    )
    links = {
        link.attrib["href"]: [text.text for text in link.iter("text")]
        for link in ElementTree.fromstring(svg).iter("a")
    }
    assert links == {"#3-0": ["+3"], "#0-1": [f"{MINUS}1"], "#2-5": ["+2", f"{MINUS}5"]}
    assert svg.count("coming") == 2


@pytest.mark.parametrize(("last", "gaps"), [(2015, 0), (2016, 1), (2026, 1)])
def test_dots_stand_for_years_without_anything_and_name_none(last: int, gaps: int) -> None:
    svg = grid({(2014, 8): count(9, 0), (last, 1): count(1, 0)}, datetime.date(last, 11, 28))
    assert re.findall(r">y(\d+)<", svg) == ["2014", str(last)]
    assert svg.count('class="grid-gap"') == gaps


@pytest.mark.parametrize(
    "today", [datetime.date(2026, 1, 1), datetime.date(2026, 12, 31), datetime.date(2028, 2, 29)]
)
def test_today_is_within_the_picture_even_in_a_year_without_anything(today: datetime.date) -> None:
    svg = grid({(2026, 1): count(1, 0)}, today)
    (x,) = re.findall(r'class="grid-today" d="M([\d.]+) ', svg)
    assert 0 <= float(x) <= WIDTH
    assert ">now<" in svg


def test_every_month_is_large_enough_for_a_finger_on_a_screen_of_320_pixels() -> None:
    svg = grid({(2026, 1): count(1, 0)}, datetime.date(2026, 1, 1))
    ((width, height),) = re.findall(r'class="finger"[^>]* width="([\d.]+)" height="([\d.]+)"', svg)
    # The page has a margin of 16 on each side.
    assert min(float(width), float(height)) * (320 - 32) / WIDTH >= 24
