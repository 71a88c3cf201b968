"""Whether a text contains these exact words.

It must contain every word and every figure of the quote, in its order and as a whole: `100 Wh` is not in
`1100 Wh`, in `1,100 Wh` or in `100 Whatever`, nor `two` in `network`. Differences that come from copying are
allowed: spaces and line breaks, the borders between the cells of a table, quotation marks and dashes, hyphens
inside words, ligatures, full and half width, small figures that lead to a footnote. Capitals may differ too,
because a page can show words in capitals that it does not write so.
"""

import functools
import re

from rules.watch.text.folding import fold
from rules.watch.text.spacing import LETTER

_BORDER = "[\n|\u2022\u25e6\u25aa\u2023\u2219\uf0b7\uf0a7]"
_BORDERS = re.compile(rf"[^\S\n]*{_BORDER}(?:\s|{_BORDER})*")
_SPACES = re.compile(r"[^\S\n]+")
_HYPHENS = re.compile(rf"(?<={LETTER})-\s*\n\s*(?={LETTER})|(?<={LETTER})-(?={LETTER})")
_FOOTNOTES = re.compile("\u2039[^\u203a\u2044]*\u203a")
_TOKENS = re.compile(rf"(?:{LETTER})+|\d+|[^\s]")

_NOT_BEFORE_FIGURE = rf"(?<!\d)(?<!\d[.,'])(?<!\d )(?<!{LETTER})"
_NOT_AFTER_FIGURE = r"(?!\d)(?![.,']\d)(?! \d{3}(?!\d))"
_NOT_BEFORE_WORD = rf"(?<!{LETTER})"
_NOT_AFTER_WORD = rf"(?!{LETTER})(?!\d)"


def occurs_in(words: str, text: str) -> bool:
    """Return whether `text` contains `words`. No text contains words without a letter or figure."""
    tokens = _TOKENS.findall(_readable(words))
    if not any(character.isalnum() for token in tokens for character in token):
        return False
    return re.search(_pattern(tokens), _readable_text(text)) is not None


def _pattern(tokens: list[str]) -> str:
    """The pattern of a quote: its tokens, with space between them as a page may have it."""
    pattern = [
        _NOT_BEFORE_FIGURE if tokens[0][0].isdigit() else _NOT_BEFORE_WORD if _is_word(tokens[0]) else ""
    ]
    for position, token in enumerate(tokens):
        if position:
            before = tokens[position - 1]
            apart = (_is_word(before) and _is_word(token)) or (before[0].isdigit() and token[0].isdigit())
            pattern.append("[ \n]" if apart else "[ \n]?")
        pattern.append(re.escape(token))
    last = tokens[-1]
    pattern.append(_NOT_AFTER_FIGURE if last[0].isdigit() else _NOT_AFTER_WORD if _is_word(last) else "")
    return "".join(pattern)


_WORD = re.compile(LETTER)


def _is_word(token: str) -> bool:
    return _WORD.match(token) is not None


def _readable(text: str) -> str:
    """Folded words with one space between them, and one line break at the borders of lines and cells."""
    lines = "\n".join(fold(line) for line in text.split("\n")).casefold()
    lines = _HYPHENS.sub("", _FOOTNOTES.sub("", lines))
    return _SPACES.sub(" ", _BORDERS.sub("\n", lines))


@functools.lru_cache(maxsize=2)
def _readable_text(text: str) -> str:
    """Readable form of a page, cached because a page has several quotes."""
    return _readable(text)
