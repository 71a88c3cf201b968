"""How a frame may look: whatever a partner chooses, it can be read."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compliance.channels.embed import themes
from compliance.channels.embed.themes import DARK, LIGHT, Theme, contrast

AA, AA_OF_SHAPES = 4.5, 3.0

ON_PAPER = ("ink", "quiet", "link", "allowed", "conditional", "insufficient", "banned")
VERDICTS = ("allowed", "conditional", "insufficient", "banned")


@given(st.integers(0, 0xFFFFFF))
def test_the_words_on_any_accent_can_be_read(number: int) -> None:
    sheet = themes.style_sheet(Theme(accent=f"{number:06x}"))
    pairs = re.findall(r"--accent:(#\w{6});--accent-ink:(#\w{6})", sheet)
    assert len(pairs) == 2
    for surface, ink in pairs:
        assert contrast(surface, ink) >= AA


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_everything_else_can_be_read_in_light_and_dark(palette: dict[str, str]) -> None:
    for name in ON_PAPER:
        assert contrast(palette[name], palette["paper"]) >= AA, name
    for verdict in VERDICTS:
        assert contrast(palette[verdict], palette[f"{verdict}-soft"]) >= AA, verdict
        assert contrast(palette["ink"], palette[f"{verdict}-soft"]) >= AA, verdict
    assert contrast(palette["accent"], palette["accent-ink"]) >= AA
    assert contrast(palette["field"], palette["paper"]) >= AA_OF_SHAPES
    assert LIGHT.keys() == DARK.keys()


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)
    assert contrast("#123456", "#123456") == 1


@given(st.dictionaries(st.sampled_from(["accent", "round", "scheme"]), st.text(max_size=20)))
def test_nothing_but_what_is_offered_reaches_a_style_sheet(chosen: dict[str, str]) -> None:
    sheet = themes.style_sheet(themes.read(chosen))
    color = r"--[a-z-]+:#[0-9a-f]{6}"
    shape = r"color-scheme:(light dark|light|dark);--round:[0-9]{1,2}px"
    dark = rf"@media \(prefers-color-scheme:dark\){{:root{{{color}(;{color})+}}}}"
    assert re.fullmatch(rf":root{{{shape}(;{color})+}}({dark})?", sheet)


@pytest.mark.parametrize(
    ("chosen", "theme"),
    [
        ({}, Theme()),
        ({"accent": "#C8102E", "round": "0", "scheme": "dark"}, Theme("c8102e", 0, "dark")),
        ({"accent": "c8102e"}, Theme("c8102e")),
        ({"accent": "red", "round": "25", "scheme": "sepia"}, Theme()),
        ({"accent": "#c8102", "round": "-1"}, Theme()),
        ({"accent": "c8102e;}*{display:none", "round": "1px"}, Theme()),
        ({"round": "٣"}, Theme()),
    ],
)
def test_a_choice_that_is_not_offered_counts_as_not_made(chosen: dict[str, str], theme: Theme) -> None:
    assert themes.read(chosen) == theme


@given(
    st.builds(
        Theme,
        accent=st.just("") | st.integers(0, 0xFFFFFF).map("{:06x}".format),
        round=st.integers(0, themes.MOST_ROUND),
        scheme=st.sampled_from(themes.SCHEMES),
    )
)
def test_an_address_keeps_a_theme(theme: Theme) -> None:
    assert themes.read(theme.parameters) == theme


def test_what_is_usual_stands_in_no_address() -> None:
    assert Theme().parameters == {}
