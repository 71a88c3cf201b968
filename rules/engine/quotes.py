"""Quotes: the exact words that carry a rule, each with the page that it is taken from.

A quote is short and in the language of its page, so that a reader can look for it on the page and either
finds it or not. It is evidence for a rule and decides nothing. `faults` says what makes one unusable. It is
pure. The check of a release calls it, and so does every action that writes rules.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping

from catalog.records import Record, Source

MAX_QUOTES = 5
"""More quotes of one rule would be an excerpt of the page."""

MIN_WORDS_CHARACTERS = 3
MAX_WORDS_CHARACTERS = 300
MAX_WHERE_CHARACTERS = 120

_UNSPEAKABLE = {"Cc", "Cs", "Zl", "Zp"}
"""Control characters, halves of characters, and separators that only some programs treat as line ends."""


class Quote(Record, frozen=True, kw_only=True):
    """Words of a page that carry a rule.

    `source` is the id of one of the rule's sources, `words` are exactly what that page says in its own
    language, `where` is their place on the page, or empty if the place is obvious.
    """

    source: str
    words: str
    where: str = ""


def faults(
    quotes: tuple[Quote, ...], rests_on: tuple[str, ...], sources: Mapping[str, Source]
) -> Iterator[str]:
    """Say what is wrong with the quotes of a rule that rests on some sources; each is named by its source."""
    if len(quotes) > MAX_QUOTES:
        yield f"has {len(quotes)} quotes, and {MAX_QUOTES} are the most"
    for quote in quotes:
        if quote.source not in rests_on:
            yield f"has a quote of what is none of its sources: `{quote.source}`"
        elif quote.source in sources and not sources[quote.source].citable:
            yield f"has a quote of a page that was not read: `{quote.source}`"
        yield from _words(quote)
        yield from _where(quote)
    for (source, _), count in Counter((quote.source, quote.words) for quote in quotes).items():
        if count > 1:
            yield f"has the same quote {count} times: of `{source}`"


def _words(quote: Quote) -> Iterator[str]:
    words = quote.words
    if words != words.strip():
        yield f"has a quote with spaces around its words: of `{quote.source}`"
    if len(words.strip()) < MIN_WORDS_CHARACTERS or len(words) > MAX_WORDS_CHARACTERS:
        limits = f"{MIN_WORDS_CHARACTERS} to {MAX_WORDS_CHARACTERS}"
        yield f"has a quote of {len(words.strip())} characters, not {limits}: of `{quote.source}`"
    # A quote may continue after the end of a line, such as from one item of a list into the next.
    if found := _unspeakable(words.replace("\n", "")):
        yield f"has a quote with an invisible character: {found} in the words of `{quote.source}`"


def _where(quote: Quote) -> Iterator[str]:
    where = quote.where
    if where != where.strip():
        yield f"has a quote with spaces around its place: of `{quote.source}`"
    if len(where) > MAX_WHERE_CHARACTERS:
        most = f"and {MAX_WHERE_CHARACTERS} are the most"
        yield f"has a quote whose place takes {len(where)} characters, {most}: of `{quote.source}`"
    if found := _unspeakable(where):
        yield f"has a quote with an invisible character: {found} in the place of `{quote.source}`"


def _unspeakable(text: str) -> str:
    """Return the first character that is for programs only, as `U+2028`; empty if there is none."""
    return next((f"U+{ord(one):04X}" for one in text if unicodedata.category(one) in _UNSPEAKABLE), "")
