"""Do these exact words stand in a text?

Every word and every figure of the quote, in its order and as a whole: `100 Wh` does not stand in `1100 Wh`,
nor `two` in `network`. What may differ is what copying changes: spaces and line breaks, the borders between
the cells of a table, quotation marks and dashes, hyphens of syllables, ligatures, full and half width; and
capitals, because a page shows words in capitals that it does not write so.
"""

from rules.watch.text.folding import folded_character

_DROPPED = frozenset(" |-\t\n\r")


def stands_in(words: str, text: str) -> bool:
    """Tell whether `words` stand in `text`. Words without a letter or figure stand nowhere."""
    wanted, _ = _squeezed(words)
    if not any(character.isalnum() for character in wanted):
        return False
    return wanted in _squeezed(text)[0]


def _squeezed(text: str) -> tuple[str, list[int]]:
    out = []
    for character in text:
        for one in folded_character(character).casefold():
            if one not in _DROPPED:
                out.append(one)
    return "".join(out), []
