"""The picture for sharing a verdict page: its verdict as a word, a shape and a color, and its names.

It depends only on the given values, so the same values give the same bytes. The font comes with Pillow and
has Latin letters without accents, as tickets do. A name that cannot be written so, or does not fit, is
replaced by its id or code. Called by the view.
"""

import functools
import io
import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from rules.engine.vocabulary import Verdict

WIDTH, HEIGHT = 1200, 630
"""The usual size of share pictures, in pixels."""

MOST_LINES = 3
SIZES = (60, 54, 48, 42)
"""Sizes of the model's name, in pixels; the first that fits is used."""

MARGIN = 72
TEXT_WIDTH = WIDTH - 2 * MARGIN
SHAPE = 112
FINER = 4
"""Shapes are drawn so many times larger and then reduced, which smooths their edges."""

COLORS = 64
PAPER, INK, QUIET = "#fcfcfa", "#1c2430", "#566070"
VERDICT_COLORS: dict[Verdict, str] = {
    "allowed": "#1b6b3a",
    "conditional": "#8a5300",
    "insufficient": "#4a4f63",
    "banned": "#a3231f",
}
"""Dark enough on the paper to be read from a distance."""

NOT_A_LETTER = "\uffff"

Point = tuple[float, float]


class Name(NamedTuple):
    """A name, and the id or code that can replace it."""

    text: str
    code: str


class Picture(NamedTuple):
    """The contents of a picture."""

    verdict: Verdict
    word: str
    model: Name
    airline: Name
    country: Name
    ruleset_version: str


# Many readers request a shared picture at once, and it has 20 KB.
@functools.lru_cache(maxsize=256)
def draw(shown: Picture) -> bytes:
    """Return a picture as PNG."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    canvas = ImageDraw.Draw(image)
    color = VERDICT_COLORS[shown.verdict]
    canvas.rectangle((0, 0, WIDTH, 18), fill=color)
    image.paste(color, (MARGIN, 80), _shape(shown.verdict))
    canvas.text((MARGIN + SHAPE + 32, 136), shown.word, font=font(76), fill=color, anchor="lm")
    lines, size = _fitted(shown.model)
    for number, line in enumerate(lines):
        canvas.text((MARGIN, 232 + number * size * 1.2), line, font=font(size), fill=INK)
    flights = f"{_written(shown.airline)}, {_written(shown.country)}"
    for number, line in enumerate(_wrapped(flights, 40)):
        canvas.text((MARGIN, 466 + number * 46), line, font=font(40), fill=INK)
    origin = f"Ruleset {shown.ruleset_version} · Battery travel compliance · Informational and cited"
    canvas.text((MARGIN, 598), origin, font=font(26), fill=QUIET, anchor="ls")
    written = io.BytesIO()
    few = image.quantize(COLORS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(written, "PNG")
    return written.getvalue()


@functools.cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font in a size, in pixels."""
    loaded = ImageFont.load_default(size)
    if not isinstance(loaded, ImageFont.FreeTypeFont):
        raise RuntimeError("this Pillow was built without FreeType, so it has no font in other sizes")
    return loaded


@functools.lru_cache(maxsize=1024)
def has_letter(letter: str) -> bool:
    """Tell whether the font has a letter. Missing letters look like a letter that no font has."""
    return letter.isspace() or bytes(font(40).getmask(letter)) != bytes(font(40).getmask(NOT_A_LETTER))


def _written(name: Name) -> str:
    """Return a name in letters of the font: as it is, else without its accents, else its code."""
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKD", name.text) if not unicodedata.combining(letter)
    )
    return next((text for text in (name.text, plain) if all(map(has_letter, text))), name.code)


def _fitted(name: Name) -> tuple[list[str], int]:
    """Return a name in lines, and their size; its id if the name does not fit."""
    for size in SIZES:
        lines = _wrapped(_written(name), size)
        if len(lines) <= MOST_LINES:
            return lines, size
    return _wrapped(name.code, SIZES[-1]), SIZES[-1]


def _wrapped(text: str, size: int) -> list[str]:
    """Break a text after words and hyphens, so that each line fits."""
    lines = [""]
    for piece in re.findall(r"[^\s-]*-?\s*", text):
        if font(size).getlength((lines[-1] + piece).rstrip()) > TEXT_WIDTH:
            lines.append("")
        lines[-1] += piece
    return [line.strip() for line in lines]


def _shape(verdict: Verdict) -> Image.Image:
    """Return the shape of a verdict as a mask. The shapes differ even without colors."""
    side = SHAPE * FINER
    mask = Image.new("L", (side, side))
    pen = ImageDraw.Draw(mask)
    stroke = side // 9
    if verdict == "allowed":
        pen.ellipse((0, 0, side, side), fill=255)
        pen.line(
            _scaled(side, [(0.26, 0.53), (0.44, 0.7), (0.75, 0.33)]), fill=0, width=stroke, joint="curve"
        )
    elif verdict == "conditional":
        pen.polygon(_scaled(side, [(0.5, 0.03), (1, 0.95), (0, 0.95)]), fill=255)
        pen.line(_scaled(side, [(0.5, 0.36), (0.5, 0.67)]), fill=0, width=stroke)
        pen.ellipse(_box(side, 0.5, 0.81, 0.06), fill=0)
    elif verdict == "insufficient":
        pen.rounded_rectangle((0, 0, side, side), radius=side // 6, fill=255)
        for across in (0.25, 0.5, 0.75):
            pen.ellipse(_box(side, across, 0.5, 0.085), fill=0)
    else:
        corner = 0.293
        pen.polygon(
            _scaled(
                side,
                [
                    (corner, 0),
                    (1 - corner, 0),
                    (1, corner),
                    (1, 1 - corner),
                    (1 - corner, 1),
                    (corner, 1),
                    (0, 1 - corner),
                    (0, corner),
                ],
            ),
            fill=255,
        )
        pen.rectangle((side * 0.2, side * 0.42, side * 0.8, side * 0.58), fill=0)
    return mask.resize((SHAPE, SHAPE), Image.Resampling.LANCZOS)


def _scaled(side: int, points: Sequence[Point]) -> list[Point]:
    return [(across * side, down * side) for across, down in points]


def _box(side: int, across: float, down: float, radius: float) -> tuple[float, float, float, float]:
    left, top, reach = across * side, down * side, radius * side
    return (left - reach, top - reach, left + reach, top + reach)
