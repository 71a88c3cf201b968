"""Share pictures show the verdict as a word, a shape and a color, and are the same for the same values."""

import io
import re
from decimal import Decimal

import pytest
from django.test import Client
from PIL import Image

from aeo.drawing.gauge import Stretch
from aeo.pages import pictures
from aeo.pages.pictures import (
    BAR_HEIGHT,
    BAR_TOP,
    HEIGHT,
    MARGIN,
    VERDICT_COLORS,
    WIDTH,
    Energy,
    Name,
    Picture,
    draw,
    has_letter,
)
from rules.engine.vocabulary import Verdict
from tests.support import starter

PATH = "/p/anker-a1263/ca/cn"

ORDINARY = Picture(
    "banned",
    "Banned",
    False,
    Name("Anker PowerCore 10000", "anker-a1263"),
    Name("Air China", "CA"),
    Name("China", "CN"),
    Energy(
        "37 Wh, rated",
        Decimal(37),
        Decimal(37),
        (Stretch("free", Decimal(100)), Stretch("approval", Decimal(160)), Stretch("refused")),
    ),
    "2026-11-20",
)


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def colors(png: bytes) -> set[tuple[int, ...]]:
    found = opened(png).convert("RGB").getcolors(maxcolors=WIDTH * HEIGHT)
    assert found is not None
    return {color for _, color in found if isinstance(color, tuple)}


def grays(png: bytes) -> bytes:
    return opened(png).convert("L").point(lambda level: 255 if level > 200 else 0).tobytes()


@pytest.mark.usefixtures("pages", "now")
def test_a_page_names_its_picture_and_the_picture_is_there() -> None:
    page = Client(headers={"accept": "text/html"}).get(PATH).content.decode()
    found = re.search(r'<meta property="og:image" content="http://127\.0\.0\.1:8000([^"]*)">', page)
    assert found is not None
    answer = Client().get(found[1])
    assert (found[1], answer.status_code, answer["Content-Type"]) == (f"{PATH}.png", 200, "image/png")
    assert opened(answer.content).size == (1200, 630)
    assert len(answer.content) < 60_000
    assert answer["Cache-Control"] == "public, max-age=300, stale-if-error=3600"


@pytest.mark.usefixtures("pages", "now")
def test_who_holds_a_picture_gets_304_and_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Client().get(f"{PATH}.png")
    monkeypatch.setattr(pictures, "draw", None)
    monkeypatch.setattr("rules.verdicts.answer_from", None)
    answer = Client().get(f"{PATH}.png", headers={"if-none-match": first["ETag"]})
    assert (answer.status_code, answer.content) == (304, b"")


@pytest.mark.usefixtures("pages", "now")
def test_other_spellings_and_what_is_not_known() -> None:
    answer = Client().get("/p/anker-a1263/CA/cn.png")
    assert (answer.status_code, answer["Location"]) == (301, f"{PATH}.png")
    assert Client().get("/p/anker-a1263/zz/cn.png").status_code == 404


def test_the_same_values_give_the_same_bytes() -> None:
    once = draw(ORDINARY)
    draw.cache_clear()
    assert draw(ORDINARY) == once
    assert draw(ORDINARY._replace(ruleset_version="2026-11-21")) != once


def test_each_verdict_has_a_color_and_a_shape_of_its_own() -> None:
    verdicts: list[Verdict] = ["allowed", "conditional", "insufficient", "banned"]
    drawn = [draw(ORDINARY._replace(verdict=verdict, word="")) for verdict in verdicts]
    for verdict, png in zip(verdicts, drawn, strict=True):
        wanted = tuple(bytes.fromhex(VERDICT_COLORS[verdict][1:]))
        assert min(max(abs(a - b) for a, b in zip(wanted, color, strict=True)) for color in colors(png)) <= 8
    # Without color and without word, the shapes still differ.
    assert len({grays(png) for png in drawn}) == 4


def test_every_name_of_the_starter_corpus_can_be_written() -> None:
    content = starter.starter_content()
    names = [
        *(Name(f"{device.brand} {device.model_name}", device.model_id) for device in content.devices),
        *(Name(airline.name, airline.airline) for airline in content.airlines),
        *(Name(country.name, country.code) for country in content.countries),
    ]
    for name in names:
        written = pictures._written(name)
        assert all(map(has_letter, written))
        assert written != name.code, name
    for device in content.devices:
        lines, _ = pictures._fitted(Name(f"{device.brand} {device.model_name}", device.model_id))
        assert len(lines) <= pictures.MOST_LINES


def test_a_name_that_the_font_cannot_write_or_that_finds_no_room_is_shown_by_its_id() -> None:
    assert not has_letter("小")
    chinese = draw(ORDINARY._replace(model=Name("小米 10000", "xiaomi-10000")))
    assert chinese == draw(ORDINARY._replace(model=Name("xiaomi-10000", "xiaomi-10000")))
    long = Name("A power bank " * 30, "a-power-bank-with-a-long-name")
    assert "".join(pictures._fitted(long)[0]) == long.code
    accents = draw(ORDINARY._replace(airline=Name("Aerolíneas Argentinas", "AR")))
    assert accents == draw(ORDINARY._replace(airline=Name("Aerolineas Argentinas", "AR")))


def bar(low: str | None, high: str | None = None) -> list[bool]:
    """Tell for each pixel from left to right whether the bar of a unit is drawn there."""
    figures = [None if figure is None else Decimal(figure) for figure in (low, high or low)]
    shown = ORDINARY.energy._replace(low=figures[0], high=figures[1])
    image = opened(draw(ORDINARY._replace(energy=shown))).convert("L")
    y = BAR_TOP + BAR_HEIGHT // 2
    row = image.crop((MARGIN, y, WIDTH - MARGIN, y + 1)).tobytes()
    return [level < 150 for level in row]


def test_a_higher_figure_has_a_longer_bar_and_a_unit_at_a_limit_ends_at_its_line() -> None:
    # The lines of 100 and 160 Wh cross the bar.
    lengths = [bar(figure).index(False) for figure in ("37", "74", "99.9", "100", "100.01", "155.4")]
    assert lengths == sorted(lengths)
    assert abs(lengths[3] - (WIDTH - 2 * MARGIN) / 2) <= 2
    assert lengths[4] > lengths[3] + 5


def test_an_unknown_figure_is_striped_over_the_whole_scale() -> None:
    unknown = bar(None)
    parts = [sum(unknown[start : start + 176]) for start in range(0, len(unknown), 176)]
    assert all(50 < part < 150 for part in parts)
    assert sum(bar("37", "39")) < sum(bar("39"))
