"""What no screen of the desk says: words that a program left over, and sentences put together wrongly."""

import re
from collections.abc import Collection, Iterator
from html.parser import HTMLParser

from django.contrib import admin

UNSPOKEN = {"script", "style", "template", "title"}
BLOCKS = {
    "p",
    "div",
    "li",
    "td",
    "th",
    "tr",
    "dt",
    "dd",
    "h1",
    "h2",
    "h3",
    "section",
    "option",
    "legend",
    "br",
}

ODDITIES = {
    "a value of Python": re.compile(
        r"\('[^']*',\)|\[['\"]|\{['\"]|\{\}|<\w[\w.]* object|\bobject \(\w+\)"
        r"|(?<![\w-])(None(?! of)|True|False)(?![\w-])"
        r"|datetime\.|\d\d:\d\d:\d\d\.\d{3,}|\d\d\+00:00\b|\bDecimal\("
    ),
    "a doubled dot": re.compile(r"[\w”\")]\.\.(?![./\w])"),
    "a doubled mark": re.compile(r"[,;:]\s*[,;:.](?!\w)|[!?]\.(?!\w)"),
    "a doubled name": re.compile(r"(?<![\w-])(\w[\w ]*\w) \(\1\)"),
}


class Spoken(HTMLParser):
    """Collects the texts of a page as they are read: what belongs to one line is one text."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = [""]
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line at each block, and skip what nobody reads."""
        self.silent += tag in UNSPOKEN
        if tag in BLOCKS:
            self.lines.append("")

    def handle_endtag(self, tag: str) -> None:
        """End a line with its block."""
        self.silent -= tag in UNSPOKEN
        if tag in BLOCKS:
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        """Add words to the line."""
        if not self.silent:
            self.lines[-1] += data


def spoken(html: str) -> list[str]:
    """Return the lines of a page."""
    page = Spoken()
    page.feed(html)
    lines = (" ".join(line.split()) for line in page.lines)
    return [line for line in lines if line]


OTHER_DATES = re.compile(
    r"(?<![\w./-])\d{4}-\d\d-\d\d(?![\w-])|\b[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}\b"
    r"|\b(midnight|noon)\b|\b[ap]\.m\."
)
"""Dates that are not written as `28 November 2026, 07:22 UTC`."""

KEPT = re.compile(r"such as \d{4}-\d\d-\d\d\S*|\d{4}-\d\d-\d\d \|")
"""What an input takes, and the cells of a file."""


def other_dates(html: str, names: Collection[str]) -> Iterator[str]:
    """Yield the lines of a page with a date in another form than all others, but for names of records."""
    typed = re.sub(r"<(textarea|code|pre)\b.*?</\1>", "", html, flags=re.DOTALL)
    for line in spoken(typed):
        said = KEPT.sub("", line)
        for name in names:
            said = said.replace(name, "")
        if found := OTHER_DATES.search(said):
            yield f"{found[0]!r} in “{line[:200]}”"


def oddities(html: str) -> Iterator[str]:
    """Yield what a page says oddly: what is wrong, and the line."""
    plurals = sorted({str(model._meta.verbose_name_plural) for model in admin.site._registry} | MANY)
    one_of_many = re.compile(rf"(?<![\w.,:/-])1 ({'|'.join(map(re.escape, plurals))})\b", re.IGNORECASE)
    for line in spoken(html):
        for what, pattern in (*ODDITIES.items(), ("one of many", one_of_many)):
            if found := pattern.search(line):
                yield f"{what}: {found[0]!r} in “{line[:200]}”"


MANY = {
    "answers", "cases", "changes", "days", "drafts", "errors", "fields", "hours", "items", "lines", "minutes",
    "models", "pages", "people", "questions", "records", "results", "rows", "samples", "units",
}  # fmt: skip
"""Words for several things, other than the names of the lists."""
