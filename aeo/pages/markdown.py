"""A page as Markdown (CommonMark with tables): the same record as its HTML, block by block.

Links are full addresses, so that the text can be read anywhere.
"""

import re
from functools import singledispatch

from aeo.pages.parts import dated, source_note
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
    Select,
    SerialCheck,
    Shown,
    Signs,
    Sources,
    Table,
    Toned,
)
from aeo.texts import say
from aeo.web.addresses import address
from aeo.web.formatting import comma, instant_words
from rules.selectors.evidence import Cited

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])")
_AT_BEGINNING = re.compile(r"^(\s*\d*)([-+=.)])")
_IN_ADDRESS = str.maketrans({" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E"})


def text(shown: Shown) -> str:
    """Return a page as one text."""
    page = shown.page
    pieces = [
        f"# {escaped(page.title)}",
        *([f"**{escaped(page.mark.word)}**"] if page.mark else []),
        paragraph((page.lead,)),
        *map(block, page.glance),
    ]
    for section in page.sections:
        pieces.append(f"{'###' if section.within else '##'} {escaped(section.heading)}")
        pieces += [block(one) for one in section.blocks]
    pieces += [f"## {escaped(say('page.about'))}", block(Facts(dated(shown))), escaped(say("boundary"))]
    return "\n\n".join(filter(None, pieces)) + "\n"


def escaped(words: str) -> str:
    """Return words on one line, with all characters escaped that mean something in Markdown."""
    return _SPECIAL.sub(r"\\\1", " ".join(words.split("\n")))


def line(runs: Line) -> str:
    """Return a line of text with its links and marks."""
    return "".join(map(_run, runs))


def paragraph(runs: Line) -> str:
    """Return a line for the beginning of a block."""
    return _AT_BEGINNING.sub(r"\1\\\2", line(runs))


def _run(run: Run) -> str:
    match run:
        case Link(words, url):
            full = address(url) if url.startswith("/") else url
            return f"[{escaped(words)}]({full.translate(_IN_ADDRESS)})"
        case Note(words):
            return escaped(words)
        case Reading(_, words):
            return escaped(words)
        case Instant(at):
            return instant_words(at)
        case Mark(_, word):
            return f"**{escaped(word)}**"
        case Quote(words):
            return escaped(say("quoted", words=words))
        case Excerpt(label, words, source, where):
            behind = line((source, *((comma(), where) if where else ())))
            # Indented, so that it belongs to the item before it.
            return f"\n\n  {escaped(label)}\n\n  > {paragraph((words,))}\n\n  {behind}"
        case Toned(_, words):
            return escaped(words)
        case Box():
            return ""
        case str():
            return escaped(run)


@singledispatch
def block(shown: Block) -> str:
    """Return a block as lines."""
    raise TypeError(f"{type(shown).__name__} is no block of a page")


@block.register
def _(shown: Paragraph) -> str:
    return paragraph(shown.line)


@block.register
def _(shown: Bullets) -> str:
    return "\n".join(f"- {paragraph(one)}" for one in shown.lines)


@block.register
def _(shown: Facts) -> str:
    return "\n".join(f"- {escaped(name)}: {line(value)}" for name, value in shown.rows)


@block.register
def _(shown: Table) -> str:
    rows = [(*map(escaped, shown.head),), ("---",) * len(shown.head), *(map(line, row) for row in shown.rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


@block.register
def _(shown: Folded) -> str:
    return "\n\n".join([paragraph((shown.summary,)), *map(block, shown.blocks)])


@block.register
def _(shown: Code) -> str:
    return f"```\n{shown.text}\n```"


@block.register
def _(shown: Sources) -> str:
    return "\n".join(f"{number}. {_source(one)}" for number, one in enumerate(shown.citations, start=1))


@block.register
def _(shown: Drawing) -> str:
    return block(shown.facts)


@block.register
def _(shown: SerialCheck) -> str:
    return paragraph((say("serial.by_hand"), " ", Link(say("serial.by_hand.api"), "/api/docs/")))


@block.register
def _(shown: Form) -> str:
    # What is chosen says what the page shows.
    chosen = [one for one in shown.fields if isinstance(one, Select) and one.value]
    return block(Facts(tuple((one.label, (dict(one.options)[one.value],)) for one in chosen)))


@block.register
def _(shown: Button) -> str:
    return ""


@block.register
def _(shown: Signs) -> str:
    facts = Facts(tuple((one.name, (one.value,)) for one in shown.signs))
    return f"{block(facts)}\n\n{paragraph((shown.note,))}"


def _source(citation: Cited) -> str:
    return line((Link(citation.authority, citation.url), f" {source_note(citation)}"))
