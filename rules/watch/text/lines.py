"""Markup to lines, as a browser lays them out: what starts a new line there starts one here.

A row of a table is one line with ` | ` between its cells, so that a limit stays next to what it limits. Cells
of tables that only lay out a page are separate lines.
"""

import re
from collections.abc import Mapping

import msgspec

from rules.watch.text.batteries import gives_a_limit

_INLINE = frozenset(
    re.findall(
        r"\w+",
        "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rp rt"
        " ruby s samp small span strike strong sub sup svg time tt u use var wbr",
    )
)
_UNREAD = frozenset(
    re.findall(
        r"\w+",
        "script style noscript template canvas object embed iframe audio video select datalist"
        " head title desc defs symbol metadata",
    )
)
_VOID = frozenset(re.findall(r"\w+", "area base br col embed hr img input link meta param source track wbr"))
_MAIN = frozenset({"main", "article"})
_APART = frozenset({"a", "label", "span"})
"""Elements that are boxes as often as words: two of them next to each other are two words."""

_PICTURES = frozenset({"i", "img", "span", "svg", "use"})
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_PICTURED = re.compile(
    r"(?:^|[-_ #/])(tick|check(?:mark|ed)?|cross|times|xmark|ban|yes|no|allowed|forbidden)(?=$|[-_ ])"
)
_BIG_ROW = 1_000
"""A row with more characters, and more than one paragraph in a cell, lays out a page."""


_CHROME_TAGS = frozenset({"nav", "footer", "header", "aside"})
_CHROME_TAGS_IN_MAIN = frozenset({"nav"})
_CHROME_ROLES = frozenset(
    {"banner", "complementary", "contentinfo", "menu", "menubar", "navigation", "search"}
)
_CHROME_NAMES = re.compile(
    r"(?:^|\s)(?:(?:site|page|global|main|top|primary)[-_]?)?(?:header|footer|nav|navbar|navigation|menu)(?:$|\s)"
    r"|(?:^|\s)(?:cookie|onetrust|truste|usercentrics|gdpr)[-_a-z0-9]*(?:$|\s)"
    r"|(?:^|\s)(?:breadcrumbs?|skip-?(?:link|nav|to-content)|social-?(?:share|links|media)|share-?(?:bar|buttons|links))(?:$|\s)",
    re.IGNORECASE,
)
_NEVER_CHROME = frozenset(
    {"html", "body", "main", "article", "table", "tbody", "thead", "tr", "td", "th", "h1"}
)


_CONSENT = re.compile(
    r"(?:^|\s)(?:cookie|onetrust|usercentrics)[-_]?(?:banner|bar|consent|notice|popup|sdk)", re.IGNORECASE
)
_CHROME_ROLES_IN_MAIN = frozenset({"menubar", "navigation", "search"})
_LONGEST_NAME = 400


def is_chrome(tag: str, attributes: Mapping[str, str], *, in_main: bool) -> bool:
    """Return whether an element is what every page of a site has: a menu, banner, footer, cookie dialog.

    Only an element that says so itself counts: by its name, its role, or one of a few names that sites give
    such parts; in the main part only one that says so clearly.
    """
    if tag in _NEVER_CHROME:
        return False
    if tag in (_CHROME_TAGS_IN_MAIN if in_main else _CHROME_TAGS):
        return True
    if not attributes:
        return False
    if attributes.get("role") in (_CHROME_ROLES_IN_MAIN if in_main else _CHROME_ROLES):
        return True
    names = _CONSENT if in_main else _CHROME_NAMES
    return any(names.search(attributes.get(name, "")[:_LONGEST_NAME]) for name in ("id", "class"))


class Line(msgspec.Struct):
    """One line of a page: its words, how many characters of them are links, and its place on the page."""

    text: str
    linked: int = 0
    in_main: bool = False
    in_chrome: bool = False


class Full(Exception):
    """The page has more text than is read: what was read before this is in `lines`."""


class TooDeep(ValueError):
    """Elements are nested more deeply than on any real page."""


class Lines:
    """A target for lxml's parser that keeps lines instead of a tree.

    `notes` are the scripts of type JSON-LD, in which some pages tell search engines what they say.
    """

    def __init__(self, *, max_depth: int, max_elements: int) -> None:
        self.lines: list[Line] = []
        self.notes: list[str] = []
        self.full = False
        self._max_depth = max_depth
        self._left = max_elements
        self._open: list[tuple[str, bool, bool]] = []  # tag, is chrome, is the main part
        self._unread = 0
        self._chrome = 0
        self._main = 0
        self._links = 0
        self._raised = 0
        self._words: list[str] = []
        self._linked = 0
        self._apart = False
        # For each open table the cells of its open row, as lists of lines; None outside of a row.
        self._rows: list[list[list[Line]] | None] = []
        self._titles = 0
        self._notes: list[str] | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element."""
        if len(self._open) >= self._max_depth:
            raise TooDeep
        if not self._left:
            raise Full
        self._left -= 1
        unread = tag in _UNREAD and not (tag == "template" and "shadowrootmode" in attributes)
        chrome = not unread and not self._unread and is_chrome(tag, attributes, in_main=bool(self._main))
        main = not self._unread and (tag in _MAIN or attributes.get("role") == "main")
        if tag not in _VOID:
            self._open.append((tag, chrome, main))
            self._unread += unread
        if tag == "script" and "ld+json" in attributes.get("type", "").lower():
            self._notes = []
        if self._unread:
            return
        if tag not in _INLINE:
            self._break()
        elif self._apart and tag in _APART:
            self._words.append(" ")
        self._apart = False
        self._chrome += chrome
        self._main += main
        if tag == "a":
            self._links += 1
        elif tag == "sup":
            self._raised += 1
        elif tag == "h1":
            self._titles += 1
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
        # lxml closes inner open elements first, so the innermost element is the one that closes.
        opened, chrome, main = self._open.pop()
        if opened == "script" and self._notes is not None:
            self.notes.append("".join(self._notes))
            self._notes = None
        if self._unread:
            self._unread -= opened in _UNREAD
            return
        if opened not in _INLINE:
            self._break()
        self._apart = opened in _APART
        self._chrome -= chrome
        self._main -= main
        if opened == "a":
            self._links -= 1
        elif opened == "sup":
            self._raised -= 1
        elif opened == "h1":
            self._titles -= 1
        elif opened == "table" and self._rows:
            self._end_row()
            self._rows.pop()
        elif opened == "tr" and self._rows:
            self._end_row()

    def data(self, data: str) -> None:
        """Add words."""
        if self._notes is not None:
            self._notes.append(data)
        if self._unread or not data:
            return
        self._apart = False
        self._words.append(data.translate(_RAISED) if self._raised else data)
        if self._links:
            self._linked += len("".join(data.split()))

    def close(self) -> None:
        """Add the last line."""
        self._break()
        while self._rows:
            self._end_row()
            self._rows.pop()

    def _picture(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A picture may show a limit, and in a table it may be the whole answer: yes or no."""
        said = attributes.get("alt") or attributes.get("aria-label") or ""
        if not (self._rows and self._rows[-1]) and not gives_a_limit(said):
            return
        if tag not in _PICTURES:
            return
        if not said:
            found = _PICTURED.search((attributes.get("class") or attributes.get("href") or "")[:200].lower())
            said = found[1] if found else ""
        if said.strip():
            self._words.append(f" [{said.strip()}] ")

    def _break(self) -> None:
        """End a line."""
        words = " ".join("".join(self._words).split())
        linked, self._linked = self._linked, 0
        self._words.clear()
        if not words:
            return
        line = Line(
            words,
            linked=linked,
            in_main=self._main > 0,
            in_chrome=self._chrome > 0 and not self._titles,
        )
        row = self._rows[-1] if self._rows else None
        (row[-1] if row else self.lines).append(line)

    def _end_row(self) -> None:
        row, self._rows[-1] = self._rows[-1], None
        paragraphs = [line for cell in row or [] for line in cell]
        if not row or not paragraphs:
            return
        if sum(len(line.text) for line in paragraphs) > _BIG_ROW and any(len(cell) > 1 for cell in row):
            self.lines += paragraphs
            return
        self.lines.append(
            Line(
                " | ".join(" ".join(line.text for line in cell) for cell in row).strip(),
                linked=sum(line.linked for line in paragraphs),
                in_main=any(line.in_main for line in paragraphs),
                in_chrome=all(line.in_chrome for line in paragraphs),
            )
        )

    def _lay_out(self) -> None:
        """A table inside a row: the outer one lays out the page, so its cells are not a row."""
        if self._rows and self._rows[-1] is not None:
            row, self._rows[-1] = self._rows[-1], None
            self.lines += [line for cell in row for line in cell]
