"""Which lines of a page are its own text.

Left out: menus, banners and footers, and runs of links next to the main part. Always kept: every line that
gives a figure of energy, and every sentence about batteries, wherever a page puts it. It is worse to lose a
limit than to read a line too many.
"""

from collections.abc import Sequence
from itertools import groupby

from rules.watch.text.batteries import gives_a_limit, speaks_of_batteries
from rules.watch.text.lines import Line

_NOTHING = 20
"""A text with fewer characters than this is not a page."""

_MENU = 4
"""How many lines in a row that are only links make a menu."""


def main_lines(lines: Sequence[Line]) -> list[str]:
    """Return the words of the lines that belong to the page's text, in their order."""
    kept: list[str] = []
    # A page that is one big banner by its markup has its text there.
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
