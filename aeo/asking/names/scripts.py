"""Which script a letter is of. Pure. Called by the readers of sentences in `aeo.asking.free_text`."""


def script_of(letter: str) -> str:
    """Return the script of a letter: han `c`, Hangul `g`, hiragana `h`, katakana `k`, space, else `l`."""
    if letter == " ":
        return " "
    if letter < "\u3005":
        return "l"
    if "\u3040" <= letter <= "\u309f":
        return "h"
    if "\u30a0" <= letter <= "\u30ff":
        return "k"
    if "\uac00" <= letter <= "\ud7a3":
        return "g"
    return "c" if letter <= "\u9fff" or letter >= "\U00020000" else "l"
