"""What people write in their own words: which characters it may have, and how long a reason may be.

Pure: no Django, no clock, no I/O. Called by the actions that write records and reasons, and by what writes
XML and calendars.
"""

import re
import unicodedata

MOST_OF_A_REASON = 2_000
"""The characters that a reason or the note of a release may have: readers of the ledger see all of it."""

_SHOWN = 20
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# Letters and signs that are drawn as nothing: Hangul fillers, the empty Braille pattern.
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"

# Format characters, among them those that turn the direction, and the separators of lines and paragraphs.
_HIDDEN = ("Cf", "Zl", "Zp")
_JOINERS = "\u200c\u200d"


def fault(text: str, *, lines: bool = True) -> str:
    """Say what a text has that no record may have; empty if nothing.

    These are control characters and halves of characters. `lines`: tabs and line breaks may be in it.
    """
    found = _UNFIT.search(text) or (None if lines else re.search("[\t\n\r]", text))
    if found is None:
        return ""
    before = text[: found.start()][-_SHOWN:].split()[-2:]
    after = f" after “{' '.join(before)}”" if before else " at its beginning"
    return f"has a control character, U+{ord(found[0]):04X},{after}: delete it, or type a space for it"


def name_fault(text: str) -> str:
    """Say what a name of one line has that its readers would not see; empty if nothing.

    In addition to what `fault` names these are characters that turn the direction of the text, and others
    that are not drawn. Those that join letters in Persian and Hindi may be in it.
    """
    if found := fault(text, lines=False):
        return found
    hidden = next((one for one in text if one not in _JOINERS and unicodedata.category(one) in _HIDDEN), None)
    if hidden is None:
        return ""
    return f"has a character that is not seen, U+{ord(hidden):04X}: delete it"


def reason_fault(text: str, *, most: int = MOST_OF_A_REASON) -> str:
    """Say what is wrong with a reason or a note that is not empty; empty if nothing."""
    length = len(text.strip().replace("\r\n", "\n"))
    if length > most:
        return f"has {length:,} characters, and {most:,} are the most"
    return fault(text)


def is_visible(text: str) -> bool:
    """Return whether a reader sees anything of a text: a letter, a digit or a sign."""
    return any(unicodedata.category(one)[0] in "LNPS" and one not in _BLANK for one in text)


def writable(text: str) -> str:
    """Return a text without what `fault` names, which XML and calendars cannot hold; a space for a space."""
    return _UNFIT.sub(lambda found: " " if found[0].isspace() else "", text)
