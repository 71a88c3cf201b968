"""One value for what a page says: it stays as long as only looks change, and changes with any word or figure.

The value is the SHA-256 of the *comparable form*: the folded lines of the text without those that are noise,
in their order, with spaces only where they keep two words or two figures apart.
"""

import hashlib
import re

from rules.watch.text.folding import fold
from rules.watch.text.noise import without_noise

_SPACE = re.compile(r"\s+")
_CJK = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_LETTER = rf"[^\W\d_{_CJK}]"
_IDLE_SPACE = re.compile(rf"(?<={_LETTER}) (?!{_LETTER})|(?<=\d) (?!\d)|(?<![^\W_]) |(?<=[{_CJK}]) ")


def comparable(text: str) -> str:
    """Return what is compared of `text`: equal for texts that differ in nothing that anybody could mean."""
    return joined(without_noise([fold(line) for line in text.split("\n")]))


def joined(lines: list[str]) -> str:
    """Return folded lines as one, with spaces only between two words or two figures."""
    return _IDLE_SPACE.sub("", _SPACE.sub(" ", " ".join(lines)).strip())


def fingerprint(text: str) -> str:
    """Return the SHA-256 of the comparable form of `text`, as 64 hexadecimal digits."""
    return hashlib.sha256(comparable(text).encode("utf-8", "surrogatepass")).hexdigest()
