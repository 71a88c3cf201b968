"""A text while it is read: what each stretch of it was used for, and what is unused.

Spans are positions in the folded text. Each reader takes the stretches that it understands; later readers
skip them. Nothing has to be marked as unused: whatever no reader took is unused, including signs between
words. Called by the readers of sentences in `aeo.asking.free_text`.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

from aeo.asking.free_text.understood import Unused
from aeo.asking.names.folding import HARMLESS, Folded
from aeo.asking.names.scripts import script_of

Use = Literal["model", "airline", "place", "count", "day", "label", "fact", "unit", "filler", "aside"]

_ARROWS = r"\-/|>~\u2010\u2011\u2013\u2014\u2192\u2794\u279c\u279d\u203a\u00bb\u21d2\u27f6\u2708\u301c"
_ROUTE = re.compile(rf"[\s{_ARROWS}]*[{_ARROWS}][\s{_ARROWS}]*")
"""The text between the two ends of a route."""

_ARROW_SIGNS = frozenset(">\u2192\u2794\u279c\u279d\u21d2\u27f6")
_BARS = frozenset("/|")

_COMPARES = re.compile(r"[>~\u301c]\s*[0-9]|(?:(?<=\s)|^)-[0-9]")
"""A sign before a number, which makes it another number: >100 Wh, ~2, -1."""

_QUERIES = re.compile(r"\(\s*\?")
"""A question mark that doubts the word before it: "Anker 737 (?)"."""

_TILDES = frozenset("~\uff5e\u301c")

_POSSESSIVE = re.compile(r"[\s'\u2019]*(?:の|的|의|s\b)?\s*")


class _Used(NamedTuple):
    """The use of a stretch. `about` comes from `set_aside`."""

    use: Use
    about: str = ""
    signs: Collection[str] = ()


class Reading:
    """One text, read once. A text is `shouting` if its capitals mean nothing."""

    def __init__(self, text: str) -> None:
        self.folded = Folded(text)
        self.text = self.folded.text
        self.shouting = self.folded.source.isupper() and all(
            script_of(letter) in "l " for letter in self.text
        )
        self._uses = [_Used("aside")]
        self._used_by = [0] * len(self.text)

    def take(self, start: int, end: int, use: Use, signs: Collection[str] = ()) -> None:
        """Mark what a stretch was used for. `signs` belong to it, such as the + of a name."""
        self._mark(start, end, _Used(use, signs=signs))

    def set_aside(self, start: int, end: int, about: str = "", signs: Collection[str] = ()) -> None:
        """Mark a stretch that is known and cannot be used; `about` is its subject, `signs` belong to it."""
        self._mark(start, end, _Used("aside", about, signs))

    def is_taken(self, start: int, end: int) -> bool:
        """Tell whether any part of a stretch was taken or set aside."""
        return any(self._used_by[start:end])

    def free_until(self, start: int, end: int) -> int:
        """Return the position of the first taken character in a stretch, or its end."""
        return next((at for at in range(start, end) if self._used_by[at]), end)

    def between(self, end: int, start: int) -> str:
        """Return the typed text between two stretches of the folded text."""
        if end >= start or end == 0:
            return ""
        return self.folded.source[self.folded.at[end - 1] + 1 : self.folded.at[start]]

    def sign_behind(self, end: int) -> str:
        """Return the typed character right after a stretch of the folded text."""
        behind = self.folded.at[end - 1] + 1
        return self.folded.source[behind : behind + 1]

    def folded_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the position of a stretch of the source in the folded text."""
        return bisect_left(self.folded.at, start), bisect_left(self.folded.at, end)

    def joined_to_route(self, at: int, end: int) -> bool:
        """Tell whether a dash or an arrow leads to a stretch, or away from it."""
        before, after = self.text[:at].rstrip(), self.text[end:].lstrip()
        left = self.between(len(before), at) if before else ""
        right = self.between(end, len(self.text) - len(after)) if after else ""
        return bool(_ROUTE.fullmatch(left) or _ROUTE.fullmatch(right))

    def touch(self, end: int, start: int) -> bool:
        """Tell whether nothing but space separates two stretches."""
        return not self.between(end, start).strip()

    def has_arrow(self, at: int, end: int) -> bool:
        """Tell whether an arrow, and not a mere dash, is next to a stretch."""
        before, behind = (
            self.folded.source[: self.folded.at[at]],
            self.folded.source[self.folded.at[end - 1] + 1 :],
        )
        return not _ARROW_SIGNS.isdisjoint((before.rstrip()[-1:], behind.lstrip()[:1]))

    def is_route(self, end: int, start: int) -> bool:
        """Tell whether only a dash or an arrow separates two stretches."""
        return bool(_ROUTE.fullmatch(self.between(end, start)))

    def directly_follows(self, end: int, start: int) -> bool:
        """Tell whether only spaces separate two stretches, both in Latin letters or figures."""
        if start < end or script_of(self.text[start]) != "l":
            return False
        return not self.between(end, start).strip() if start > end else True

    def leads_to_model(self, end: int) -> bool:
        """Tell whether a model directly follows a stretch, such as that of its owner: 日本のAnker 737."""
        if found := _POSSESSIVE.match(self.text, end):
            end = found.end()
        return end < len(self.text) and self._uses[self._used_by[end]].use == "model"

    def unused(self) -> tuple[Unused, ...]:
        """Return the unused words and signs, each once, in their order."""
        found = sorted((*self._unused_words(), *self._unused_signs()))
        return tuple(dict.fromkeys(one for _, one in found))

    def unused_spans(self) -> Iterator[tuple[int, int]]:
        """Yield the stretches of words that no reader took, without those set aside."""
        start = None
        for at in range(len(self.text) + 1):
            if at < len(self.text) and not self._used_by[at]:
                start = at if start is None and self.text[at] != " " else start
            elif start is not None:
                yield start, len(self.text[:at].rstrip())
                start = None

    def _mark(self, start: int, end: int, used: _Used) -> None:
        self._uses.append(used)
        self._used_by[start:end] = [len(self._uses) - 1] * (end - start)

    def _unused_words(self) -> Iterator[tuple[int, Unused]]:
        for start, end in self.unused_spans():
            yield start, Unused(self.folded.shown(start, end))
        start = 0
        for at in range(1, len(self.text) + 1):
            if at == len(self.text) or self._used_by[at] != self._used_by[start]:
                used = self._uses[self._used_by[start]]
                if used.use == "aside" and self._used_by[start]:
                    yield start, Unused(self.folded.shown(start, at), used.about)
                start = at

    def _unused_signs(self) -> Iterator[tuple[int, Unused]]:
        for at, sign in enumerate(self.folded.source):
            if sign.isspace() or not self.folded.is_sign(at):
                continue
            following = bisect_left(self.folded.at, at + 1)
            if (
                _COMPARES.match(self.folded.source, at)
                or _QUERIES.match(self.folded.source, at)
                or (
                    sign not in HARMLESS - _TILDES
                    and not self._is_within_use(sign, following)
                    and not self._ends_name(at)
                )
            ):
                yield following, Unused(sign)

    def _is_within_use(self, sign: str, following: int) -> bool:
        """Tell whether a sign is inside something that was used, or only separates two such things."""
        left, right = self._used_at(following, -1), self._used_at(following, 1)
        if left == right:
            return sign in self._uses[left].signs
        uses = {self._uses[left].use, self._uses[right].use}
        if sign in _ARROW_SIGNS:
            return "place" in uses
        if sign in _TILDES:
            return uses == {"place"}
        return sign in _BARS and "aside" not in uses and (len(uses) > 1 or uses == {"place"})

    def _ends_name(self, at: int) -> bool:
        """Tell whether a sign directly follows the last letter of a name that has it, as in Omni 20+."""
        last = bisect_left(self.folded.at, at) - 1
        if last < 0 or self.folded.at[last] != at - 1:
            return False
        return self.folded.source[at] in self._uses[self._used_by[last]].signs

    def _used_at(self, at: int, step: int) -> int:
        """Return the use of the nearest letter before a place in the folded text, or from there on."""
        at = at - 1 if step < 0 else at
        while 0 <= at < len(self.text) and self.text[at] == " ":
            at += step
        return self._used_by[at] if 0 <= at < len(self.text) else 0
