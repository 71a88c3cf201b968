"""Markup to lines, as a browser lays them out: what starts a new line there starts one here.

A row of a table is one line with ` | ` between its cells, so that a limit stays beside what it limits.
Cells of tables that only lay out a page are lines of their own.
"""

import re
from collections.abc import Mapping

import msgspec

from rules.watch.text.chrome import is_chrome

_INLINE = frozenset(
    re.findall(
        r"\w+",
        "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rp rt"
        " ruby s samp small span strike strong sub sup time tt u var wbr",
    )
)
_UNREAD = frozenset(
    re.findall(
        r"\w+",
        "script style noscript template svg canvas object embed iframe audio video select datalist textarea"
        " head noframes",
    )
)
_VOID = frozenset(re.findall(r"\w+", "area base br col embed hr img input link meta param source track wbr"))
_MAIN = frozenset({"main", "article"})
_APART = frozenset({"a", "label", "span"})
"""Elements that are boxes as often as words: two of them side by side are two words."""

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_PICTURED = re.compile(
    r"(?:^|[-_ ])(tick|check(?:mark|ed)?|cross|times|xmark|ban|yes|no|allowed|forbidden)(?=$|[-_ ])"
)
_BIG_ROW = 1_000
"""A row with more characters, and more than one paragraph in a cell, lays out a page."""


class Line(msgspec.Struct):
    """One line of a page: its words, how many characters of them are links, and where it stands."""

    text: str
    linked: int = 0
    in_main: bool = False
    in_chrome: bool = False


class TooDeep(ValueError):
    """More elements inside each other than any page has."""


class Lines:
    """A target for lxml's parser that keeps lines instead of a tree."""

    def __init__(self, max_depth: int) -> None:
        self.lines: list[Line] = []
        self._max_depth = max_depth
        self._open: list[tuple[str, bool]] = []  # tag, is chrome
        self._unread = 0
        self._chrome = 0
        self._main = 0
        self._links = 0
        self._raised = 0
        self._words: list[str] = []
        self._linked = 0
        self._apart = False
        # For each open table the cells of its open row, as lists of paragraphs; None outside of a row.
        self._rows: list[list[list[str]] | None] = []
        self._row_linked = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element."""
        if len(self._open) >= self._max_depth:
            raise TooDeep
        unread = tag in _UNREAD and not (tag == "template" and "shadowrootmode" in attributes)
        chrome = not unread and not self._unread and is_chrome(tag, attributes, in_main=bool(self._main))
        if tag not in _VOID:
            self._open.append((tag, chrome))
            self._unread += unread
        if self._unread:
            return
        if tag not in _INLINE:
            self._break()
        elif self._apart and tag in _APART:
            self._words.append(" ")
        self._apart = False
        self._chrome += chrome
        if tag in _MAIN or attributes.get("role") == "main":
            self._main += 1
        elif tag == "a":
            self._links += 1
        elif tag == "sup":
            self._raised += 1
        elif tag == "table":
            self._lay_out()
            self._rows.append(None)
        elif tag == "tr" and self._rows:
            self._end_row()
            self._rows[-1] = []
        elif tag in ("td", "th") and self._rows and self._rows[-1] is not None:
            self._rows[-1].append([])
        self._picture(tag, attributes)

    def end(self, tag: str) -> None:
        """Close an element."""
        if tag in _VOID or not self._open:
            return
        # lxml closes what is open inside first, so the innermost element is the one that closes.
        opened, chrome = self._open.pop()
        if self._unread:
            self._unread -= opened in _UNREAD
            return
        if opened not in _INLINE:
            self._break()
        self._apart = opened in _APART
        self._chrome -= chrome
        if opened in _MAIN:
            self._main -= 1
        elif opened == "a":
            self._links -= 1
        elif opened == "sup":
            self._raised -= 1
        elif opened == "table" and self._rows:
            self._end_row()
            self._rows.pop()
        elif opened == "tr" and self._rows:
            self._end_row()

    def data(self, data: str) -> None:
        """Take words."""
        if self._unread or not data:
            return
        self._apart = False
        self._words.append(data.translate(_RAISED) if self._raised else data)
        if self._links:
            self._linked += len("".join(data.split()))

    def close(self) -> None:
        """Take the last line."""
        self._break()
        while self._rows:
            self._end_row()
            self._rows.pop()

    def _picture(self, tag: str, attributes: Mapping[str, str]) -> None:
        """In a table a picture may be the whole answer: yes or no."""
        if not (self._rows and self._rows[-1]):
            return
        said = attributes.get("alt") or attributes.get("aria-label") or ""
        if not said and tag in ("i", "span", "img"):
            found = _PICTURED.search(f"{attributes.get('class', '')}".lower())
            said = found[1] if found else ""
        if said.strip() and tag in ("i", "span", "img"):
            self._words.append(f" [{said.strip()}] ")

    def _break(self) -> None:
        words = " ".join("".join(self._words).split())
        linked, self._linked = self._linked, 0
        self._words.clear()
        if not words:
            return
        row = self._rows[-1] if self._rows else None
        if row:
            row[-1].append(words)
            self._row_linked += linked
        else:
            self._add(words, linked)

    def _end_row(self) -> None:
        row, self._rows[-1] = self._rows[-1], None
        linked, self._row_linked = self._row_linked, 0
        if not row:
            return
        paragraphs = [paragraph for cell in row for paragraph in cell]
        if sum(map(len, paragraphs)) > _BIG_ROW and any(len(cell) > 1 for cell in row):
            for paragraph in paragraphs:
                self._add(paragraph, 0)
        elif paragraphs:
            self._add(" | ".join(" ".join(cell) for cell in row).strip(" "), linked)

    def _lay_out(self) -> None:
        """A table inside a row: the outer one lays out the page."""
        if self._rows and self._rows[-1] is not None:
            row, self._rows[-1] = self._rows[-1], None
            for cell in row:
                for paragraph in cell:
                    self._add(paragraph, 0)
            self._row_linked = 0

    def _add(self, words: str, linked: int) -> None:
        self.lines.append(Line(words, linked=linked, in_main=self._main > 0, in_chrome=self._chrome > 0))
