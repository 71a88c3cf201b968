"""The energy of power banks as bars, above the limits that they meet, on one scale of watt-hours."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from aeo.drawing import svg
from aeo.drawing.energy_scale import SHARES, Scale

Kind = Literal["free", "approval", "refused", "silent"]
"""What is said of some figures; the class of their line."""

WIDTH = 360
LEFT, RIGHT, ROOM = 6, 354, 5
"""The ends of the scale, and the room beside a limit."""

LINE, TRACK = 17, 24
"""The heights of a line of text, and of a bar with the space around it."""

REACH = 8
"""How far the mark of a figure goes above and below a bar."""

NARROW, WIDE = 7.2, 13.5
"""The widths of most letters, and of letters as wide as they are high. No font is known here."""

BOLD = 1.1
"""How much wider bold letters are."""

SAMPLE = 24
"""The length of a line in the legend."""


class Amount(NamedTuple):
    """The energy of a unit in watt-hours: from `low`, as it is shown, to `high`, as it can be.

    Both are the same if the figure is exact, and both are None if it is unknown.
    """

    words: str
    low: Decimal | None
    high: Decimal | None


class Stretch(NamedTuple):
    """Figures that are treated alike: those beyond the stretch before, `until` a limit or without an end.

    `inclusive` says whether the limit itself belongs to it.
    """

    kind: Kind
    until: Decimal | None = None
    inclusive: bool = True


class Track(NamedTuple):
    """What some issuers say of all figures, and in a word what that means for the units."""

    names: Sequence[str]
    stretches: Sequence[Stretch]
    here: str = ""


def gauge(
    amounts: Sequence[Amount],
    tracks: Sequence[Track],
    *,
    label: str,
    figure: Callable[[Decimal], str],
    comma: str = ", ",
    legend: Sequence[tuple[Kind, str]] = (),
) -> str:
    """Return the picture: a bar for each amount, a track for each kind of limits, the scale, and a legend.

    Args:
        amounts: The energy of the units.
        tracks: What is said of all figures.
        label: What the picture shows, for screen readers.
        figure: Words a figure of the scale.
        comma: What is between two names.
        legend: What the lines mean.

    """
    limits = {one.until for track in tracks for one in track.stretches if one.until is not None}
    figures = {one for amount in amounts for one in amount[1:] if one is not None}
    scale = Scale(limits, figures, left=LEFT, right=RIGHT, room=ROOM)
    marks = sorted({*SHARES, *limits, scale.top})
    parts: list[str] = []
    y = 0.0
    for amount in amounts:
        lines = wrapped([amount.words], RIGHT - LEFT, comma)
        y += _text(parts, lines, y)
        parts += [_grid(scale, marks, y), *_amount(scale, amount, y + TRACK / 2), *_marks(scale, [amount], y)]
        y += TRACK
    for track in tracks:
        if track.here:
            parts.append(svg.words(track.here, RIGHT, y + 13, class_="here", text_anchor="end"))
        y += _text(parts, wrapped(track.names, RIGHT - LEFT - BOLD * wide(track.here) - WIDE, comma), y)
        parts += [_grid(scale, marks, y), *_track(scale, track, y + TRACK / 2), *_marks(scale, amounts, y)]
        y += TRACK
    parts += _figures(scale, limits, figure, y + 12)
    y += LINE
    y += _legend(parts, legend, y)
    return svg.picture(WIDTH, y, *parts, label=label, kind="gauge")


def wide(text: str) -> float:
    """Return about how wide a text is."""
    return sum(WIDE if unicodedata.east_asian_width(letter) in "WF" else NARROW for letter in text)


def wrapped(names: Sequence[str], width: float, comma: str) -> list[str]:
    """Break a list of names into lines: between names if that is enough, else inside them."""
    lines: list[str] = []
    for at, name in enumerate(names):
        piece = name if at == len(names) - 1 else name + comma
        if lines and wide(lines[-1] + piece.rstrip()) <= width:
            lines[-1] += piece
        else:
            lines += _broken(piece.rstrip(), width)
            lines[-1] += piece[len(piece.rstrip()) :]
    return [line.rstrip() for line in lines]


def _broken(text: str, width: float) -> Iterator[str]:
    """Yield a text in lines, broken at spaces; inside a word if it is too wide for a line."""
    line = ""
    for word in text.split(" "):
        if line and wide(f"{line} {word}") > width:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
        while wide(line) > width:
            fits = next(end for end in range(len(line), 0, -1) if end == 1 or wide(line[:end]) <= width)
            yield line[:fits]
            line = line[fits:]
    if line:
        yield line


def _text(parts: list[str], lines: Iterable[str], y: float) -> float:
    """Add lines of text, and return their height."""
    height = 0
    for line in lines:
        parts.append(svg.words(line, LEFT, y + height + 13))
        height += LINE
    return height


def _grid(scale: Scale, marks: Iterable[Decimal], y: float) -> str:
    """Return the lines of the marked figures across a bar."""
    drawn = "".join(f"M{svg.coordinate(scale.place(one))} {svg.coordinate(y)}v{TRACK}" for one in marks)
    return svg.element("path", class_="grid", d=drawn)


def _amount(scale: Scale, amount: Amount, y: float) -> Iterator[str]:
    """Yield the bar of a unit: up to its figure, and hatched as far as it can be higher or is not known."""
    if amount.low is None or amount.high is None:
        yield _line("unknown", LEFT, RIGHT, y)
        return
    yield _line("amount", LEFT, scale.place(amount.low), y)
    if amount.high != amount.low:
        yield _line("perhaps", scale.place(amount.low), scale.place(amount.high), y)


def _marks(scale: Scale, amounts: Iterable[Amount], y: float) -> Iterator[str]:
    """Yield the marks of figures across a bar; of an unknown one there is none."""
    for amount in amounts:
        if amount.low is not None and amount.high is not None:
            yield _mark("unit", scale.place(amount.low), y)
            if amount.high != amount.low:
                yield _mark("unit perhaps", scale.place(amount.high), y)


def _mark(kind: str, x: float, y: float) -> str:
    middle = y + TRACK / 2 - REACH
    return svg.element("path", class_=kind, d=f"M{svg.coordinate(x)} {svg.coordinate(middle)}v{2 * REACH}")


def _track(scale: Scale, track: Track, y: float) -> Iterator[str]:
    start: float = LEFT
    for one in track.stretches:
        end = RIGHT if one.until is None else scale.edge(one.until, inclusive=one.inclusive)
        yield _line(one.kind, start, end, y)
        start = end


def _line(kind: str, start: float, end: float, y: float) -> str:
    drawn = f"M{svg.coordinate(start)} {svg.coordinate(y)}H{svg.coordinate(end)}"
    return svg.element("path", class_=kind, d=drawn)


def _figures(
    scale: Scale, limits: Iterable[Decimal], figure: Callable[[Decimal], str], y: float
) -> Iterator[str]:
    """Yield the figures of the scale that have space, the best known ones first."""
    taken: list[tuple[float, float]] = []
    for one in dict.fromkeys([*reversed(SHARES), *sorted(limits), scale.top]):
        words, x = figure(one), scale.place(one)
        anchor = "end" if one == scale.top else "middle" if one else "start"
        start = x - wide(words) * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        end = start + wide(words)
        if all(end + NARROW < left or right + NARROW < start for left, right in taken):
            taken.append((start, end))
            yield svg.words(words, x, y, class_="figure", text_anchor=None if anchor == "start" else anchor)


def _legend(parts: list[str], legend: Iterable[tuple[Kind, str]], y: float) -> float:
    """Add what the lines mean, and return the height."""
    x, line = float(LEFT), 0
    for kind, words in legend:
        needed = SAMPLE + 6 + wide(words)
        if x > LEFT and x + needed > RIGHT:
            x, line = float(LEFT), line + 1
        at = y + LINE * line
        parts.append(_line(kind, x, x + SAMPLE, at + 9))
        parts.append(svg.words(words, x + SAMPLE + 6, at + 13, class_="figure"))
        x += needed + 12
    return LINE * (line + 1) if legend else 0
