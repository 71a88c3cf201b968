"""A document as HTML, by markdown-it. Markup in a document stays text, and no address can run a script."""

import functools
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")

MOST_COLUMNS = 2
"""On phones, each row of a table with more columns is shown as a list."""

_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


class Heading(NamedTuple):
    """A heading: its level, its words, and its anchor, which is the one that code forges give it."""

    level: int
    words: str
    anchor: str


class Section(NamedTuple):
    """A part of a document for the search: its heading, if it has one, and its paragraphs as words."""

    heading: Heading | None
    paragraphs: tuple[str, ...]


@functools.lru_cache(maxsize=128)
def html(body: str) -> SafeString:
    """Return Markdown as HTML, with an anchor at each heading."""
    tokens = _markdown.parse(body)
    for opening, heading in _headings(tokens):
        opening.attrSet("id", heading.anchor)
    _describe_tables(tokens)
    return mark_safe(_markdown.renderer.render(tokens, _markdown.options, {}))


@functools.lru_cache(maxsize=128)
def headings(body: str) -> tuple[Heading, ...]:
    """Return the headings of Markdown."""
    return tuple(heading for _, heading in _headings(_markdown.parse(body)))


@functools.lru_cache(maxsize=128)
def sections(body: str) -> tuple[Section, ...]:
    """Return Markdown as words, by headings."""
    tokens = _markdown.parse(body)
    anchors = {id(opening): heading for opening, heading in _headings(tokens)}
    found: list[tuple[Heading | None, list[str]]] = [(None, [])]
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "heading_open":
            found.append((anchors[id(token)], []))
        elif token.type == "fence":
            found[-1][1].append(token.content)
        elif token.type == "inline" and (before is None or before.type != "heading_open"):
            found[-1][1].append(words(token))
    return tuple(Section(heading, tuple(paragraphs)) for heading, paragraphs in found)


def words(inline: Token) -> str:
    """Return the words of a paragraph or heading."""
    breaks = {"softbreak": " ", "hardbreak": " "}
    return "".join(breaks.get(one.type, one.content) for one in inline.children or ())


def _headings(tokens: Sequence[Token]) -> Iterator[tuple[Token, Heading]]:
    taken: dict[str, int] = {}
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            text = words(inline)
            anchor = _NOT_IN_ANCHORS.sub("", text.lower()).replace(" ", "-")
            taken[anchor] = taken.get(anchor, -1) + 1
            anchor += f"-{taken[anchor]}" if taken[anchor] else ""
            yield opening, Heading(int(opening.tag[1]), text, anchor)


def _describe_tables(tokens: Sequence[Token]) -> None:
    """Say which cells are headers, and of what; other cells repeat the words of their column for phones."""
    table, heads, column = tokens[0], list[str](), 0
    for token, inside in pairwise(tokens):
        match token.type:
            case "table_open":
                table, heads = token, []
            case "tr_open":
                column = 0
            case "th_open":
                token.attrSet("scope", "col")
                heads.append(words(inside))
            case "td_open" if column == 0:
                token.tag = "th"
                token.attrSet("scope", "row")
            case "td_open":
                token.attrSet("data-head", heads[column])
            case "td_close":
                token.tag = "td" if column else "th"
                column += 1
            case "thead_close" if len(heads) > MOST_COLUMNS:
                table.attrSet("class", "many")


def _fence(_: object, tokens: Sequence[Token], index: int, *__: object) -> str:
    # Readers of the keyboard can reach and scroll it. It is copied as it is: without a prompt.
    return f'<pre tabindex="0"><code>{escape(tokens[index].content)}</code></pre>\n'


def _table_open(_: object, tokens: Sequence[Token], index: int, *__: object) -> str:
    # Long words may make it wider than a phone. Then the element scrolls, and not the page.
    opening = '<table class="many">' if tokens[index].attrGet("class") else "<table>"
    return f'<div class="table">\n{opening}\n'


def _table_close(*_: object) -> str:
    return "</table>\n</div>\n"


def _link_open(_: object, tokens: Sequence[Token], index: int, *__: object) -> str:
    url = str(tokens[index].attrGet("href"))
    outside = "" if url.startswith(("/", "#")) else ' rel="external"'
    return f'<a href="{escape(url)}"{outside}>'


for _rule in (_fence, _table_open, _table_close, _link_open):
    _markdown.add_render_rule(_rule.__name__.lstrip("_"), _rule)
