"""The style of a frame: the partner's choices, and the colors that follow from them. Pure.

An unknown choice is ignored. With every choice, text keeps the contrast of WCAG 2.2 (AA): the partner's
accent sets only the surface; the color of the text on it is computed.
"""

import re
from collections.abc import Mapping
from typing import Literal, get_args

import msgspec
from django.http import QueryDict

Scheme = Literal["auto", "light", "dark"]
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)

MOST_ROUND = 24
USUAL_ROUND = 10

LIGHT = {
    "ink": "#16212c",
    "quiet": "#505c69",
    "paper": "#ffffff",
    "line": "#d5dbe0",
    "field": "#7b8894",
    "accent": "#0f5c6e",
    "accent-ink": "#ffffff",
    "link": "#0b5580",
    "allowed": "#17643a",
    "allowed-soft": "#e6f4ea",
    "conditional": "#7d4a00",
    "conditional-soft": "#fdf1db",
    "insufficient": "#434a68",
    "insufficient-soft": "#ebedf5",
    "banned": "#9c1f1b",
    "banned-soft": "#fceae8",
}
DARK = {
    "ink": "#e9edf0",
    "quiet": "#a9b4bf",
    "paper": "#1a2229",
    "line": "#35414b",
    "field": "#83919e",
    "accent": "#6cc5d8",
    "accent-ink": "#06222a",
    "link": "#8ecbf2",
    "allowed": "#82d9a5",
    "allowed-soft": "#14301f",
    "conditional": "#f3bf66",
    "conditional-soft": "#35280f",
    "insufficient": "#bdc5e4",
    "insufficient-soft": "#232941",
    "banned": "#ffa49c",
    "banned-soft": "#3e1916",
}
"""The colors of the site, which `site.css` has too."""

_ACCENT = re.compile(r"#?([0-9a-fA-F]{6})")
_ROUND = re.compile(r"[0-9]{1,2}")


class Theme(msgspec.Struct, frozen=True):
    """The choices of a partner: `accent` as six hex digits or empty, `round` in CSS pixels."""

    accent: str = ""
    round: int = USUAL_ROUND
    scheme: Scheme = "auto"

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of its address: all choices that are not the default."""
        usual = Theme()
        said = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: str(value) for name, value in said.items() if value != getattr(usual, name)}

    @property
    def color_scheme(self) -> str:
        """The scheme as CSS writes it."""
        return "light dark" if self.scheme == "auto" else self.scheme


def read(parameters: Mapping[str, str]) -> Theme:
    """Return the theme that the parameters of an address ask for."""
    accent = _ACCENT.fullmatch(parameters.get("accent", ""))
    corner = parameters.get("round", "")
    return Theme(
        accent=accent[1].lower() if accent else "",
        round=int(corner) if _ROUND.fullmatch(corner) and int(corner) <= MOST_ROUND else USUAL_ROUND,
        scheme=next((one for one in SCHEMES if one == parameters.get("scheme")), "auto"),
    )


def without_theme(parameters: QueryDict) -> QueryDict:
    """Return the parameters of an address without those of the theme, which ask nothing."""
    question = parameters.copy()
    for name in Theme.__struct_fields__:
        question.pop(name, None)
    return question


def style_sheet(theme: Theme) -> str:
    """Return the style sheet of a theme: values for the names that `embed.css` uses."""
    first = DARK if theme.scheme == "dark" else LIGHT
    fixed = {"color-scheme": theme.color_scheme, "--round": f"{theme.round}px"}
    sheet = _root(fixed | _colors(first, theme))
    if theme.scheme == "auto":
        sheet += f"@media (prefers-color-scheme:dark){{{_root(_colors(DARK, theme))}}}"
    return sheet


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors such as `#0f5c6e` by WCAG, from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _colors(palette: Mapping[str, str], theme: Theme) -> dict[str, str]:
    chosen = dict(palette)
    if theme.accent:
        accent = f"#{theme.accent}"
        chosen |= {
            "accent": accent,
            "accent-ink": max(("#ffffff", "#000000"), key=lambda ink: contrast(ink, accent)),
        }
    return {f"--{name}": color for name, color in chosen.items()}


def _root(values: Mapping[str, str]) -> str:
    return f":root{{{';'.join(f'{name}:{value}' for name, value in values.items())}}}"


def _luminance(color: str) -> float:
    parts = (int(color[start : start + 2], 16) / 255 for start in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
