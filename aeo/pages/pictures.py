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
from decimal import Decimal
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from aeo.drawing.energy_scale import Scale
from aeo.drawing.gauge import Kind, Stretch
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

ASKED = "One unit in a cabin bag"
ON_CONDITIONS = f"{ASKED};\nsee the conditions on its page"
RECALLED = f"{ASKED};\nits model is under recall"
"""What the verdict is about. A picture is shared without its page, which has the conditions."""

BAR_TOP, BAR_HEIGHT, TRACK_HEIGHT = 528, 16, 12
"""The bar of the unit, and the track of the limits below it."""

LINE_COLORS: dict[Kind, str] = {
    "free": VERDICT_COLORS["allowed"],
    "approval": VERDICT_COLORS["conditional"],
    "refused": VERDICT_COLORS["banned"],
    "silent": VERDICT_COLORS["insufficient"],
}
STRIPE = 8
"""The width of a stripe, in pixels."""

SCALE = Decimal(100), Decimal(160)
"""The figures below the scale: the limits of the international baseline."""

NOT_A_LETTER = "\uffff"

Point = tuple[float, float]


class Name(NamedTuple):
    """A name, and the id or code that can replace it."""

    text: str
    code: str


class Energy(NamedTuple):
    """The energy of a unit, from `low` to `high` watt-hours or unknown, and the strictest limits in play.

    `words` is the figure, in Latin letters.
    """

    words: str

    low: Decimal | None
    high: Decimal | None
    limits: tuple[Stretch, ...]


class Picture(NamedTuple):
    """The contents of a picture."""

    verdict: Verdict
    word: str
    recalled: bool
    model: Name
    airline: Name
    country: Name
    energy: Energy
    ruleset_version: str


# Many readers request a shared picture at once, and it has 20 KB.
@functools.lru_cache(maxsize=256)
def draw(shown: Picture) -> bytes:
    """Return a picture as PNG."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    canvas = ImageDraw.Draw(image)
    color = VERDICT_COLORS[shown.verdict]
    canvas.rectangle((0, 0, WIDTH, 18), fill=color)
    image.paste(color, (MARGIN, 50), _shape(shown.verdict))
    canvas.text((MARGIN + SHAPE + 32, 106), shown.word, font=font(76), fill=color, anchor="lm")
    canvas.text((WIDTH - MARGIN, 106), _about(shown), font=font(28), fill=QUIET, anchor="rm", align="right")
    lines, size = _fitted(shown.model)
    for number, line in enumerate(lines):
        canvas.text((MARGIN, 186 + number * size * 1.2), line, font=font(size), fill=INK)
    flights = f"{_written(shown.airline)}, {_written(shown.country)}"
    for number, line in enumerate(_wrapped(flights, 40)):
        canvas.text((MARGIN, 412 + number * 46), line, font=font(40), fill=INK)
    _draw_energy(canvas, shown.energy)
    origin = f"Ruleset {shown.ruleset_version} · Battery travel compliance · Informational and cited"
    canvas.text((MARGIN, 616), origin, font=font(24), fill=QUIET, anchor="ls")
    written = io.BytesIO()
    few = image.quantize(COLORS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(written, "PNG")
    return written.getvalue()


def _about(shown: Picture) -> str:
    """Return what the verdict is about, and what a reader must not miss."""
    if shown.recalled:
        return RECALLED
    return ON_CONDITIONS if shown.verdict in {"allowed", "conditional"} else ASKED


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


def _draw_energy(canvas: ImageDraw.ImageDraw, energy: Energy) -> None:
    """Draw the unit as a bar above its limits. An unknown figure is stripes all the way, and no bar."""
    limits = {one.until for one in energy.limits if one.until is not None}
    figures = [figure for figure in (energy.low, energy.high) if figure is not None]
    scale = Scale(limits, figures, left=MARGIN, right=WIDTH - MARGIN, room=10)
    if energy.low is None or energy.high is None:
        _striped(canvas, MARGIN, WIDTH - MARGIN, BAR_TOP, BAR_HEIGHT, QUIET)
    else:
        low, high = scale.place(energy.low), scale.place(energy.high)
        canvas.rectangle((MARGIN, BAR_TOP, low, BAR_TOP + BAR_HEIGHT - 1), fill=INK)
        _striped(canvas, low, high, BAR_TOP, BAR_HEIGHT, INK)
    canvas.text((MARGIN, BAR_TOP - 8), energy.words, font=font(24), fill=INK, anchor="ls")
    start, top = float(MARGIN), BAR_TOP + BAR_HEIGHT + 4
    for one in energy.limits:
        end = WIDTH - MARGIN if one.until is None else scale.edge(one.until, inclusive=one.inclusive)
        color = LINE_COLORS[one.kind]
        if one.kind == "free":
            canvas.rectangle((start, top, end, top + TRACK_HEIGHT - 1), fill=color)
        elif one.kind == "refused":
            canvas.rectangle((start, top + 4, end, top + 7), fill=color)
        else:
            _striped(canvas, start, end, top, TRACK_HEIGHT, color)
        start = end
    for figure in SCALE:
        at = scale.place(figure)
        canvas.line((at, BAR_TOP - 6, at, top + TRACK_HEIGHT + 4), fill=INK, width=2)
        canvas.text((at, top + TRACK_HEIGHT + 4), f"{figure} Wh", font=font(22), fill=QUIET, anchor="ma")


def _striped(
    canvas: ImageDraw.ImageDraw, start: float, end: float, top: int, height: int, color: str
) -> None:
    """Fill a part of a bar with upright stripes."""
    at = start
    while at < end:
        canvas.rectangle((at, top, min(at + STRIPE / 2, end), top + height - 1), fill=color)
        at += STRIPE


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
