"""Finds the sections of the documentation that have the words of a query."""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from aeo.documentation.documents import Document, documents
from aeo.documentation.rendering import Heading, sections

MOST_RESULTS = 20
MOST_CHARACTERS, MOST_WORDS = 100, 10
"""More of a query is not read."""

_EXCERPT = 200
"""The length of the words that a result shows, in characters."""

_BEGINNING, _HEADING, _TITLE, _WHOLE_WORD, _WORD_START, _ANYWHERE = 8, 6, 4, 3, 2, 1
"""What a word counts, by the best place where a section has it: a title counts most where its page begins."""


_ENDING = re.compile(
    # What remains is long enough to mean something: `retrying`, `limited`, `queries`, `retried`.
    r"(?<=\w{4})(?:ing|ies|ied|(?<!e)ed)$"
    # `rated`, `cached`, but not `feed`.
    r"|(?<=\w[^\We]e)d$"
    r"|(?<=ch|sh|ss)es$"
    r"|(?<=\w{3})s$"
)


class Word(NamedTuple):
    """A word of a query, folded: as it was typed, and without its ending."""

    typed: str
    stem: str


class Place(NamedTuple):
    """A section as it is searched; `text` is all of its paragraphs, folded as queries are."""

    document: Document
    heading: Heading | None
    paragraphs: tuple[str, ...]
    text: str


class Found(NamedTuple):
    """A result: what it is called, where it is, and words of it, `marked` where the query has them."""

    title: str
    path: str
    excerpt: str
    marked: SafeString


def search(query: str) -> list[Found]:
    """Return the sections with most of the words of a query, the best first.

    A word also matches as a part of a longer one, and without its ending: `rated` finds `rate`, `limiting`
    finds `limits`.
    """
    words = _words(query)
    places = _places(tuple(documents().values()))
    rated = ((_rate(place, words), -number, place) for number, place in enumerate(places))
    best = sorted((one for one in rated if one[0] > (0, 0)), key=lambda one: one[:2], reverse=True)
    # Sections with fewer of the words say something else.
    most = best[0][0][0] if best else 0
    return [_found(place, words) for (had, _), _, place in best[:MOST_RESULTS] if had == most]


def _words(query: str) -> list[Word]:
    """Return the words of a query, each once. A single letter is none."""
    typed = (one.strip(".,:;!?\"'()[]`") for one in query[:MOST_CHARACTERS].casefold().split())
    words = (Word(one, _ENDING.sub("", one)) for one in dict.fromkeys(typed) if len(one) > 1)
    return list({word.stem: word for word in words}.values())[:MOST_WORDS]


@functools.lru_cache(maxsize=4)
def _places(searched: tuple[Document, ...]) -> tuple[Place, ...]:
    return tuple(
        Place(document, section.heading, section.paragraphs, "\n".join(section.paragraphs).casefold())
        for document in searched
        for section in sections(document.body)
    )


def _rate(place: Place, words: list[Word]) -> tuple[int, int]:
    """Return how many of the words a section has, and how well."""
    heading = place.heading.words.casefold() if place.heading else ""
    in_title = _TITLE if place.heading else _BEGINNING
    worths = [
        max(
            in_title * (word.stem in place.document.title.casefold()),
            _HEADING * (word.stem in heading),
            _within(word, place.text),
        )
        for word in words
    ]
    return sum(worth > 0 for worth in worths), sum(worths)


def _within(word: Word, text: str) -> int:
    if word.stem not in text:
        return 0
    if word.typed in text and re.search(rf"(?<!\w){re.escape(word.typed)}(?!\w)", text):
        return _WHOLE_WORD
    return _WORD_START if re.search(rf"(?<!\w){re.escape(word.stem)}", text) else _ANYWHERE


def _found(place: Place, words: list[Word]) -> Found:
    heading = place.heading
    title = f"{place.document.title}: {heading.words}" if heading else place.document.title
    path = f"{place.document.path}#{heading.anchor}" if heading else place.document.path
    excerpt = _excerpt(place.paragraphs, words)
    return Found(title, path, excerpt, _marked(excerpt, words))


def _excerpt(paragraphs: tuple[str, ...], words: list[Word]) -> str:
    """Return a part of the paragraph with most of the words, around the first of them."""
    if not paragraphs:
        return ""
    text = max(paragraphs, key=lambda one: sum(word.stem in one.casefold() for word in words))
    text = " ".join(text.split())
    places = [at for word in words if (at := text.casefold().find(word.stem)) >= 0]
    begin = max(0, min(places, default=0) - _EXCERPT // 3)
    begin = text.rfind(" ", 0, begin) + 1 if begin else 0
    if len(text) - begin <= _EXCERPT:
        return f"… {text[begin:]}" if begin else text
    end = text.rfind(" ", begin + 1, begin + _EXCERPT)
    shown = text[begin : end if end > begin else begin + _EXCERPT]
    return f"{'… ' if begin else ''}{shown} …"


def _marked(excerpt: str, words: list[Word]) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in _parts(excerpt, words)))


def _parts(excerpt: str, words: list[Word]) -> Iterator[str]:
    either = "|".join(re.escape(word.stem) for word in sorted(words, key=lambda one: -len(one.stem)))
    for number, part in enumerate(re.split(f"({either})", excerpt, flags=re.IGNORECASE)):
        yield format_html("<mark>{}</mark>", part) if number % 2 else part
