"""A text while it is read: what was understood of it so far, and what was not.

Spans are places in the folded text. Each reader takes the stretches that it has understood, and later ones
pass them over. Called by the readers of sentences in `aeo.finding`.
"""

import re

from aeo.finding.folding import Folded
from aeo.finding.scripts import script_of

_ARROWS = r"\-/|>~\u2010\u2011\u2013\u2014\u2192\u2794\u279c\u279d\u203a\u00bb\u21d2\u27f6\u2708\u301c"
_ROUTE = re.compile(rf"[\s{_ARROWS}]*[{_ARROWS}][\s{_ARROWS}]*")
"""What stands between the two ends of a route."""


class Reading:
    """One text, read once.

    `taken` marks the characters that were understood, `left` are the stretches that were not. A text is
    `shouting` where capitals tell nothing.
    """

    def __init__(self, text: str) -> None:
        self.folded = Folded(text)
        self.text = self.folded.text
        self.taken = bytearray(len(self.text))
        self.left: list[tuple[int, int]] = []
        self.shouting = self.folded.source.isupper()

    def take(self, start: int, end: int) -> None:
        """Note that a stretch was understood."""
        self.taken[start:end] = b"\1" * (end - start)

    def between(self, end: int, start: int) -> str:
        """Return what was typed between two stretches of the folded text."""
        if end >= start or end == 0:
            return ""
        return self.folded.source[self.folded.at[end - 1] + 1 : self.folded.at[start]]

    def folded_span(self, start: int, end: int) -> tuple[int, int]:
        """Return where a stretch of the source stands in the folded text."""
        inside = [at for at, origin in enumerate(self.folded.at) if start <= origin < end]
        return (inside[0], inside[-1] + 1) if inside else (0, 0)

    def joined_to_route(self, at: int, end: int) -> bool:
        """Tell whether a dash or an arrow leads to a stretch, or away from it."""
        before, after = self.text[:at].rstrip(), self.text[end:].lstrip()
        left = self.between(len(before), at) if before else ""
        right = self.between(end, len(self.text) - len(after)) if after else ""
        return bool(_ROUTE.fullmatch(left) or _ROUTE.fullmatch(right))

    def is_route(self, end: int, start: int) -> bool:
        """Tell whether only a dash or an arrow parts two stretches."""
        return bool(_ROUTE.fullmatch(self.between(end, start)))

    def directly_follows(self, end: int, start: int) -> bool:
        """Tell whether only spaces part two stretches, both in Latin letters or figures."""
        if start < end or script_of(self.text[start]) != "l":
            return False
        return not self.between(end, start).strip() if start > end else True
