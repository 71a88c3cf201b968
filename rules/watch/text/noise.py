"""What a page says about itself and not about batteries: the day of an update, numbers of readers, cookies.

There are two kinds. Some words are removed anywhere, because they can mean nothing else: "Last updated: 3
June 2026", the years after ©, the number of a session. Some lines are removed as a whole, because they say
nothing else: "1,204 views", "Share this page", "We use cookies …". A line about batteries is never removed as
a whole. A day is removed only if a word next to it says that it is the day of an update: "From 1 March 2027"
stays. A dash at the start of a line is the bullet of a list. So a sentence that is wrapped before a dash
counts as changed, which an editor then sees.
"""

import re

from rules.watch.text.batteries import gives_a_limit, speaks_of_batteries
from rules.watch.text.noise_words import (
    DATE_LINE,
    IN_EFFECT,
    LABEL_LINE,
    NOISE_LINE,
    NUMBERS,
    OWNER_LINE,
    STAMP,
    STAMP_LINE,
    TODAY_LINE,
    YEARS,
)

_BULLET = re.compile("^(?: ?[\u2022\u25e6\u25aa\u2023\u2219\u00b7\u25ba\u25b6\uf0b7\uf0a7](?= |$)| ?[*-] )+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?: ?- ?(?:19|20)\d{2})?(?!\d)")
_SPACES = re.compile(r"\s+")
_LONGEST = 600
_EDGE = 3


def without_noise(lines: list[str]) -> list[str]:
    """Return for each folded line what it says apart from noise: the line, a part of it, or nothing."""
    said = [_said(line) for line in lines]
    for position in range(1, len(said)):
        # "Last updated" in one line, the day in the next.
        if LABEL_LINE.fullmatch(said[position - 1]) and DATE_LINE.fullmatch(said[position]):
            said[position] = ""
    said = ["" if LABEL_LINE.fullmatch(line) else line for line in said]
    for position in _edges(said):
        if _is_today(said, position):
            said[position] = ""
    return said


def _said(line: str) -> str:
    line = _BULLET.sub("", _SPACES.sub(" ", line)).strip()
    if not line:
        return ""
    line = NUMBERS.sub("", YEARS.sub("©", STAMP.sub("", line))).strip()
    if len(line) > _LONGEST or gives_a_limit(line) or speaks_of_batteries(line):
        return line
    if STAMP_LINE.fullmatch(line) or NOISE_LINE.fullmatch(line):
        return ""
    return _YEAR.sub("", line).strip() if OWNER_LINE.fullmatch(line) else line


def _edges(said: list[str]) -> list[int]:
    """The first and last lines that say something: where a site prints the day of today."""
    spoken = [position for position, line in enumerate(said) if line]
    return sorted({*spoken[:_EDGE], *spoken[-_EDGE:]})


def _is_today(said: list[str], position: int) -> bool:
    line = said[position]
    if not (DATE_LINE.fullmatch(line) and TODAY_LINE.fullmatch(line)):
        return False
    above = next((said[before] for before in range(position - 1, -1, -1) if said[before]), "")
    return not IN_EFFECT.search(above)
