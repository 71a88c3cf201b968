"""Which spaces separate words, and which only fill a line.

A space counts between two letters and between two figures: `power bank` is not `powerbank`, and `1 100` is
not `1100`. Everywhere else it is a matter of style: `100 Wh` and `100Wh`, `a - b` and `a-b`, and any space in
Chinese and Japanese.
"""

import re

WIDE = "\u2e80-\u30ff\u3130-\u318f\u31f0-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""The characters of scripts that write words without spaces, as the inside of a character class."""

LETTER = rf"[^\W\d_{WIDE}]"
"""A letter of a script that writes words with spaces."""

_SPACE = re.compile(r"\s+")
_IDLE = re.compile(rf"(?<={LETTER}) (?!{LETTER})|(?<=\d) (?!\d)|(?<![^\W_]) |(?<=[{WIDE}]) ")


def without_idle_spaces(text: str) -> str:
    """Return `text` with one space between two words or two figures, and with no other."""
    return _IDLE.sub("", _SPACE.sub(" ", text).strip())
