"""Folding: the same characters for the same words, however a page writes them.

Fingerprints, quotes and differences all compare texts that were folded here. Folding removes typography: full
and half width, ligatures, quotation marks, dashes, spaces, and invisible characters. It keeps everything that
can have a meaning: every letter in its case (`mWh` is not `MWh`), every figure, every mark such as ✓ and ✗. A
figure that is raised or circled never becomes part of the figure before it: `100¹` is not `1001`.
"""

import functools
import re
import unicodedata

_QUOTES = dict.fromkeys(
    map(ord, "\u201c\u201d\u201e\u201f\u00ab\u00bb\u301d\u301e\u301f\uff02"), '"'
) | dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u0060\u00b4\uff07\u02bc"), "'")
_DASHES = dict.fromkeys(
    map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d"), "-"
) | dict.fromkeys(map(ord, "\u301c\uff5e\u223c"), "~")
_MARKS = dict.fromkeys(map(ord, "\u2122\u00ae\u2120"), "")
_FOLDED = _QUOTES | _DASHES | _MARKS

_WIDTHS = ("<wide>", "<narrow>", "<noBreak>", "<font>")
_SPECIAL = re.compile(r"[^ -~]")


@functools.lru_cache(maxsize=65_536)
def folded_character(character: str) -> str:
    """Return the folded form of one character: nothing, one or several characters."""
    if " " <= character <= "~":
        return "'" if character == "`" else character
    point = ord(character)
    if point in _FOLDED:
        return _FOLDED[point]
    category = unicodedata.category(character)
    if category in ("Zs", "Zl", "Zp", "Cc"):
        return " "
    # Zero-width characters, soft hyphens, direction marks; and variation selectors, which choose a picture.
    if category in ("Cf", "Cs") or 0xFE00 <= point <= 0xFE0F:
        return ""
    plain = unicodedata.normalize("NFKC", character)
    if plain == character:
        return character
    decomposition = unicodedata.decomposition(character)
    if decomposition.startswith("<") and not decomposition.startswith(_WIDTHS) and _has_digit(plain):
        return f"\u2039{plain}\u203a"
    return "".join(_FOLDED.get(ord(one), one) for one in plain)


def fold(text: str) -> str:
    """Return `text` in folded characters; line breaks become spaces like all other space."""
    folded = _SPECIAL.sub(lambda found: folded_character(found[0]), text).replace("`", "'")
    # Parts of a letter that were apart, or had something invisible between them, join.
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded)


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)
