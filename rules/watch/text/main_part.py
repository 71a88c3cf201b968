"""Which lines of a page are its own text.

Left out: what stands in a menu, banner or footer, and runs of links beside the main part. Kept in spite of
that: every line that gives a figure of energy, and every sentence about batteries, wherever a page puts it.
Losing a limit is worse than reading a line too many.
"""

from collections.abc import Sequence
from itertools import groupby

from rules.watch.text.batteries import gives_a_limit, speaks_of_batteries
from rules.watch.text.lines import Line

_NOTHING = 20
"""So few characters are no page."""

_MENU = 4
"""So many lines in a row that are nothing but links are a menu."""


def main_lines(lines: Sequence[Line]) -> list[str]:
    """Return the words of the lines that belong to the page's text, in their order."""
    kept: list[str] = []
    # A page that calls itself one big banner has its text there.
    if sum(len(line.text) for line in lines if not line.in_chrome) < _NOTHING:
        return [line.text for line in lines]
    for is_link, run in groupby(lines, key=_is_link):
        group = list(run)
        menu = is_link and len(group) >= _MENU
        kept += [line.text for line in group if _belongs(line, menu=menu)]
    return kept


def _is_link(line: Line) -> bool:
    return not line.in_main and line.linked >= 0.9 * len("".join(line.text.split()))


def _belongs(line: Line, *, menu: bool) -> bool:
    if not (menu or line.in_chrome):
        return True
    if gives_a_limit(line.text):
        return True
    return line.linked == 0 and len(line.text) > 40 and speaks_of_batteries(line.text)
