"""Text in a form for comparing: without differences of case, accent, width, hyphen and punctuation.

Pure. `fold` is for names. `Folded` is for a text in which names are searched: it keeps the position of each
folded character in the text, so that pages can show what was understood as it was typed. Called by all
modules of `aeo.asking.names` and `aeo.asking.free_text`.
"""

import functools
import re
import unicodedata

MOST_CHARACTERS = 300
"""Only the beginning of a longer text is read, so the work is limited for any text."""

_OTHER_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "\u0131": "i",
        "æ": "ae",
        "œ": "oe",
        "ð": "d",
        "þ": "th",
        "ヴ": "ブ",
        "\u00d7": "x",
    }
)
_INSIDE_NAMES = frozenset(
    "・\u30a0\ufe0e\ufe0f\N{ZERO WIDTH SPACE}\N{ZERO WIDTH JOINER}\N{SOFT HYPHEN}\N{ZERO WIDTH NON-JOINER}"
)
"""They occur inside names and mean nothing."""


HARMLESS = frozenset(
    ".,;:!?\u00bf\u00a1'\"()[]-_`\u00b4\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u2010\u2011"
    "\u2012\u2013\u2014\u2015\u2026\u00b7\u2022\u3001\u3002\u300a\u300b\u3008\u3009\u300c\u300d\u300e\u300f"
    "\u3010\u3011\u3014\u3015\u301c\u30fb\uff5e~\u2708"
)
"""Signs without a meaning of their own. Any other sign, such as + or an emoji, may matter."""

_IN_NAMES = frozenset("&/")
DOUBTING = frozenset("~\uff5e\u301c!?\u00bf\u00a1")
"""Signs that only punctuate a sentence, and make a name alone uncertain: "~Frankfurt", "Lufthansa?"."""

_CODE_LETTERS = 3

_ASCII_WORD = re.compile(r"[a-z0-9]+")


class Folded:
    """A text, its folded form, and the position of each folded character in the text.

    `source` is the text in compatibility form, without control characters. `text` is folded, with single
    spaces between its words. `at[i]` is the position in `source` of the folded character `i`. `cut` says that
    only the beginning of the text is read.
    """

    __slots__ = ("at", "cut", "source", "text")

    def __init__(self, text: str) -> None:
        whole = unicodedata.normalize("NFKC", text[:MOST_CHARACTERS])
        shown = whole[:MOST_CHARACTERS]
        self.cut = len(text) > MOST_CHARACTERS or len(whole) > MOST_CHARACTERS
        self.source = "".join(map(_shown, shown))
        folded: list[str] = []
        self.at: list[int] = []
        for at, letter in enumerate(self.source):
            for plain in _plain(letter):
                if plain != " " or (folded and folded[-1] != " "):
                    folded.append(plain)
                    self.at.append(at)
        self.text = "".join(folded)

    def is_sign(self, at: int) -> bool:
        """Tell whether a character of the source is neither part of a word nor ignored inside one."""
        return _plain(self.source[at]) == " "

    def shown(self, start: int, end: int) -> str:
        """Return a stretch of the folded text as it was typed."""
        return self.source[self.at[start] : self.at[end - 1] + 1] if start < end else ""


UNREADABLE = "\N{REPLACEMENT CHARACTER}"
"""It stands for what fonts do not show or what strikes letters out: a reader may see something else there."""

_STRIKES_OUT = frozenset("\u033d\u0334\u0335\u0336\u0337\u0338\u0353\u20d2\u20d3\u20e5\u20eb") | {
    chr(small) for small in range(0x363, 0x370)
}


def _shown(letter: str) -> str:
    """Return a character of a text as it is kept: control characters are spaces."""
    category = unicodedata.category(letter)
    if category in ("Cc", "Cs"):
        return " "
    return UNREADABLE if category in ("Co", "Cn") or letter in _STRIKES_OUT else letter


def fold(text: str) -> str:
    """Return a name in the form for comparing: words of letters and digits with single spaces between."""
    if text.isascii():
        return " ".join(_ASCII_WORD.findall(text[:MOST_CHARACTERS].lower()))
    return Folded(text).text.strip()


def is_doubted(text: str) -> bool:
    """Tell whether a sign makes a name uncertain: "~Frankfurt", "Lufthansa?", "-London"."""
    source = Folded(text).source.strip()
    return not DOUBTING.isdisjoint(source) or source.startswith("-")


def says_more(text: str) -> bool:
    """Tell whether a name has a sign that may mean something: a flag, ≠, "~", an accent in a code."""
    source = Folded(text).source.strip()
    folded = fold(text)
    signs = {letter for letter in source if not letter.isspace() and _plain(letter) == " "}
    is_code = 0 < len(folded) <= _CODE_LETTERS and folded.isascii()
    return not signs <= HARMLESS | _IN_NAMES or is_doubted(source) or (is_code and not source.isascii())


@functools.lru_cache(maxsize=8192)
def _plain(letter: str) -> str:
    """Return the replacement for one character: itself, several letters, a space or nothing."""
    if letter.isascii():
        return letter.lower() if letter.isalnum() else " "
    if letter in _INSIDE_NAMES:
        return ""
    folded = unicodedata.normalize("NFKD", letter.casefold())
    bare = "".join(mark for mark in folded if not "\u0300" <= mark <= "\u036f")
    whole = unicodedata.normalize("NFC", bare).translate(_OTHER_LETTERS)
    if bare == "" or all(map(_is_word, whole)):
        return whole
    return " "


def _is_word(letter: str) -> bool:
    return letter.isalnum() or unicodedata.category(letter)[0] == "M"
