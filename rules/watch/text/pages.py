"""The text of an HTML page: everything that a reader of the page can get to see, menus and banners left out.

A limit may stand in a table, in an answer that opens at a click, in a dialog or in a note at the side, so
nothing is left out for being hidden, short or far from the middle. What is left out is what every page of a
site has, and each line is judged by itself: a change in one place never moves another in or out of the text.

Markup is read as a stream without a tree, in time proportional to its length and in little memory.
"""

from typing import Any

import lxml.etree
from lxml.etree import LXML_VERSION

from rules.watch.text.lines import Line, Lines
from rules.watch.text.main_part import main_lines
from rules.watch.text.unreadable import Unreadable
from rules.watch.text.walls import refuse_walls

PAGE_EXTRACTOR = f"lxml-{'.'.join(map(str, LXML_VERSION[:3]))}+1"

MAX_DEPTH = 1_000
"""How many elements may stand inside each other: pages have fewer than a hundred, and each costs time."""

_PIECE = 65_536
_NO_TEXT = str.maketrans(dict.fromkeys([*range(9), 11, 12, *range(14, 32)], " "))


def page_text(markup: str) -> str:
    """Return the text of an HTML page, one paragraph a line.

    Raises:
        Unreadable: there is none, it is a wall in front of the page, or the markup is out of bounds.
    """
    lines = _lines_of(markup.translate(_NO_TEXT))
    text = "\n".join(main_lines(lines))
    refuse_walls(text, markup)
    return text


def _lines_of(markup: str) -> list[Line]:
    reader = Lines(MAX_DEPTH)
    parser: Any = lxml.etree.HTMLParser(target=reader, huge_tree=True)
    try:
        for start in range(0, len(markup), _PIECE):
            parser.feed(markup[start : start + _PIECE])
        parser.close()
    except (lxml.etree.LxmlError, ValueError, AssertionError):
        raise Unreadable("broken_page") from None
    return reader.lines
