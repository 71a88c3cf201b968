"""The text of an HTML page: everything that a reader of the page can see, without menus and banners.

A limit may be in a table, in an answer that opens at a click, in a dialog or in a note at the side, so
nothing is left out for being hidden, short or far from the middle. Only what every page of a site has is left
out. Each line is judged separately: a change in one place never moves another line in or out of the text.

Markup is read as a stream without a tree, in time proportional to its length and in little memory.
"""

from typing import Any

import lxml.etree
from lxml.etree import LXML_VERSION

from rules.watch.text.json_ld import structured_texts
from rules.watch.text.lines import Full, Lines
from rules.watch.text.main_part import main_lines
from rules.watch.text.unreadable import Unreadable
from rules.watch.text.walls import refuse_walls, says_nothing

PAGE_EXTRACTOR = f"lxml-{'.'.join(map(str, LXML_VERSION[:3]))}+1"

MAX_DEPTH = 1_000
"""How deeply elements may be nested: pages have fewer than a hundred levels, and each costs time."""

MAX_ELEMENTS = 200_000
"""How many elements are read: the longest page of a regulator has a tenth of them."""

_PIECE = 65_536
_CONTROLS = str.maketrans(dict.fromkeys([*range(1, 9), 11, 12, *range(14, 32)], " ") | {0: ""})


def page_text(markup: str) -> tuple[str, bool]:
    """Return the text of an HTML page, one paragraph per line, and whether there was more than is read.

    Raises:
        Unreadable: it has no text, is a wall in front of the page, or its markup exceeds the limits.
    """
    markup = markup.translate(_CONTROLS).strip()
    if not markup:
        raise Unreadable("no_text")
    reader = _read(markup)
    lines = main_lines(reader.lines)
    if says_nothing("\n".join(lines)):
        # Only a script would show this page; what it says to search engines is what it would show.
        lines += [
            line.text
            for piece in structured_texts(reader.notes)
            if piece.strip()
            for line in _read(piece).lines
        ]
    text = "\n".join(lines)
    refuse_walls(text, markup)
    return text, reader.full


def _read(markup: str) -> Lines:
    reader = Lines(max_depth=MAX_DEPTH, max_elements=MAX_ELEMENTS)
    parser: Any = lxml.etree.HTMLParser(target=reader, huge_tree=True)
    try:
        for start in range(0, len(markup), _PIECE):
            parser.feed(markup[start : start + _PIECE])
        parser.close()
    except Full:
        reader.full = True
        reader.close()
    except (lxml.etree.LxmlError, ValueError, AssertionError):
        raise Unreadable("broken_page") from None
    return reader
