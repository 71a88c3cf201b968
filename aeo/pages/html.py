"""A page as HTML: each block as an element of its kind, all text escaped. The template puts them together."""

from collections.abc import Iterable
from functools import singledispatch

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from aeo.pages.record import (
    Block,
    Bullets,
    Code,
    Facts,
    Instant,
    Line,
    Link,
    Mark,
    Note,
    Paragraph,
    Run,
    Sources,
    Table,
)
from aeo.pages.words import instant_words
from aeo.structured import source_item


def line(runs: Line) -> SafeString:
    """Return a line of text with its links and marks."""
    return format_html_join("", "{}", ((_run(run),) for run in runs))


def _run(run: Run) -> str:
    match run:
        case Link(text, url):
            outside = not url.startswith("/")
            return format_html('<a href="{}"{}>{}</a>', url, _EXTERNAL if outside else "", text)
        case Note(text):
            return format_html("<small>{}</small>", text)
        case Instant(at):
            return format_html('<time datetime="{}">{}</time>', at.isoformat(), instant_words(at))
        case Mark(verdict, word):
            return format_html('<span class="verdict {}">{}</span>', verdict, word)
        case str():
            return run


_EXTERNAL = SafeString(' rel="external"')


@singledispatch
def block(shown: Block) -> SafeString:
    """Return a block as an element."""
    raise TypeError(f"{type(shown).__name__} is no block of a page")


@block.register
def _(shown: Paragraph) -> SafeString:
    return format_html("<p>{}</p>\n", line(shown.line))


@block.register
def _(shown: Bullets) -> SafeString:
    items = format_html_join("\n", "<li>{}</li>", ((line(one),) for one in shown.lines))
    return format_html("<ul>\n{}\n</ul>\n", items)


@block.register
def _(shown: Facts) -> SafeString:
    return facts(shown.rows)


@block.register
def _(shown: Table) -> SafeString:
    head = format_html_join("", '<th scope="col">{}</th>', ((name,) for name in shown.head))
    rows = format_html_join(
        "\n",
        '<tr><th scope="row">{}</th>{}</tr>',
        (
            (line(first), format_html_join("", "<td>{}</td>", ((line(cell),) for cell in others)))
            for first, *others in shown.rows
        ),
    )
    return format_html("<table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}\n</tbody>\n</table>\n", head, rows)


@block.register
def _(shown: Code) -> SafeString:
    return format_html("<pre><code>{}</code></pre>\n", shown.text)


@block.register
def _(shown: Sources) -> SafeString:
    items = format_html_join("", "{}", ((source_item(citation),) for citation in shown.citations))
    return format_html('<ol class="sources">\n{}</ol>\n', items)


def facts(rows: Iterable[tuple[str, Line]]) -> SafeString:
    """Return names and values as a list of definitions."""
    pairs = format_html_join("\n", "<dt>{}</dt><dd>{}</dd>", ((name, line(value)) for name, value in rows))
    return format_html("<dl>\n{}\n</dl>\n", pairs)
