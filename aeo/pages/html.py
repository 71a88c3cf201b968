"""A page as HTML: each block as an element of its kind. The template puts them together.

Every text and every address goes through `escape`, so no typed text can be markup. Plain strings are joined
here, because `format_html` would take most of the time of a page.
"""

import datetime
from collections.abc import Iterable, Sequence
from functools import lru_cache, singledispatch
from html import escape

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from aeo.drawing.cells import cells
from aeo.drawing.signs import sign
from aeo.pages.parts import source_note
from aeo.pages.record import (
    Block,
    Box,
    Bullets,
    Button,
    Code,
    Drawing,
    Excerpt,
    Facts,
    Folded,
    Form,
    Instant,
    Line,
    Link,
    Mark,
    Note,
    Paragraph,
    Quote,
    Reading,
    Run,
    Section,
    Select,
    SerialCheck,
    Sign,
    Signs,
    Sources,
    Table,
    TextField,
    Tick,
    Toned,
)
from aeo.pages.serial_check import written
from aeo.pages.shapes import shape
from aeo.texts import active, say
from aeo.web.formatting import comma, instant_words
from aeo.web.jsonld import Crumb
from aeo.web.languages import localized
from rules.selectors.evidence import Cited

MOST_SOURCES = 8
"""A longer list of sources is shown on demand."""


def crumbs(shown: Sequence[Crumb], *, named: bool = False) -> SafeString:
    """Return the way to a page as links, if it has several steps. The last is the page, perhaps named."""
    if len(shown) < 2:
        return mark_safe("\n")
    *before, last = shown
    steps = [f'<a href="{escape(one.url)}">{escape(one.name)}</a>' for one in before]
    here = last.name if named else say("page.this")
    steps.append(f'<span aria-current="page">{escape(here)}</span>')
    items = "".join(f"\n      <li>{step}</li>\n    " for step in steps)
    label = escape(say("page.where"))
    return mark_safe(f'<nav aria-label="{label}">\n  <ol class="crumbs">\n    {items}\n  </ol>\n</nav>\n')


def sections(shown: Iterable[Section]) -> SafeString:
    """Return sections, one after the other."""
    return mark_safe("".join(map(_section, shown)))


def blocks(shown: Iterable[Block]) -> SafeString:
    """Return blocks, one after the other."""
    return mark_safe("".join(map(block, shown)))


def _section(shown: Section) -> str:
    level = "h3" if shown.within else "h2"
    anchor = f' id="{escape(shown.anchor)}"' if shown.anchor else ""
    heading = f"<{level}{anchor}>{escape(shown.heading)}</{level}>\n"
    return heading + "".join(map(block, shown.blocks))


def facts(rows: Iterable[tuple[str, Line]]) -> SafeString:
    """Return names and values as a list of definitions."""
    return mark_safe(_facts(rows))


def _facts(rows: Iterable[tuple[str, Line]]) -> str:
    pairs = "".join(f"<dt>{escape(name)}</dt><dd>{_line(value)}</dd>\n" for name, value in rows)
    return f"<dl>\n{pairs}</dl>\n"


def _line(runs: Line) -> str:
    return "".join(map(_run, runs))


def _run(run: Run) -> str:
    match run:
        case Link(text, url):
            outside = "" if url.startswith("/") else ' rel="external"'
            return f'<a href="{escape(localized(url))}"{outside}>{escape(text)}</a>'
        case Note(text):
            return f"<small>{escape(text)}</small>"
        case Reading(_, words):
            return escape(words)
        case Instant(at):
            return f'<time datetime="{_machine(at)}">{escape(instant_words(at))}</time>'
        case Mark(verdict, word):
            return f'<span class="verdict {escape(verdict)}">{shape(verdict)} {escape(word)}</span>'
        case Quote(text, language):
            return f'<q lang="{escape(language)}">{escape(text)}</q>'
        case Excerpt(label, words, source, where):
            # The page has a language, and the words may be in another one.
            said = f'<blockquote lang="" cite="{escape(source.url)}">{escape(words)}</blockquote>'
            behind = f"<small>{_line((source, *((comma(), where) if where else ())))}</small>"
            return f'<figure class="quote"><figcaption>{escape(label)}</figcaption>{said}{behind}</figure>'
        case Toned(tone, text):
            return f'<span class="{escape(tone)}">{escape(text)}</span>'
        case Box(form, name, value, label):
            box = f'type="checkbox" form="{escape(form)}" name="{escape(name)}" value="{escape(value)}"'
            return f'<input {box} aria-label="{escape(label)}">'
        case str():
            return escape(run)


def _machine(at: datetime.datetime) -> str:
    # HTML knows no fractions finer than milliseconds.
    return at.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@singledispatch
def block(shown: Block) -> str:
    """Return a block as an element."""
    raise TypeError(f"{type(shown).__name__} is no block of a page")


@block.register
def _(shown: Paragraph) -> str:
    return f"<p>{_line(shown.line)}</p>\n"


@block.register
def _(shown: Bullets) -> str:
    items = "".join(f"<li>{_line(one)}</li>\n" for one in shown.lines)
    return f"<ul>\n{items}</ul>\n"


@block.register
def _(shown: Facts) -> str:
    return _facts(shown.rows)


@block.register
def _(shown: Table) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in shown.head)
    names = shown.head[1:] if shown.wide else ()
    rows = "".join(_row(names, *row) for row in shown.rows)
    # Long words may make it wider than a phone. Then the element scrolls, and not the page.
    body = f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>"
    opening = '<table class="many wide">' if shown.wide else "<table>"
    return f'<div class="table">\n{opening}\n{body}\n</table>\n</div>\n'


def _row(names: Sequence[str], first: Line, *others: Line) -> str:
    heads = [f' data-head="{escape(name)}"' for name in names] or [""] * len(others)
    cells = "".join(f"<td{head}>{_line(cell)}</td>" for head, cell in zip(heads, others, strict=True))
    return f'<tr><th scope="row">{_line(first)}</th>{cells}</tr>\n'


@block.register
def _(shown: Code) -> str:
    return f"<pre><code>{escape(shown.text)}</code></pre>\n"


@block.register
def _(shown: Sources) -> str:
    written = f'<ol class="sources">\n{"".join(map(source_item, shown.citations))}</ol>\n'
    count = len(shown.citations)
    if count <= MOST_SOURCES:
        return written
    return _details(say("sources.count", count=count), written)


@block.register
def _(shown: Folded) -> str:
    written = "".join(map(block, shown.blocks))
    return _details(
        shown.summary, f'<div id="{escape(shown.anchor)}">\n{written}</div>\n' if shown.anchor else written
    )


def _details(summary: str, written: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>\n{written}</details>\n"


def source_item(citation: Cited) -> SafeString:
    """Return a source as a list item: its publisher, its kind, where it applies, what was read and when."""
    return _item(citation, active())


# Thousands of pages cite the same few hundred sources, each page dozens of them.
@lru_cache(maxsize=8192)
def _item(citation: Cited, language: str) -> SafeString:
    """Return a source as an item in a given language, which is the active one."""
    return format_html(
        '<li><a href="{}" rel="external">{}</a> <small>{}</small></li>\n',
        citation.url,
        citation.authority,
        source_note(citation),
    )


@block.register
def _(shown: SerialCheck) -> str:
    return written(shown)


def batteries(count: int) -> SafeString:
    """Return a number of power banks as small batteries, for templates."""
    return mark_safe(cells(count))


def drawing(shown: Drawing) -> SafeString:
    """Return a picture with its facts, for templates."""
    return mark_safe(block(shown))


@block.register
def _(shown: Drawing) -> str:
    return f'<figure class="drawing">\n{shown.svg}\n{block(shown.facts)}</figure>\n'


@block.register
def _(shown: Signs) -> str:
    signs = "".join(map(_sign, shown.signs))
    return f'<dl class="glance">\n{signs}</dl>\n<p class="quiet">{escape(shown.note)}</p>\n'


def _sign(shown: Sign) -> str:
    name = f"<dt>{sign(shown.topic, shown.tone)} {escape(shown.name)}</dt>"
    return f'<div class="{escape(shown.tone)}">{name}<dd>{escape(shown.value)}</dd></div>\n'


@block.register
def _(shown: Form) -> str:
    fields = "".join(_field(shown.name, one) for one in shown.fields)
    button = f'<button class="button">{escape(shown.button)}</button>'
    opening = f'<form id="{escape(shown.name)}" class="choosing" action="{escape(localized(shown.action))}">'
    return f"{opening}\n{fields}{button}\n</form>\n"


@block.register
def _(shown: Button) -> str:
    leads = f'form="{escape(shown.form)}" formaction="{escape(localized(shown.action))}"'
    return f'<p class="send"><button class="button" {leads}>{escape(shown.text)}</button></p>\n'


def _field(form: str, shown: TextField | Select | Tick) -> str:
    name = f"{escape(form)}-{escape(shown.name)}"
    label = f'<label for="{name}">{escape(shown.label)}</label>'
    given = f'id="{name}" name="{escape(shown.name)}"'
    match shown:
        case TextField(value=value):
            field = f'<input {given} class="input" value="{escape(value)}" maxlength="100">'
            return f"<div>{label}{field}</div>\n"
        case Select(options=options, value=value):
            choices = "".join(_option(one, words, one == value) for one, words in options)
            return f'<div>{label}<select {given} class="input">{choices}</select></div>\n'
        case Tick(value=value, on=on):
            # Several ticks may have one name.
            own = f"{name}-{escape(value)}"
            given = f'id="{own}" name="{escape(shown.name)}" value="{escape(value)}"'
            box = f'<input type="checkbox" {given}{" checked" if on else ""}>'
            return f'<div class="tick">{box}<label for="{own}">{escape(shown.label)}</label></div>\n'


def _option(value: str, said: str, is_chosen: bool) -> str:
    selected = " selected" if is_chosen else ""
    return f'<option value="{escape(value)}"{selected}>{escape(said)}</option>'
