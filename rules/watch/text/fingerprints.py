"""One value for what a page says: it stays if only formatting changes, and changes with any word or figure.

The value is the SHA-256 of the *comparable form*: the folded lines of the text without noise, in their order,
with spaces only where they separate two words or two figures. The ends of paragraphs are formatting. The
order of paragraphs is not, because a sentence means what the heading above it says.
"""

import hashlib
from collections.abc import Sequence

from rules.watch.text.folding import fold
from rules.watch.text.spacing import without_idle_spaces

COMPARABLE_FORM = 1
"""The version of the comparable form, raised by hand when it, or what counts as noise, changes."""


def fingerprint(text: str) -> str:
    """Return the SHA-256 of the comparable form of `text`, as 64 hexadecimal digits."""
    return hashlib.sha256(comparable(text).encode("utf-8")).hexdigest()


def comparable(text: str) -> str:
    """Return what is compared of `text`: equal for texts whose differences have no meaning."""
    return without_idle_spaces(" ".join(line for line in _said(text.split("\n")) if line))


def line_keys(lines: Sequence[str]) -> list[str]:
    """Return the comparable form of each line of a text separately, "" for noise."""
    return [without_idle_spaces(line) for line in _said(lines)]


def _said(lines: Sequence[str]) -> list[str]:
    # Imported here: its patterns take longer to compile than any other module takes to load.
    from rules.watch.text.noise import without_noise

    return without_noise([fold(line) for line in lines])
